"""Who answers from a file: the first entry that fits, and a rejection where none does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sopbench.adapters.scripted_operator import ScriptedOperator
from sopbench.errors import OperatorStopped, UsageError
from sopbench.ports.operator import OperatorQuestion

PAY = OperatorQuestion("may this be done: click button 'Pay'?\nIt costs 5.", ("approve", "reject"), safe="reject")
WHICH = OperatorQuestion("Is it an investor?", ("yes", "no"))


def script(tmp_path: Path, *entries: dict[str, Any]) -> ScriptedOperator:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    return ScriptedOperator(path)


async def test_the_first_entry_that_fits_answers(tmp_path: Path) -> None:
    operator = script(
        tmp_path,
        {"question": "is it an *?", "answer": "yes"},
        {"question": "*", "answer": "no"},
    )

    assert await operator.answer(WHICH) == "yes"


async def test_a_pattern_spans_lines_and_must_fit_the_whole_question(tmp_path: Path) -> None:
    whole = script(tmp_path, {"question": "may this be done: *costs 5.", "answer": "approve"})
    part = script(tmp_path, {"question": "may this be done:", "answer": "approve"})

    assert await whole.answer(PAY) == "approve"
    assert await part.answer(PAY) == "reject"


async def test_an_entry_is_used_up_and_the_next_one_that_fits_takes_over(tmp_path: Path) -> None:
    operator = script(
        tmp_path,
        {"question": "*investor*", "answer": "yes", "times": 2},
        {"question": "*", "answer": "no"},
    )

    assert [await operator.answer(WHICH) for _ in range(4)] == ["yes", "yes", "no", "no"]


async def test_a_missing_answer_is_a_rejection(tmp_path: Path) -> None:
    operator = script(tmp_path, {"question": "*", "answer": "approve", "times": 1})

    assert [await operator.answer(PAY) for _ in range(2)] == ["approve", "reject"]


async def test_a_missing_answer_stops_the_run_where_no_option_does_nothing(tmp_path: Path) -> None:
    operator = script(tmp_path)

    with pytest.raises(OperatorStopped) as raised:
        await operator.answer(WHICH)

    assert str(raised.value) == f"{tmp_path / 'answers.json'}: no answer to: Is it an investor? (yes / no)"


@pytest.mark.parametrize("answer", ["Approve", "approve ", "1", "ok"])
async def test_an_answer_that_is_no_option_approves_nothing(tmp_path: Path, answer: str) -> None:
    operator = script(tmp_path, {"question": "*", "answer": answer})

    with pytest.raises(OperatorStopped, match=f"answer 1, '{answer}', is none of the options of: may this"):
        await operator.answer(PAY)


TOML = '[[answers]]\nquestion = "*investor*"\nanswer = "yes"\n\n[[answers]]\nquestion = "*"\nanswer = "no"\n'


async def test_a_file_may_be_toml(tmp_path: Path) -> None:
    path = tmp_path / "answers.toml"
    path.write_text(TOML, encoding="utf-8")

    assert await ScriptedOperator(path).answer(WHICH) == "yes"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.toml", "[[answers]]\nquestion = \n", "a.toml:2: the operator's answers are no TOML"),
        ("a.toml", "[[answers]]\nquestion = 'x", "a.toml:2: the operator's answers are no TOML"),
        ("a.toml", TOML + "tiems = 1\n", "a.toml:5: answers.1.tiems: Extra inputs are not permitted"),
        ("a.toml", TOML.replace('answer = "no"', ""), "a.toml:5: answers.1.answer: Field required"),
        ("a.toml", "", "a.toml:1: answers: Field required"),
        ("a.json", '[\n{"question": }]', "a.json:2: the operator's answers are no JSON"),
        ("a.json", '[\n{"question": "*",\n"answer": 1}]', "a.json:3: 0.answer: Input should be a valid string"),
        ("a.json", '[\n{"question": "*",\n"answer": "a",\n"times": 0}]', "a.json:4: 0.times: Input should be greater"),
        ("a.json", '{"answers":\n{}}', "a.json:2: answers: Input should be a valid tuple"),
        ("a.json", "3", "a.json:1: the file: Input should be a valid dictionary"),
    ],
)
def test_a_file_with_a_mistake_is_refused_with_its_place(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")

    with pytest.raises(UsageError) as raised:
        ScriptedOperator(tmp_path / name)

    assert str(raised.value).startswith(f"{tmp_path}/{message}")


@pytest.mark.parametrize("content", [None, b"\xff\xfe"], ids=["missing", "no text"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "answers.toml"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(UsageError, match=r"answers\.toml: the operator's answers"):
        ScriptedOperator(path)
