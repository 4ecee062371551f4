"""Recording, replaying with the server gone, and what is said when there is nothing to replay."""

from __future__ import annotations

import asyncio
import gc
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import requests

from sopbench.adapters.anthropic_llm import AnthropicModel
from sopbench.adapters.system_clock import SystemClock
from sopbench.adapters.vcr_cassettes import Cassette, Cassettes
from sopbench.errors import AnswerUnusable, CassetteMiss, ModelUnavailable, UsageError
from sopbench.events.masking import MASK, Masker
from sopbench.ports.llm import ModelAnswer, ModelRequest

from .fake_anthropic import FakeAnthropic

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QUESTION = ModelRequest(
    purpose="decide",
    system="You read mail.",
    prompt="Is this about money?",
    schema={"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]},
    max_tokens=100,
    timeout_s=20,
)


@pytest.fixture
def server() -> Iterator[FakeAnthropic]:
    server = FakeAnthropic()
    yield server
    server.stop()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cassettes" / "ordinary_day.json"


async def record(cassette: Cassette, server: FakeAnthropic, *prompts: str) -> list[ModelAnswer]:
    model = AnthropicModel(
        model="small-model", base_url=server.url, api_key="sk-secret", cassette=cassette, clock=SystemClock()
    )
    try:
        return [await model.ask(replace(QUESTION, prompt=prompt)) for prompt in prompts]
    finally:
        await model.aclose()


async def replay(cassette: Cassette, *prompts: str, **options: Any) -> list[ModelAnswer]:
    model = AnthropicModel(cassette=cassette, clock=SystemClock(), **options)
    try:
        return [await model.ask(replace(QUESTION, prompt=prompt)) for prompt in prompts]
    finally:
        await model.aclose()


def text_in(path: Path) -> str:
    return path.read_text("utf-8")


def write(path: Path, whole: Any) -> None:
    path.write_text(json.dumps(whole), "utf-8")


def prompts_in(path: Path) -> list[str]:
    return [pair["request"]["body"]["messages"][0]["content"] for pair in json.loads(text_in(path))["interactions"]]


async def test_what_was_recorded_is_replayed_with_the_server_gone_and_no_option_given(
    server: FakeAnthropic, path: Path
) -> None:
    server.will_say('{"answer": "größer"}')
    with Cassette(path, "record") as cassette:
        recorded = await record(cassette, server, "First?", "Second?")
    server.stop()

    replayed = await replay(Cassette(path, "replay"), "Second?", "First?", "First?")

    assert [answer.value["answer"] for answer in replayed] == ["yes", "größer", "größer"]
    assert all(answer.replayed for answer in replayed)
    assert replace(replayed[1], replayed=False) == recorded[0]


async def test_the_file_says_what_it_was_recorded_from_and_can_be_read(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record", served_by="Qwen2.5-Coder-1.5B-Instruct Q4_K_M, llama.cpp") as cassette:
        await record(cassette, server, "Größe?")

    text = text_in(path)
    whole = json.loads(text)
    assert next(iter(whole)) == "recorded_from"
    assert whole["recorded_from"] == {
        "endpoint": server.url,
        "model": "small-model",
        "served_by": "Qwen2.5-Coder-1.5B-Instruct Q4_K_M, llama.cpp",
        "recorded": SystemClock().now().date().isoformat(),
        "api": "anthropic",
        "prompts": {"decide": 1},
    }
    assert '     "content": "Größe?"\n' in text.replace("       ", "     ")
    assert text.endswith("}\n")


async def test_only_headers_that_matter_are_kept(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "First?")

    (pair,) = json.loads(text_in(path))["interactions"]
    assert "Bearer sk-secret" in server.headers[0].values()
    assert {name.lower() for name in pair["request"]["headers"]} == {"content-type", "anthropic-version"}
    assert {name.lower() for name in pair["response"]["headers"]} == {"content-type"}
    assert "secret" not in text_in(path)


async def test_a_secret_is_masked_in_question_and_answer_and_still_replays(server: FakeAnthropic, path: Path) -> None:
    masker = Masker(['pass"word'])
    server.will_say(json.dumps({"answer": 'it is pass"word'}))
    with Cassette(path, "record", masker=masker) as cassette:
        (told,) = await record(cassette, server, 'Is pass"word safe?')

    (replayed,) = await replay(Cassette(path, "replay", masker=masker), 'Is pass"word safe?')

    assert told.value == {"answer": 'it is pass"word'}
    assert replayed.value == {"answer": f"it is {MASK}"}
    assert server.asked[0]["messages"][0]["content"] == 'Is pass"word safe?'
    assert prompts_in(path) == [f"Is {MASK} safe?"]
    assert "word" not in text_in(path)


async def test_a_repeat_within_a_recording_is_asked_once(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        answers = await record(cassette, server, "First?", "First?")

    assert [answer.replayed for answer in answers] == [False, True]
    assert len(server.asked) == 1
    assert prompts_in(path) == ["First?"]


async def test_recording_again_drops_what_was_not_asked_again(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "Old?", "Kept?")
    server.will_say('{"answer": "new"}')

    with Cassette(path, "record") as cassette:
        await record(cassette, server, "Kept?")

    assert prompts_in(path) == ["Kept?"]
    assert (await replay(Cassette(path, "replay"), "Kept?"))[0].value == {"answer": "new"}


async def test_an_interrupted_recording_leaves_the_old_file(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "Old?")
    old = text_in(path)

    server.will_say('{"answer": "new"}')
    server.will_fail(400)
    with pytest.raises(ModelUnavailable), Cassette(path, "record") as cassette:
        await record(cassette, server, "New?", "Refused?")
    killed = Cassette(path, "record")
    await record(killed, server, "New?")

    assert cassette.recordings == killed.recordings == 1
    assert text_in(path) == old


async def test_a_recording_without_a_single_answer_leaves_the_old_file(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "Old?")
    old = text_in(path)
    server.stop()

    with Cassette(path, "record") as cassette, pytest.raises(ModelUnavailable):
        await record(cassette, server, "New?")

    assert text_in(path) == old


@pytest.mark.parametrize(("status", "headers"), [(529, {}), (500, {}), (429, {"retry_after": "0"})])
async def test_a_failure_is_not_recorded(
    server: FakeAnthropic, path: Path, status: int, headers: dict[str, str]
) -> None:
    server.will_fail(status, **{"retry_after": "0", **headers})

    with Cassette(path, "record") as cassette:
        await record(cassette, server, "First?")

    assert cassette.recordings == 1
    assert (await replay(Cassette(path, "replay"), "First?"))[0].value == {"answer": "yes"}


async def test_an_unusable_answer_is_recorded_as_it_came(server: FakeAnthropic, path: Path) -> None:
    server.will_say('{"answer": "y', stop_reason="max_tokens")
    with Cassette(path, "record") as cassette, pytest.raises(AnswerUnusable):
        await record(cassette, server, "First?")

    with pytest.raises(AnswerUnusable, match="cut off"):
        await replay(Cassette(path, "replay"), "First?")


async def test_a_miss_shows_the_nearest_recording_and_asks_nobody(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "Is the sender an investor?", "What is the weather like today?")

    with pytest.raises(CassetteMiss) as missed:
        await replay(Cassette(path, "replay"), "Is the sender a customer?")

    assert str(missed.value) == (
        f"nothing recorded for this question in {path} (2 recordings); the nearest differs in messages[0].content: "
        "recorded “Is the sender an investor?”, asked “Is the sender a customer?”\nrecord anew with --llm record"
    )
    assert len(server.asked) == 2


async def test_a_miss_in_a_text_of_many_lines_shows_the_lines(server: FakeAnthropic, path: Path) -> None:
    page = "\n".join(f"line {number}" for number in range(40))
    with Cassette(path, "record") as cassette:
        await record(cassette, server, page)

    with pytest.raises(CassetteMiss) as missed:
        await replay(Cassette(path, "replay"), page.replace("line 20", "row 20"))

    assert "recorded (-), asked (+)\n    - line 20\n    + row 20\n" in str(missed.value)


async def test_a_miss_by_another_prompt_says_so_before_the_difference(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "Is it?")
    model = AnthropicModel(cassette=Cassette(path, "replay"), clock=SystemClock())

    with pytest.raises(CassetteMiss) as missed:
        await model.ask(replace(QUESTION, prompt="Is it so?", prompt_version=2))
    await model.aclose()

    assert str(missed.value).startswith(
        "recorded for another prompt (decide v1, now v2): nothing recorded for this question in "
    )
    assert "the nearest differs in messages[0].content" in str(missed.value)
    assert missed.value.data["other_prompt"] == "recorded for another prompt (decide v1, now v2)"


async def test_a_purpose_that_was_never_recorded_has_no_other_prompt(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "Is it?")
    model = AnthropicModel(cassette=Cassette(path, "replay"), clock=SystemClock())

    with pytest.raises(CassetteMiss) as missed:
        await model.ask(replace(QUESTION, purpose="interpret", prompt="Is it so?", prompt_version=2))
    await model.aclose()

    assert str(missed.value).startswith("nothing recorded")


async def test_a_recording_from_before_prompts_had_versions_is_of_version_1(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "Is it?")
    old = json.loads(text_in(path))
    del old["recorded_from"]["prompts"], old["recorded_from"]["api"]
    write(path, old)
    cassette = Cassette(path, "replay")

    (answer,) = await replay(cassette, "Is it?")

    assert answer.replayed
    assert cassette.other_prompt("interpret", 1) == ""
    assert cassette.other_prompt("interpret", 3) == "recorded for another prompt (interpret v1, now v3)"


async def test_marks_for_the_providers_cache_are_no_part_of_the_question(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "Is it about money?")
    marked = json.loads(text_in(path))
    body = marked["interactions"][0]["request"]["body"]
    body["system"] = [{"type": "text", "text": body["system"], "cache_control": {"type": "ephemeral"}}]
    body["messages"][0]["content"] = [
        {"type": "text", "text": "Is it ", "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "about money?"},
    ]
    write(path, marked)

    (answer,) = await replay(Cassette(path, "replay"), "Is it about money?")
    with pytest.raises(CassetteMiss, match="content: recorded “Is it about money"):
        await replay(Cassette(path, "replay"), "Is it about rubles?")

    assert answer.value == {"answer": "yes"}


async def test_another_model_is_another_question(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "First?")

    with pytest.raises(CassetteMiss, match="model: recorded “small-model”, asked “large-model”"):
        await replay(Cassette(path, "replay"), "First?", model="large-model")


async def test_another_endpoint_is_another_question(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "First?")

    with pytest.raises(CassetteMiss, match="the nearest differs in its address"):
        await replay(Cassette(path, "replay"), "First?", base_url="http://127.0.0.1:1")


async def test_a_cassette_that_is_not_there_says_so_at_the_first_question(path: Path) -> None:
    cassette = Cassette(path, "replay")

    with pytest.raises(CassetteMiss, match=r"ordinary_day\.json is not there; record it with --llm record"):
        await replay(cassette, "First?")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 1, "interactions": []}', '{"recorded_from": 3}'])
def test_a_file_that_is_no_cassette_is_refused(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)

    with pytest.raises(UsageError, match="not a cassette"):
        Cassette(path, "replay")


async def test_other_http_clients_are_neither_recorded_nor_blocked(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "First?")
        during_recording = await asyncio.to_thread(lambda: requests.get(server.url, timeout=5).json())
    cassette = Cassette(path, "replay")
    model = AnthropicModel(cassette=cassette, clock=SystemClock())

    await model.ask(replace(QUESTION, prompt="First?"))
    during_replay = await asyncio.to_thread(lambda: requests.get(server.url, timeout=5).json())
    await model.aclose()

    assert during_recording == during_replay == {"hello": "world"}
    assert cassette.recordings == 1


async def test_many_replays_keep_nothing(server: FakeAnthropic, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await record(cassette, server, "First?")
    cassette = Cassette(path, "replay")
    await replay(cassette, *["First?"] * 50)
    gc.collect()
    before = len(gc.get_objects())

    for _ in range(4):
        await replay(cassette, *["First?"] * 50)

    gc.collect()
    assert len(gc.get_objects()) - before < 150


async def test_a_session_loads_each_file_once_and_writes_all_of_them(server: FakeAnthropic, tmp_path: Path) -> None:
    session = Cassettes("record", served_by="a fake")
    await record(session.at(tmp_path / "one.json"), server, "First?")
    await record(session.at(tmp_path / "two.json"), server, "Second?")
    same = session.at(tmp_path / "one.json") is session.at(tmp_path / "one.json")

    session.close()

    assert same
    assert prompts_in(tmp_path / "one.json") == ["First?"]
    assert prompts_in(tmp_path / "two.json") == ["Second?"]
