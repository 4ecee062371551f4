"""Faults of the model stand between its client and what answers, also over a cassette."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from sopbench.adapters.anthropic_llm import AnthropicModel
from sopbench.adapters.openai_llm import OpenAIModel
from sopbench.adapters.vcr_cassettes import Cassette
from sopbench.errors import AnswerUnusable, CassetteMiss, ModelUnavailable
from sopbench.events.masking import Masker
from sopbench.faults.at_work import Disturbance
from sopbench.ports.llm import ModelRequest
from sopbench.testing.clock import FakeClock
from sopbench.trials.condition import PlannedFault
from sopbench.trials.fault import read_strikes

from .conftest import planned, started

SCHEMA = {
    "type": "object",
    "properties": {
        "purpose": {"type": "string", "enum": ["round", "invoice", "newsletter"]},
        "firm": {"type": "string"},
    },
    "required": ["purpose", "firm"],
    "additionalProperties": False,
}
TRUE = {"purpose": "round", "firm": "Copperline"}


def question(text: str = "Hanging Rock Ventures\nwrites about our round.") -> ModelRequest:
    return ModelRequest(purpose="decide", system="s", prompt=text, schema=SCHEMA, max_tokens=100, timeout_s=5)


class Endpoint(httpx2.AsyncBaseTransport):
    """Answers every question truly, in the interface it is asked by."""

    def __init__(self) -> None:
        self.asked = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked += 1
        said = json.dumps(TRUE)
        if "completions" in request.url.path:
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            body: dict[str, Any] = {"id": "c", "object": "chat.completion", "created": 0, "model": "m"}
            return httpx2.Response(200, json={**body, "choices": [choice], "usage": usage}, request=request)
        body = {"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
        rest = {"content": [{"type": "text", "text": said}], "stop_reason": "end_turn"}
        usage = {"input_tokens": 1, "output_tokens": 1}
        return httpx2.Response(200, json={**body, **rest, "usage": usage}, request=request)


class Bench:
    """A model with faults behind it, and a true endpoint behind them."""

    def __init__(self, folder: Path, kind: type[AnthropicModel] | type[OpenAIModel], *faults: PlannedFault) -> None:
        self.folder = folder
        self.endpoint = Endpoint()
        self.disturbance = Disturbance(faults, seed=3)
        started(self.disturbance)
        self.disturbance.moment.action = 1
        self.clock = FakeClock()
        self.model = kind(
            base_url="http://127.0.0.1:1",
            clock=self.clock,
            behind=lambda _: self.disturbance.model_transport(self.endpoint),
        )

    async def ask(self, request: ModelRequest | None = None) -> dict[str, Any]:
        async with self.disturbance.at_work(self.folder, Masker()):
            self.disturbance.moment.running = True
            return (await self.model.ask(request or question())).value


KINDS = pytest.mark.parametrize("kind", [AnthropicModel, OpenAIModel])


@KINDS
async def test_without_a_fault_the_true_answer_comes(tmp_path: Path, kind: Any) -> None:
    assert await Bench(tmp_path, kind).ask() == TRUE


@pytest.mark.parametrize("status", [429, 500, 529])
@KINDS
async def test_an_endpoint_that_keeps_answering_with_an_error_is_unavailable(
    tmp_path: Path, kind: Any, status: int
) -> None:
    bench = Bench(tmp_path, kind, planned("model.status", status=status))

    with pytest.raises(ModelUnavailable, match=str(status)):
        await bench.ask()

    assert bench.endpoint.asked == 0
    assert read_strikes(tmp_path)[0].cause == "model"


async def test_an_overload_that_says_when_to_come_again_is_waited_for(tmp_path: Path) -> None:
    bench = Bench(tmp_path, AnthropicModel, planned("model.status", status=429, retry_after_s=2, when="once"))

    assert await bench.ask() == TRUE
    assert len(read_strikes(tmp_path)) == 1


async def test_no_answer_in_time_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="in time"):
        await Bench(tmp_path, AnthropicModel, planned("model.timeout")).ask()


@pytest.mark.parametrize("fault", ["truncated", "malformed", "empty", "refusal", "wrong_enum", "overloaded_late"])
@KINDS
async def test_an_answer_that_cannot_be_used_is_told_as_such(tmp_path: Path, kind: Any, fault: str) -> None:
    bench = Bench(tmp_path, kind, planned(f"model.{fault}"))

    with pytest.raises(AnswerUnusable):
        await bench.ask()

    assert len(read_strikes(tmp_path)) == 1


@KINDS
async def test_a_wrong_answer_is_well_formed_and_the_same_for_the_same_seed(tmp_path: Path, kind: Any) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()

    first = await Bench(tmp_path / "a", kind, planned("model.wrong")).ask()
    again = await Bench(tmp_path / "b", kind, planned("model.wrong")).ask()

    assert first == again
    assert first["purpose"] in {"invoice", "newsletter"}
    assert first["firm"] == TRUE["firm"]


async def test_one_bad_answer_does_not_spoil_the_next(tmp_path: Path) -> None:
    bench = Bench(tmp_path, AnthropicModel, planned("model.malformed", when="once"))

    with pytest.raises(AnswerUnusable):
        await bench.ask()

    assert await bench.ask() == TRUE


async def test_which_questions_are_struck_does_not_depend_on_their_order(tmp_path: Path) -> None:
    texts = [f"mail {number}" for number in range(12)]

    async def struck(order: list[str], folder: Path) -> set[str]:
        bench = Bench(folder, AnthropicModel, planned("model.wrong", when={"probability": 0.5}))
        return {text for text in order if await bench.ask(question(text)) != TRUE}

    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()

    first = await struck(texts, tmp_path / "a")

    assert first == await struck(texts[::-1], tmp_path / "b")
    assert 0 < len(first) < 12


async def test_a_recorded_answer_breaks_as_well_and_the_cassette_stays_true(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    shipped = Path(__file__).parents[2] / "scenarios" / "gmail_airtable" / "cassettes" / "short_day.json"
    file.write_bytes(shipped.read_bytes())
    cassette = Cassette(file, "replay")
    asked = cassette.questions[0]
    schema = asked["output_config"]["format"]["schema"]
    request = ModelRequest(
        purpose="decide",
        system=asked["system"],
        prompt=asked["messages"][0]["content"],
        schema=schema,
        max_tokens=asked["max_tokens"],
        timeout_s=5,
    )
    disturbance = Disturbance([planned("model.malformed", when="once")], seed=1)
    started(disturbance)
    disturbance.moment.action = 1
    model = AnthropicModel(cassette=cassette, clock=FakeClock(), behind=disturbance.model_transport)

    with pytest.raises(AnswerUnusable):
        await model.ask(request)
    answer = await model.ask(request)

    assert answer.replayed
    assert file.read_bytes() == shipped.read_bytes()


async def test_a_question_that_was_not_recorded_is_not_tried_twice(tmp_path: Path) -> None:
    disturbance = Disturbance([planned("model.malformed", when={"from_action": 99})], seed=1)
    clock = FakeClock()
    cassette = Cassette(tmp_path / "none.json", "replay")
    model = AnthropicModel(cassette=cassette, clock=clock, behind=disturbance.model_transport)

    with pytest.raises(CassetteMiss):
        await model.ask(question())
