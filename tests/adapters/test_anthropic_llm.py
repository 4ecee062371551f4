"""The model's adapter against a server that can be told to misbehave."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sopbench.adapters.anthropic_llm import DEFAULT_ENDPOINT, AnthropicModel, wire_schema, wire_texts
from sopbench.adapters.anthropic_prices import cost_usd
from sopbench.errors import AnswerUnusable, MissingSecret, ModelUnavailable

from .fake_anthropic import FakeAnthropic, message
from .questions import QUESTION, PatientClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


@pytest.fixture
def server() -> Iterator[FakeAnthropic]:
    server = FakeAnthropic()
    yield server
    server.stop()


@pytest.fixture
def clock() -> PatientClock:
    return PatientClock()


@pytest.fixture
async def model(server: FakeAnthropic, clock: PatientClock) -> AsyncIterator[AnthropicModel]:
    model = AnthropicModel(model="small-model", base_url=server.url, clock=clock)
    model.prepare()
    yield model
    await model.aclose()


async def test_an_answer_that_fits_comes_back_with_its_tokens(server: FakeAnthropic, model: AnthropicModel) -> None:
    server.will_say('{"answer": "no"}')

    answer = await model.ask(QUESTION)

    assert answer.value == {"answer": "no"}
    assert (answer.model, answer.input_tokens, answer.output_tokens) == ("small-model", 120, 7)
    assert answer.cost_usd is None
    assert not answer.replayed


async def test_the_question_goes_out_as_one_message_with_a_closed_schema(
    server: FakeAnthropic, model: AnthropicModel
) -> None:
    await model.ask(QUESTION)

    (asked,) = server.asked
    assert asked == {
        "model": "small-model",
        "max_tokens": 100,
        "system": "You read mail.",
        "messages": [{"role": "user", "content": "Is this about money?"}],
        "output_config": {
            "format": {"type": "json_schema", "schema": {**QUESTION.schema, "additionalProperties": False}}
        },
    }


@pytest.mark.parametrize(
    ("text", "stop_reason", "complaint"),
    [
        ("I would rather not.", "refusal", "refused to answer: “I would rather not.”"),
        ('{"answer": "y', "max_tokens", "cut off at max_tokens"),
        ("", "model_context_window_exceeded", "does not fit into the model's context window"),
        ("Sure! yes", "end_turn", "not JSON"),
        ('{"answer": "maybe"}', "end_turn", "at $.answer: “'maybe' is not one of ['yes', 'no']”"),
        ("{}", "end_turn", "'answer' is a required property"),
        ('["yes"]', "end_turn", "is not of type 'object'"),
    ],
)
async def test_an_answer_that_cannot_be_used_says_why(
    server: FakeAnthropic, model: AnthropicModel, text: str, stop_reason: str, complaint: str
) -> None:
    server.will_say(text, stop_reason=stop_reason)

    with pytest.raises(AnswerUnusable) as failed:
        await model.ask(QUESTION)

    assert complaint in str(failed.value)
    assert len(server.asked) == 1


async def test_a_long_answer_is_quoted_in_part(server: FakeAnthropic, model: AnthropicModel) -> None:
    server.will_say("x" * 5000)

    with pytest.raises(AnswerUnusable) as failed:
        await model.ask(QUESTION)

    assert "x" * 200 + "…" in str(failed.value)
    assert len(str(failed.value)) < 300


@pytest.mark.parametrize("body", [{}, [], b"<html>", {**message("hi"), "content": None}])
async def test_a_body_that_is_no_message_is_unusable(server: FakeAnthropic, model: AnthropicModel, body: Any) -> None:
    server.will_fail(200, body)

    with pytest.raises(AnswerUnusable, match="not a message"):
        await model.ask(QUESTION)


async def test_an_answer_must_be_an_object_even_where_the_schema_allows_more(
    server: FakeAnthropic, model: AnthropicModel
) -> None:
    server.will_say('"yes"')

    with pytest.raises(AnswerUnusable, match="not an object"):
        await model.ask(replace(QUESTION, schema={"type": ["object", "string"]}))


async def test_an_overloaded_server_gets_one_more_try(
    server: FakeAnthropic, model: AnthropicModel, clock: PatientClock
) -> None:
    server.will_fail(529)

    answer = await model.ask(QUESTION)

    assert answer.value == {"answer": "yes"}
    assert clock.waited == [1.0]


async def test_an_overload_that_lasts_is_given_up_after_the_second_try(
    server: FakeAnthropic, model: AnthropicModel
) -> None:
    server.will_fail(529)
    server.will_fail(529)

    with pytest.raises(ModelUnavailable, match=r"answered 529: .*no luck"):
        await model.ask(QUESTION)

    assert len(server.asked) == 2


async def test_a_rate_limit_is_waited_for_as_long_as_the_server_says(
    server: FakeAnthropic, model: AnthropicModel, clock: PatientClock
) -> None:
    server.will_fail(429, retry_after="7")

    await model.ask(QUESTION)

    assert clock.waited == [7.0]


@pytest.mark.parametrize("headers", [{}, {"retry_after": "11"}, {"retry_after": "-1"}, {"retry_after": "soon"}])
async def test_a_rate_limit_without_a_short_wait_is_not_hammered(
    server: FakeAnthropic, model: AnthropicModel, headers: dict[str, str]
) -> None:
    server.will_fail(429, **headers)

    with pytest.raises(ModelUnavailable, match="429"):
        await model.ask(QUESTION)

    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_says_what_to_do(server: FakeAnthropic, model: AnthropicModel, status: int) -> None:
    server.will_fail(status)

    with pytest.raises(ModelUnavailable, match="set ANTHROPIC_API_KEY, or --llm replay"):
        await model.ask(QUESTION)

    assert len(server.asked) == 1


async def test_a_missing_key_is_noticed_before_anything_is_sent() -> None:
    model = AnthropicModel(clock=PatientClock())

    with pytest.raises(MissingSecret, match="set ANTHROPIC_API_KEY, or --llm replay"):
        model.prepare()
    with pytest.raises(ModelUnavailable, match="set ANTHROPIC_API_KEY, or --llm replay"):
        await model.ask(QUESTION)

    assert model.endpoint == DEFAULT_ENDPOINT


async def test_what_comes_again_is_marked_for_the_providers_cache(
    server: FakeAnthropic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("NO_PROXY", "")
    body = message('{"answer": "no"}')
    body["usage"] |= {"cache_read_input_tokens": 1000, "cache_creation_input_tokens": 200}
    server.will_fail(200, body)
    model = AnthropicModel(
        model="claude-haiku-4-5", base_url="http://api.anthropic.com", api_key="k", clock=PatientClock()
    )

    answer = await model.ask(replace(QUESTION, stable_chars=len("Is this ")))
    await model.aclose()

    (asked,) = server.asked
    mark = {"cache_control": {"type": "ephemeral"}}
    assert asked["system"] == [{"type": "text", "text": "You read mail.", **mark}]
    assert asked["messages"][0]["content"] == [
        {"type": "text", "text": "Is this ", **mark},
        {"type": "text", "text": "about money?"},
    ]
    assert (answer.input_tokens, answer.cached_tokens) == (1320, 1000)
    assert answer.cost_usd == pytest.approx((120 + 1000 * 0.1 + 200 * 1.25 + 7 * 5) / 1_000_000)


def test_a_prompt_that_does_not_come_again_is_not_marked() -> None:
    asked = wire_texts(QUESTION, DEFAULT_ENDPOINT)

    assert asked["messages"] == [{"role": "user", "content": "Is this about money?"}]


async def test_a_bad_request_is_not_repeated(server: FakeAnthropic, model: AnthropicModel) -> None:
    server.will_fail(400)

    with pytest.raises(ModelUnavailable, match="answered 400"):
        await model.ask(QUESTION)

    assert len(server.asked) == 1


async def test_a_server_that_is_gone_is_out_of_reach_after_a_second_try(
    server: FakeAnthropic, model: AnthropicModel, clock: PatientClock
) -> None:
    server.stop()

    with pytest.raises(ModelUnavailable, match="out of reach"):
        await model.ask(QUESTION)

    assert clock.waited == [1.0]


async def test_an_answer_that_takes_too_long_is_given_up(server: FakeAnthropic, model: AnthropicModel) -> None:
    await model.ask(QUESTION)
    server.will_say('{"answer": "yes"}', delay_s=30)

    with pytest.raises(ModelUnavailable, match=r"no answer within 0\.2 s"):
        await model.ask(replace(QUESTION, timeout_s=0.2))


def test_limits_go_into_descriptions_for_the_api_and_stay_for_a_local_grammar() -> None:
    schema = {"type": "object", "properties": {"why": {"type": "string", "maxLength": 80}}, "required": ["why"]}

    remote = wire_schema(schema, DEFAULT_ENDPOINT)
    local = wire_schema(schema, "http://localhost:8080")

    assert remote["properties"]["why"] == {"type": "string", "description": "{maxLength: 80}"}
    assert local["properties"]["why"] == {"type": "string", "maxLength": 80}
    assert remote["additionalProperties"] is local["additionalProperties"] is False


def test_a_list_of_types_is_spelled_as_alternatives() -> None:
    schema = {"type": "object", "properties": {"amount": {"type": ["string", "null"], "description": "In EUR."}}}

    amount = wire_schema(schema, DEFAULT_ENDPOINT)["properties"]["amount"]

    assert amount == {"description": "In EUR.", "anyOf": [{"type": "string"}, {"type": "null"}]}


def test_a_schema_nobody_can_be_asked_for_is_unusable() -> None:
    with pytest.raises(AnswerUnusable, match="answer to this schema"):
        wire_schema({"type": "object", "properties": {"anything": {}}}, DEFAULT_ENDPOINT)


@pytest.mark.parametrize(
    ("model", "input_tokens", "usd"),
    [
        ("claude-haiku-5-5", 1_000, 0.0006),
        ("claude-haiku-5-5", 200_000, 0.1025),
        ("claude-haiku-4-5-20251001", 1_000, 0.006),
        ("claude-sonnet-5-5", 1_000, 0.012),
    ],
)
def test_a_known_model_has_its_price(model: str, input_tokens: int, usd: float) -> None:
    assert cost_usd(model, input_tokens=input_tokens, output_tokens=1_000) == pytest.approx(usd)


def test_an_unknown_model_has_no_price() -> None:
    assert cost_usd("qwen2.5-coder-1.5b", input_tokens=1, output_tokens=1) is None
