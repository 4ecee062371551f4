"""What a model says is acted on only if it says it each time it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from sopbench.events.types import ActionStarted, DecisionMade, ModelAsked, RunFinished, VariableSet
from sopbench.sop.closed import closed_fields
from sopbench.sop.document import Sop
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.model import Answer, FakeModel
from sopbench.testing.running import Ran, run_sop

from .procedures import node, one_task, procedure

MAIL = "We would like to join your round."
CHOICES = {"wants_in": {"means": "wants to invest", "then": "yes"}, "else": {"means": "else", "then": "no"}}
NOTE = {
    "type": "object",
    "properties": {
        "firm": {"type": "string"},
        "summary": {"type": "string"},
        "stage": {"type": "string", "enum": ["in", "out"]},
        "sums": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["firm", "summary", "stage", "sums"],
    "additionalProperties": False,
}
SAID = {"firm": "Lumen Capital", "summary": "Wants in.", "stage": "in", "sums": [5, 6]}


def deciding(**more: Any) -> Sop:
    question = {"ask": "What does it want?", "about": "{{ mail }}", "choices": CHOICES}
    nodes = [node("d", "decision", criteria={"question": question}, **more), node("file"), node("leave")]
    flow = "d yes> file, d no> leave"
    return procedure(nodes, flow, variables={"mail": MAIL})


async def noted(*answers: Answer, same: Sequence[str] = ()) -> Ran:
    actions: list[dict[str, Any]] = [
        {
            "do": "interpret", "into": "note", "about": MAIL, "instructions": "What does it say?",
            "answer": NOTE, "same": list(same),
        },
        {"do": "press", "key": "Enter"},
    ]  # fmt: skip
    model = FakeModel({"interpret": answers})
    return await run_sop(one_task(*actions), FakeBrowser(), model=model, limits={"answers": 2})


async def decided(*answers: Answer, times: int = 2, sop: Sop | None = None) -> Ran:
    return await run_sop(sop or deciding(), model=FakeModel({"decide": answers}), limits={"answers": times})


async def test_a_branch_is_taken_when_the_same_is_said_each_time() -> None:
    ran = await decided("wants_in", "wants_in", "wants_in", times=3)

    assert ran.nodes == ["d", "file"]
    assert len(ran.of(ModelAsked)) == 3
    assert len(ran.of(DecisionMade)) == 1


@pytest.mark.parametrize("on_unsure", ["no", "ask"])
async def test_no_branch_is_taken_by_a_model_that_contradicts_itself(on_unsure: str) -> None:
    ran = await decided("wants_in", "else", sop=deciding(on_unsure=on_unsure))

    [end] = ran.of(RunFinished)
    assert ran.nodes == ["d"]
    assert (end.status, end.cause) == ("failed", "model")
    assert "asked the same once more, the model said 'else' after 'wants_in' (choice)" in end.reason


async def test_unsure_once_is_a_contradiction_too() -> None:
    ran = await decided("unsure", "wants_in")

    assert ran.nodes == ["d"]


async def test_the_simpler_question_is_held_to_it_as_well() -> None:
    unfounded = {"choice": "wants_in", "confidence": "high", "piece": 1, "quote": "words that stand nowhere"}
    model = FakeModel({"decide": [unfounded, unfounded], "decide_simply": ["wants_in", "else"]})

    ran = await run_sop(deciding(), model=model, limits={"answers": 2})

    assert ran.nodes == ["d"]
    assert "'else' after 'wants_in'" in ran.of(RunFinished)[0].reason


async def test_by_default_a_question_is_asked_once() -> None:
    ran = await decided("wants_in", times=1)

    assert ran.nodes == ["d", "file"]


async def test_of_what_is_read_the_first_answer_counts_and_its_wording_may_differ() -> None:
    ran = await noted(SAID, SAID | {"summary": "The sender wants in.", "firm": "Lumen"})

    assert [each.value for each in ran.of(VariableSet) if each.name == "note"] == [SAID]


@pytest.mark.parametrize("other", [{"stage": "out"}, {"sums": [5, 7]}])
async def test_nothing_is_done_with_what_was_read_when_choices_or_numbers_differ(other: dict[str, Any]) -> None:
    ran = await noted(SAID, SAID | other)

    assert ran.of(RunFinished)[0].cause == "model"
    assert "press" not in [each.do for each in ran.of(ActionStarted)]


async def test_free_text_that_is_called_the_same_must_be() -> None:
    spaced = await noted(SAID, SAID | {"firm": " Lumen  Capital"}, same=["firm"])
    other = await noted(SAID, SAID | {"firm": "Dana Weiss"}, same=["firm"])

    assert spaced.of(RunFinished)[0].status == "completed"
    assert "'Dana Weiss' after 'Lumen Capital' (firm)" in other.of(RunFinished)[0].reason


@pytest.mark.parametrize(
    ("schema", "is_closed"),
    [
        ({"enum": ["a", "b"]}, True),
        ({"const": 1}, True),
        ({"type": "boolean"}, True),
        ({"type": ["integer", "null"]}, True),
        ({"type": "array", "items": {"type": "number"}}, True),
        ({"type": "array", "items": {"type": "string"}}, False),
        ({"type": "array"}, False),
        ({"type": ["string", "null"]}, False),
        ({"type": "object"}, False),
        ({}, False),
        (True, False),
    ],
)
def test_closed_is_what_leaves_nothing_to_be_worded(schema: Any, is_closed: bool) -> None:
    assert closed_fields({"properties": {"field": schema}}) == (("field",) if is_closed else ())
