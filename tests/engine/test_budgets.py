"""Budgets: the call that would go past one is not made, and the run says what is left to do."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.engine.budgets import Account, CircuitBreaker, Spent, require_left
from sopbench.errors import AnswerUnusable, CassetteMiss, LimitReached, ModelUnavailable
from sopbench.events.types import ModelAsked, ModelFailed, RunFinished
from sopbench.sop.document import Limits, Sop
from sopbench.sop.nodes import TaskNode
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.model import Answer, FakeModel
from sopbench.testing.running import run_sop

from .procedures import asking, loop, node, procedure

Json = dict[str, Any]


def deciding(items: int, **more: Any) -> Sop:
    """Ask the model once for each of so many items."""
    each = loop("each", "d", items=str(list(range(items))), **{"on_item_error": "continue", **more})
    return procedure([each, asking("d")], "d no> each, d yes> each", variables={"mail": "x"})


def answering(answer: Answer = "no", **more: Any) -> FakeModel:
    return FakeModel(lambda _: answer, **more)


async def tokens_of_one_call() -> int:
    ran = await run_sop(deciding(1), model=answering())
    [answered] = [event for event in ran.events if event.type == "model_answered"]
    return answered.input_tokens + answered.output_tokens  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize(("tokens", "calls"), [(0, 0), (1, 1), ("one", 1), ("one and one", 2)])
async def test_tokens_are_limited(tokens: int | str, calls: int) -> None:
    one = await tokens_of_one_call()
    limit = tokens if isinstance(tokens, int) else one if tokens == "one" else one + 1
    model = answering()

    ran = await run_sop(deciding(5), model=model, limits={"tokens": limit})

    assert len(model.requests) == calls
    assert (ran.result.status, ran.result.cause) == ("failed", "limit")
    assert ran.result.reason == (
        f"{limit} tokens are used up; left to do: step 'd' and what follows it, {5 - calls} of 5 items of loop 'each'"
    )


@pytest.mark.parametrize("replayed", [True, False])
async def test_money_is_limited_in_a_replay_as_it_was_in_the_run(replayed: bool) -> None:
    model = answering(cost_usd=0.04, replayed=replayed)

    ran = await run_sop(deciding(5), model=model, limits={"cost_usd": 0.1})

    assert len(model.requests) == 3
    assert ran.result.reason.startswith("0.1 US dollars are used up; left to do: ")


async def test_a_call_of_unknown_price_costs_nothing_here() -> None:
    ran = await run_sop(deciding(5), model=answering(cost_usd=None), limits={"cost_usd": 0.000001})

    assert ran.result.completed


@pytest.mark.parametrize(
    ("budget", "says"),
    [
        ({"model_calls": 3}, "3 model calls"),
        ({"cost_usd": 0.1}, "0.1 US dollars"),
    ],
)
async def test_a_loop_has_a_budget_for_all_that_is_inside_it(budget: Json, says: str) -> None:
    model = answering(cost_usd=0.04)

    ran = await run_sop(deciding(5, budget=budget), model=model)

    assert len(model.requests) == 3
    assert ran.result.reason == (
        f"{says} are used up, the budget of step 'each'; "
        "left to do: step 'd' and what follows it, 2 of 5 items of loop 'each'"
    )


async def test_the_budget_of_a_step_is_new_at_each_visit() -> None:
    sop = procedure(
        [loop("each", "d", items="[1, 2, 3]"), asking("d", budget={"model_calls": 1})],
        "d no> each, d yes> each",
        variables={"mail": "x"},
    )

    ran = await run_sop(sop, model=answering())

    assert ran.result.completed


async def test_a_step_without_a_budget_to_ask_does_not_ask() -> None:
    sop = procedure([asking("d", budget={"model_calls": 0}), node("x")], "d no> x", variables={"mail": "x"})
    model = answering()

    ran = await run_sop(sop, model=model)

    assert model.requests == []
    assert ran.result.reason.startswith("0 model calls are used up, the budget of step 'd'; left to do: step 'd'")


async def test_the_items_left_of_loops_within_loops_are_counted_for_each() -> None:
    inner = loop("inner", "d", items="[1, 2, 3]")
    sop = procedure(
        [loop("outer", "inner", items="[1, 2]"), inner, asking("d")],
        "d no> inner, d yes> inner, inner all_processed> outer",
        variables={"mail": "x"},
    )

    ran = await run_sop(sop, model=answering(), limits={"model_calls": 4})

    assert ran.result.reason == (
        "4 model calls are used up; left to do: step 'd' and what follows it, "
        "2 of 3 items of loop 'inner', 1 of 2 items of loop 'outer'"
    )


def test_tool_calls_are_limited_in_the_run_and_in_a_node() -> None:
    account = Account(
        TaskNode.model_validate(node("work", budget={"tool_calls": 2})), before=Spent(tool_calls=7, model_calls=9)
    )
    limits = Limits(tool_calls=10)

    require_left(("tool_calls",), Spent(tool_calls=8), limits, [account])

    with pytest.raises(LimitReached, match="2 tool calls are used up, the budget of step 'work'"):
        require_left(("tool_calls",), Spent(tool_calls=9), limits, [account])
    with pytest.raises(LimitReached, match=r"^10 tool calls are used up$"):
        require_left(("tool_calls",), Spent(tool_calls=10), limits, [])
    assert Limits().tool_calls == 100


OUT_OF_REACH = ModelUnavailable("out of reach")


async def test_a_model_that_fails_again_and_again_is_not_asked_any_more() -> None:
    model = answering(OUT_OF_REACH)

    ran = await run_sop(deciding(10), model=model, limits={"model_failures": 3})

    assert len(model.requests) == len(ran.of(ModelAsked)) == len(ran.of(ModelFailed)) == 3
    assert (ran.result.status, ran.result.cause) == ("failed", "model")
    assert "each[9]: the model failed 3 times in a row and is not asked again in this run" in ran.result.reason
    assert isinstance(ran.events[-1], RunFinished)


@pytest.mark.parametrize("between", ["no", AnswerUnusable("not JSON")], ids=str)
async def test_an_answer_between_failures_begins_the_count_anew(between: Answer) -> None:
    heard = [between, between] if isinstance(between, AnswerUnusable) else [between]  # asked again if unread
    answers: list[Answer] = [OUT_OF_REACH, OUT_OF_REACH, *heard] * 2
    model = FakeModel({"decide": answers, "decide_simply": heard * 2})

    await run_sop(deciding(6), model=model, limits={"model_failures": 3})

    assert [request.purpose for request in model.requests].count("decide") == len(answers)


async def test_each_run_has_a_breaker_of_its_own() -> None:
    model = answering(OUT_OF_REACH)

    for _ in range(2):
        await run_sop(deciding(4), model=model, limits={"model_failures": 2})

    assert len(model.requests) == 4


async def test_a_cassette_miss_is_no_failure_of_the_endpoint() -> None:
    ran = await run_sop(
        deciding(4), FakeBrowser(), model=answering(CassetteMiss("nothing")), limits={"model_failures": 1}
    )

    assert ran.result.reason == "nothing"


def test_a_breaker_counts_each_thing_by_itself() -> None:
    breaker = CircuitBreaker(1)

    breaker.failed("the model")

    breaker.require_closed("tool search")
    with pytest.raises(ModelUnavailable):
        breaker.require_closed("the model")
