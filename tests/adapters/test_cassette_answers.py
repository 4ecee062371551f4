"""Reading cassettes: what they hold, whether they are stale, and how their answers differ."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from sopbench.adapters.cassette_answers import Change, Recorded, drift, read_recorded
from sopbench.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

SYSTEMS = {"decide": "You sort.", "interpret": "You read."}
VERSIONS = {"decide": 1, "interpret": 1}


def shown(text: str, ask: str = "Which is it?") -> str:
    return f"<text>\n{text}\n</text>\n\n{ask}"


def claude(prompt: str, answer: Any, system: str = "You sort.") -> dict[str, Any]:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    usage = {"input_tokens": 100, "output_tokens": 10, "cache_read_input_tokens": 5}
    return pair(
        {"system": system, "messages": [{"role": "user", "content": prompt}]},
        {"content": [{"type": "text", "text": text}], "usage": usage},
    )


def gpt(prompt: str, answer: Any, *, tool: bool = False) -> dict[str, Any]:
    text = json.dumps(answer)
    message = {"tool_calls": [{"function": {"name": "answer", "arguments": text}}]} if tool else {"content": text}
    return pair(
        {"messages": [{"role": "system", "content": "You sort."}, {"role": "user", "content": prompt}]},
        {"choices": [{"message": message}], "usage": {"prompt_tokens": 90, "completion_tokens": 9}},
    )


def pair(question: Any, answer: Any) -> dict[str, Any]:
    return {"request": {"body": question}, "response": {"body": answer}}


def recorded(path: Path, *pairs: dict[str, Any], **header: Any) -> Recorded:
    whole = {
        "endpoint": "http://127.0.0.1:1",
        "model": "small",
        "served_by": "a fake",
        "recorded": "2026-11-22",
        **header,
    }
    path.write_text(json.dumps({"recorded_from": whole, "version": 1, "interactions": pairs}), "utf-8")
    return read_recorded(path)


def test_a_cassette_tells_its_answers_tokens_and_header(tmp_path: Path) -> None:
    kept = recorded(
        tmp_path / "a.json", claude(shown("mail"), {"choice": "bill", "reason": "why"}), claude("x", "prose")
    )

    told = kept.told(VERSIONS, SYSTEMS)

    assert told == {
        "path": str(tmp_path / "a.json"),
        "answers": 2,
        "endpoint": "http://127.0.0.1:1",
        "model": "small",
        "served_by": "a fake",
        "recorded": "2026-11-22",
        "api": "anthropic",
        "prompts": {"decide": 1},
        "input_tokens": 210,
        "output_tokens": 20,
        "stale": [],
    }
    assert [(answer.shown, answer.decision) for answer in kept.answers] == [("mail", "bill"), ("x", "prose")]


def test_a_prompt_that_went_on_makes_a_recording_stale(tmp_path: Path) -> None:
    kept = recorded(tmp_path / "a.json", claude("x", {}), prompts={"decide": 1})

    assert kept.stale({"decide": 2}, SYSTEMS) == ["recorded for another prompt (decide v1, now v2)"]
    assert kept.stale({"decide": 1, "interpret": 2}, SYSTEMS) == []


def test_a_recording_without_versions_is_stale_only_by_prompts_it_asked_with(tmp_path: Path) -> None:
    kept = recorded(tmp_path / "a.json", claude("x", {}))

    assert kept.stale({"decide": 1, "interpret": 2}, SYSTEMS) == []
    assert kept.stale({"decide": 2, "interpret": 1}, SYSTEMS) == ["recorded for another prompt (decide v1, now v2)"]


def test_a_system_text_nobody_has_any_more_makes_a_recording_stale(tmp_path: Path) -> None:
    kept = recorded(tmp_path / "a.json", claude("x", {}, system="You did."), claude("y", {}), prompts={"decide": 1})

    assert kept.stale(VERSIONS, SYSTEMS) == ["1 answers to a system text that no prompt has now"]


def test_a_purpose_without_a_file_is_not_judged(tmp_path: Path) -> None:
    kept = recorded(tmp_path / "a.json", claude("x", {}, system="You write."), prompts={"generate": 4})

    assert kept.stale(VERSIONS, SYSTEMS) == []


def test_another_choice_is_a_change_and_another_reason_is_none(tmp_path: Path) -> None:
    old = recorded(
        tmp_path / "a.json",
        claude(shown("one"), {"choice": "bill", "reason": "x"}),
        claude(shown("two"), {"choice": "bill", "reason": "x"}),
    )
    new = recorded(
        tmp_path / "b.json",
        claude(shown("two"), {"choice": "news", "reason": "x"}),
        claude(shown("one"), {"choice": "bill", "reason": "y"}),
    )

    found = drift(old, new)

    assert found.changes == (Change("two", "bill", "news"),)
    assert (found.same, found.compared, found.reworded, found.only_old, found.only_new) == (1, 2, 0, 0, 0)


def test_the_same_text_under_another_prompt_is_compared_and_counted(tmp_path: Path) -> None:
    old = recorded(tmp_path / "a.json", claude(shown("one"), {"choice": "a"}), claude(shown("gone"), {"choice": "a"}))
    new = recorded(tmp_path / "b.json", claude(shown("one", "What?"), {"choice": "b"}), claude(shown("new"), {}))

    found = drift(old, new)

    assert found.changes == (Change("one", "a", "b"),)
    assert (found.reworded, found.only_old, found.only_new) == (1, 1, 1)


def test_a_text_shown_in_pieces_is_the_same_text_and_a_second_asking_is_passed_over(tmp_path: Path) -> None:
    old = recorded(tmp_path / "a.json", claude(shown("one\n\ntwo"), {"choice": "a", "reason": "x"}))
    new = recorded(
        tmp_path / "b.json",
        claude(shown("[1] one\n[2] two", "What?"), {"choice": "b", "quote": "three"}),
        claude(shown("[1] one\n[2] two"), {"choice": "c"}),
    )

    found = drift(old, new)

    assert [(change.old, change.new) for change in found.changes] == [("a", "b")]
    assert (found.reworded, found.only_old, found.only_new) == (1, 0, 1)


def test_a_text_shown_twice_is_not_guessed_at(tmp_path: Path) -> None:
    old = recorded(tmp_path / "a.json", claude(shown("one", "A?"), {"choice": "a"}), claude(shown("one", "B?"), {}))
    new = recorded(tmp_path / "b.json", claude(shown("one", "C?"), {"choice": "b"}))

    assert drift(old, new).compared == 0


@pytest.mark.parametrize("tool", [False, True])
def test_the_other_api_answers_the_same_questions(tmp_path: Path, tool: bool) -> None:
    old = recorded(tmp_path / "a.json", claude(shown("one"), {"choice": "a", "reason": ""}))
    new = recorded(tmp_path / "b.json", gpt(shown("one"), {"choice": "b", "reason": ""}, tool=tool), api="openai")

    found = drift(old, new)

    assert found.changes == (Change("one", "a", "b"),)
    assert (new.input_tokens, new.output_tokens) == (90, 9)


def test_a_form_that_was_filled_in_is_compared_without_its_reason(tmp_path: Path) -> None:
    old = recorded(tmp_path / "a.json", claude(shown("one"), {"amount": 5, "reason": "x"}))
    new = recorded(tmp_path / "b.json", claude(shown("one"), {"amount": 6, "reason": "y"}))

    assert drift(old, new).changes == (Change("one", '{"amount": 5}', '{"amount": 6}'),)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"recorded_from": {}, "interactions": []}'])
def test_another_file_is_no_cassette(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text, "utf-8")

    with pytest.raises(UsageError, match="not a cassette"):
        read_recorded(tmp_path / "a.json")
    with pytest.raises(UsageError, match="there is no such cassette"):
        read_recorded(tmp_path / "b.json")
