"""Decisions by a model or an operator, and approval: branches are taken on evidence only."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.errors import AnswerUnusable, CassetteMiss, ModelUnavailable, OperatorStopped, SopbenchError
from sopbench.events.types import DecisionMade, ModelFailed, OperatorAnswered, StepFinished
from sopbench.ports.operator import OperatorQuestion
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.clock import FakeClock
from sopbench.testing.model import Answer, FakeModel
from sopbench.testing.operator import FakeOperator
from sopbench.testing.page import Element
from sopbench.testing.running import run_sop

from .procedures import asking, click, decision, loop, node, one_task, procedure

YES_NO = "d yes> pay, d no> leave"
NOBODY = OperatorStopped("nobody is there")


def deciding(**more: Any) -> Any:
    return procedure([asking("d", **more), node("pay"), node("leave")], YES_NO, variables={"mail": "Hello"})


async def test_a_check_that_holds_spares_the_model() -> None:
    sop = procedure([asking("d"), node("pay")], "d yes> pay", variables={"mail": "x"})
    criteria = sop.public.nodes[0].model_dump(by_alias=True)["criteria"]
    criteria["checks"] = [{"if": {"that": "true"}, "then": "yes"}]
    both = procedure([node("d", "decision", criteria=criteria), node("pay")], "d yes> pay", variables={"mail": "x"})

    ran = await run_sop(both, model=FakeModel())

    assert ran.nodes == ["d", "pay"]


NO_EVIDENCE: list[Answer] = ["unsure", AnswerUnusable("not JSON"), "perhaps", {"quote": "Hello"}]
NO_EVIDENCE_IDS = ["unsure", "unusable", "no such choice", "no choice"]


def no_answer(answer: Answer) -> FakeModel:
    """A model that has nothing better to say when it is asked once more, and then simply."""
    return FakeModel({"decide": [answer, answer], "decide_simply": ["unsure"]})


@pytest.mark.parametrize("answer", NO_EVIDENCE, ids=NO_EVIDENCE_IDS)
async def test_unsure_means_no(answer: Answer) -> None:
    ran = await run_sop(deciding(), model=no_answer(answer))

    assert ran.nodes == ["d", "leave"]
    assert [(made.branch, made.by) for made in ran.of(DecisionMade)] == [("no", "unsure")]


@pytest.mark.parametrize("answer", NO_EVIDENCE, ids=NO_EVIDENCE_IDS)
async def test_unsure_asks_the_operator_where_the_document_says_so(answer: Answer) -> None:
    operator = FakeOperator(["yes"])

    ran = await run_sop(deciding(on_unsure="ask"), model=no_answer(answer), operator=operator)

    assert ran.nodes == ["d", "pay"]
    assert [(made.branch, made.by) for made in ran.of(DecisionMade)] == [("yes", "operator")]
    assert operator.questions[0].options == ("yes", "no")
    assert [step.tier for step in ran.of(StepFinished)] == ["assisted", "exact"]


@pytest.mark.parametrize("answer", NO_EVIDENCE, ids=NO_EVIDENCE_IDS)
async def test_unsure_stops_where_the_document_says_so(answer: Answer) -> None:
    ran = await run_sop(deciding(on_unsure="stop"), model=no_answer(answer))

    assert ran.nodes == ["d"]
    assert ran.result.status == "stopped"
    assert ran.result.cause == "operator"
    assert ran.result.reason.startswith("cannot decide 'd': ")


async def test_a_decision_without_criteria_is_unsure() -> None:
    sop = procedure([node("d", "decision"), node("pay"), node("leave")], YES_NO)

    ran = await run_sop(sop)

    assert ran.nodes == ["d", "leave"]


@pytest.mark.parametrize("error", [ModelUnavailable("overloaded"), CassetteMiss("nothing recorded")])
async def test_a_model_out_of_reach_is_no_answer_and_fails_the_run(error: SopbenchError) -> None:
    ran = await run_sop(deciding(), model=FakeModel({"decide": [error]}))

    assert ran.nodes == ["d"]
    assert (ran.result.status, ran.result.cause, ran.result.reason) == ("failed", "model", str(error))
    assert [failed.error for failed in ran.of(ModelFailed)] == [type(error).__name__]


async def test_a_cassette_miss_is_not_passed_over_as_a_failed_item() -> None:
    sop = procedure(
        [loop("each", "d", items="[1, 2]", on_item_error="continue"), asking("d")],
        "d yes> each, d no> each",
        variables={"mail": "x"},
    )

    ran = await run_sop(sop, model=FakeModel({"decide": [CassetteMiss("nothing recorded")]}))

    assert ran.nodes == ["each", "d"]
    assert ran.result.reason == "nothing recorded"


async def test_a_model_reads_into_a_variable() -> None:
    schema = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}
    sop = one_task(
        {"do": "interpret", "into": "read", "about": "{{ mail }}", "instructions": "The sum?", "answer": schema},
        variables={"mail": "It is 5."},
    )

    ran = await run_sop(sop, model=FakeModel({"interpret": [{"sum": 5}]}))

    assert ran.result.variables["read"] == {"sum": 5}


@pytest.mark.parametrize("sop_nodes", [[node("work", approval="ask")], [node("work", children=["x"], approval="ask"),
                         node("x")], [loop("work", "x", items="[1]", approval="ask"), node("x")]],
                         ids=["task", "compound", "loop"])  # fmt: skip
@pytest.mark.parametrize("answer", ["approve", "reject", NOBODY], ids=str)
async def test_what_needs_approval_is_done_only_with_it(sop_nodes: list[dict[str, Any]], answer: Any) -> None:
    does = {sop_nodes[-1]["id"]: [click()]}
    browser = FakeBrowser([Element(role="button", name="Save")])

    ran = await run_sop(procedure(sop_nodes, does=does), browser, operator=FakeOperator([answer]))

    approved = answer == "approve"
    assert len(browser.performed) == (1 if approved else 0)
    assert ran.result.status == ("completed" if approved else "stopped")
    assert [event.answer for event in ran.of(OperatorAnswered)] == ([] if answer is NOBODY else [answer])
    assert len([event for event in ran.events if event.type == "step_failed"]) == (0 if approved else 1)


@pytest.mark.parametrize("answer", ["", "Approve", "yes", "approve "])
async def test_an_answer_that_is_not_the_word_itself_approves_nothing(answer: str) -> None:
    class Careless:
        name = "careless"

        def would_answer(self, _: OperatorQuestion) -> bool:
            return True

        async def answer(self, _: OperatorQuestion) -> str:
            return answer

    browser = FakeBrowser([Element(role="button", name="Save")])

    ran = await run_sop(one_task(click(), approval="ask"), browser, operator=Careless())

    assert browser.performed == []
    assert ran.result.reason == "the operator rejected step 'work'"


SIGN_IN = {"visible": {"role": "button", "name": "Sign in"}}
SEARCH = {"visible": {"role": "textbox", "name": "Search"}}


@pytest.mark.parametrize(("shows", "branch"), [("Search", "yes"), ("Sign in", "no")])
async def test_a_page_that_shows_nothing_yet_is_looked_at_again(shows: str, branch: str) -> None:
    search = Element(role="textbox", name="Search", visible=False)
    sign_in = Element(role="button", name="Sign in", visible=False)
    clock = FakeClock()
    clock.after(3, next(part for part in (search, sign_in) if part.name == shows).show)
    sop = procedure([decision("d", (SIGN_IN, "no"), (SEARCH, "yes")), node("pay"), node("leave")], YES_NO)

    ran = await run_sop(sop, FakeBrowser([search, sign_in]), clock=clock)

    [made] = ran.of(DecisionMade)
    assert (made.branch, made.by) == (branch, "check")
    assert 3 <= clock.monotonic() < 3.2


async def test_that_a_page_does_not_show_something_is_known_after_the_find_limit() -> None:
    clock = FakeClock()
    sop = procedure([decision("d", (SEARCH, "yes")), node("pay"), node("leave")], YES_NO)

    ran = await run_sop(sop, FakeBrowser(), clock=clock, limits={"find_s": 2})

    assert ran.nodes == ["d", "leave"]
    assert 2 <= clock.monotonic() < 2.2


@pytest.mark.parametrize(
    "check",
    [{"that": "false"}, {**SEARCH, "timeout_s": 0}],
    ids=["an expression", "a page of which it is said to look once"],
)
async def test_what_cannot_change_is_looked_at_once(check: dict[str, Any]) -> None:
    clock = FakeClock()
    sop = procedure([decision("d", (check, "yes")), node("pay"), node("leave")], YES_NO)

    ran = await run_sop(sop, FakeBrowser(), clock=clock)

    assert ran.nodes == ["d", "leave"]
    assert clock.slept == []


async def test_a_question_is_asked_without_waiting_for_checks() -> None:
    sop = procedure([asking("d"), node("pay")], "d yes> pay", variables={"mail": "x"})
    criteria = sop.public.nodes[0].model_dump(by_alias=True)["criteria"]
    criteria["checks"] = [{"if": SEARCH, "then": "no"}]
    both = procedure([node("d", "decision", criteria=criteria), node("pay")], "d yes> pay", variables={"mail": "x"})
    clock = FakeClock()

    ran = await run_sop(both, model=FakeModel({"decide": ["yes"]}), clock=clock)

    assert ran.nodes == ["d", "pay"]
    assert clock.slept == []
