"""The OpenAI-compatible adapter against a server that can be told to misbehave."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sopbench.adapters.openai_llm import DEFAULT_ENDPOINT, OpenAIModel, wire_body
from sopbench.adapters.openai_prices import cost_usd
from sopbench.adapters.vcr_cassettes import Cassette
from sopbench.errors import AnswerUnusable, CassetteMiss, MissingSecret, ModelUnavailable
from sopbench.ports.llm import ModelAnswer

from .fake_openai import FakeOpenAI, completion
from .questions import QUESTION, PatientClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

CLOSED = {**QUESTION.schema, "additionalProperties": False}


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    server = FakeOpenAI()
    yield server
    server.stop()


@pytest.fixture
def clock() -> PatientClock:
    return PatientClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cassettes" / "ordinary_day.json"


@pytest.fixture
async def model(server: FakeOpenAI, clock: PatientClock) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel(model="small-model", base_url=server.url, clock=clock)
    model.prepare()
    yield model
    await model.aclose()


def text_in(path: Path) -> str:
    return path.read_text("utf-8")


async def ask(cassette: Cassette, *prompts: str, **options: Any) -> list[ModelAnswer]:
    model = OpenAIModel(cassette=cassette, clock=PatientClock(), **options)
    try:
        return [await model.ask(replace(QUESTION, prompt=prompt)) for prompt in prompts]
    finally:
        await model.aclose()


async def test_an_answer_that_fits_comes_back_with_its_tokens(server: FakeOpenAI, model: OpenAIModel) -> None:
    server.will_say('{"answer": "no"}')

    answer = await model.ask(QUESTION)

    assert answer == ModelAnswer(
        value={"answer": "no"},
        model="small-model",
        input_tokens=120,
        output_tokens=7,
        cost_usd=None,
        replayed=False,
        cached_tokens=20,
        form="json_schema",
    )


async def test_the_question_goes_out_with_a_closed_schema(server: FakeOpenAI, model: OpenAIModel) -> None:
    await model.ask(QUESTION)

    (asked,) = server.asked
    assert asked == {
        "model": "small-model",
        "max_tokens": 100,
        "temperature": 0,
        "messages": [
            {"role": "system", "content": "You read mail."},
            {"role": "user", "content": "Is this about money?"},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "decide", "strict": True, "schema": CLOSED},
        },
    }


@pytest.mark.parametrize("status", [400, 422, 501])
async def test_an_endpoint_that_refuses_schemas_is_asked_for_a_json_object_from_then_on(
    server: FakeOpenAI, model: OpenAIModel, status: int
) -> None:
    server.will_refuse("json_schema", status)

    first, second = await model.ask(QUESTION), await model.ask(QUESTION)

    assert first.form == second.form == "json_object"
    assert [asked["response_format"]["type"] for asked in server.asked] == ["json_schema", "json_object", "json_object"]
    assert server.asked[1]["messages"][0]["content"].endswith(json.dumps(CLOSED))


async def test_an_endpoint_that_refuses_json_objects_too_is_asked_by_a_tool(
    server: FakeOpenAI, model: OpenAIModel
) -> None:
    server.will_refuse("json_schema")
    server.will_refuse("json_object")
    server.will_call_the_tool('{"answer": "no"}')

    answer = await model.ask(QUESTION)

    assert answer.value == {"answer": "no"}
    assert answer.form == "tool_call"
    assert server.asked[2]["tools"][0]["function"]["parameters"] == CLOSED
    assert "response_format" not in server.asked[2]


async def test_an_endpoint_that_refuses_every_form_is_of_no_use(server: FakeOpenAI, model: OpenAIModel) -> None:
    server.will_refuse("json_schema")
    server.will_refuse("json_object")
    server.will_fail(400, {"error": {"message": "tools are not supported"}})

    with pytest.raises(ModelUnavailable, match=r"answered 400: .*tools are not supported"):
        await model.ask(QUESTION)

    assert len(server.asked) == 3


@pytest.mark.parametrize("status", [400, 404, 429, 500, 503])
async def test_another_complaint_is_neither_repeated_nor_asked_in_another_form(
    server: FakeOpenAI, model: OpenAIModel, clock: PatientClock, status: int
) -> None:
    server.will_fail(status)

    with pytest.raises(ModelUnavailable, match=rf"small-model at .* answered {status}: .*no luck") as failed:
        await model.ask(QUESTION)

    assert failed.value.data == {"status": status}
    assert len(server.asked) == 1
    assert clock.waited == []


@pytest.mark.parametrize(
    ("text", "finish_reason", "complaint"),
    [
        ("", "content_filter", "refused to answer"),
        ('{"answer": "y', "length", "cut off at max_tokens: “{"),
        ("Sure! yes", "stop", "not JSON"),
        ('{"answer": "maybe"}', "stop", "at $.answer: “'maybe' is not one of ['yes', 'no']”"),
        ('["yes"]', "stop", "is not of type 'object'"),
    ],
)
async def test_an_answer_that_cannot_be_used_says_why(
    server: FakeOpenAI, model: OpenAIModel, text: str, finish_reason: str, complaint: str
) -> None:
    server.will_say(text, stop_reason=finish_reason)

    with pytest.raises(AnswerUnusable) as failed:
        await model.ask(QUESTION)

    assert complaint in str(failed.value)
    assert len(server.asked) == 1


async def test_a_refusal_is_quoted(server: FakeOpenAI, model: OpenAIModel) -> None:
    body = completion(None)
    body["choices"][0]["message"]["refusal"] = "I would rather not."
    server.will_fail(200, body)

    with pytest.raises(AnswerUnusable, match="refused to answer: “I would rather not"):
        await model.ask(QUESTION)


@pytest.mark.parametrize("body", [{}, [], b"<html>", {**completion("hi"), "choices": []}, {"choices": None}])
async def test_a_body_that_is_no_completion_is_unusable(server: FakeOpenAI, model: OpenAIModel, body: Any) -> None:
    server.will_fail(200, body)

    with pytest.raises(AnswerUnusable, match="not a completion"):
        await model.ask(QUESTION)


async def test_a_server_that_is_gone_is_out_of_reach_after_a_second_try(
    server: FakeOpenAI, model: OpenAIModel, clock: PatientClock
) -> None:
    server.stop()

    with pytest.raises(ModelUnavailable, match="out of reach"):
        await model.ask(QUESTION)

    assert clock.waited == [1.0]


async def test_an_answer_that_takes_too_long_is_given_up(server: FakeOpenAI, model: OpenAIModel) -> None:
    await model.ask(QUESTION)
    server.will_say('{"answer": "yes"}', delay_s=30)

    with pytest.raises(ModelUnavailable, match=r"no answer within 0\.2 s"):
        await model.ask(replace(QUESTION, timeout_s=0.2))


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_says_what_to_do(server: FakeOpenAI, model: OpenAIModel, status: int) -> None:
    server.will_fail(status)

    with pytest.raises(ModelUnavailable, match="set OPENAI_API_KEY, or --llm replay"):
        await model.ask(QUESTION)


async def test_a_missing_key_is_noticed_before_anything_is_sent() -> None:
    model = OpenAIModel(clock=PatientClock())

    with pytest.raises(MissingSecret, match="set OPENAI_API_KEY, or --llm replay"):
        model.prepare()
    with pytest.raises(ModelUnavailable, match="set OPENAI_API_KEY, or --llm replay"):
        await model.ask(QUESTION)

    assert model.endpoint == DEFAULT_ENDPOINT


async def test_what_was_recorded_is_replayed_with_the_server_gone_and_no_option_given(
    server: FakeOpenAI, path: Path
) -> None:
    server.will_say('{"answer": "no"}')
    with Cassette(path, "record") as cassette:
        recorded = await ask(
            cassette, "First?", "Second?", model="small-model", base_url=server.url, api_key="sk-secret"
        )
    server.stop()

    replayed = await ask(Cassette(path, "replay"), "Second?", "First?")

    assert server.headers[0]["authorization"] == "Bearer sk-secret"
    assert [replace(answer, replayed=False) for answer in replayed] == recorded[::-1]
    assert all(answer.replayed for answer in replayed)
    assert "secret" not in text_in(path)
    assert "uthorization" not in text_in(path)
    assert json.loads(text_in(path))["recorded_from"] | {"recorded": ""} == {
        "endpoint": server.url,
        "model": "small-model",
        "served_by": "127.0.0.1",
        "recorded": "",
        "api": "openai",
        "prompts": {"decide": 1},
    }


async def test_a_miss_asks_nobody_even_with_the_server_there(server: FakeOpenAI, path: Path) -> None:
    with Cassette(path, "record") as cassette:
        await ask(cassette, "First?", model="small-model", base_url=server.url)

    with pytest.raises(CassetteMiss, match=r"messages\[1\].content: recorded “First\?”, asked “Other\?”"):
        await ask(Cassette(path, "replay"), "Other?")

    assert len(server.asked) == 1


async def test_what_was_recorded_in_another_form_is_replayed_in_that_form(server: FakeOpenAI, path: Path) -> None:
    server.will_refuse("json_schema")
    with Cassette(path, "record") as cassette:
        await ask(cassette, "First?", model="small-model", base_url=server.url)
    server.stop()

    (answer,) = await ask(Cassette(path, "replay"), "First?")
    with pytest.raises(CassetteMiss, match=r"differs in messages\[1\].content: recorded “First\?”, asked “Other\?”\n"):
        await ask(Cassette(path, "replay"), "Other?")

    assert answer.form == "json_object"


def test_openais_own_endpoint_has_rules_of_its_own() -> None:
    schema = {
        "type": "object",
        "properties": {"why": {"type": "string", "maxLength": 80}, "amount": {"type": "number"}},
        "required": ["why"],
    }

    strict = wire_body(
        replace(QUESTION, schema={**schema, "required": ["why", "amount"]}), "json_schema", model="m", own=True
    )
    loose = wire_body(replace(QUESTION, schema=schema), "json_schema", model="m", own=True)

    asked = strict["response_format"]["json_schema"]
    assert asked["schema"]["properties"]["why"] == {"type": "string", "description": "{maxLength: 80}"}
    assert asked["strict"] is True
    assert loose["response_format"]["json_schema"]["strict"] is False
    assert strict["max_completion_tokens"] == 100
    assert not strict.keys() & {"max_tokens", "temperature"}


@pytest.mark.parametrize(
    ("model", "cached", "usd"),
    [("gpt-4o", 0, 0.0125), ("gpt-4o-2024-08-06", 0, 0.0125), ("gpt-4o", 1_000, 0.01125), ("gpt-5.4-mini", 0, 0.00525)],
)
def test_a_known_model_has_its_price(model: str, cached: int, usd: float) -> None:
    cost = cost_usd(model, input_tokens=1_000, output_tokens=1_000, cache_read_tokens=cached)

    assert cost == pytest.approx(usd)


@pytest.mark.parametrize(("model", "tokens"), [("qwen3", 1), ("gpt-5.4", 300_000)])
def test_what_has_no_known_price_has_none(model: str, tokens: int) -> None:
    assert cost_usd(model, input_tokens=tokens, output_tokens=1) is None
