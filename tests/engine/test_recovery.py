"""Recovery: which tier follows which failure, and where there is none."""

from __future__ import annotations

import pytest

from sopbench.adapters.unattended_operator import UnattendedOperator
from sopbench.engine.context import Autonomy
from sopbench.errors import BrowserLost, StepError, TargetNotFound, ToolUnavailable
from sopbench.events.types import (
    ActionFailed,
    AlternativeTaken,
    ApprovalDecided,
    AttemptStarted,
    OperatorAsked,
    RunFinished,
    StepFailed,
    StepFinished,
    TargetHealed,
)
from sopbench.records.figures import figures
from sopbench.sop.document import Sop
from sopbench.sop.verbs.tools import Request
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.operator import FakeOperator
from sopbench.testing.page import Element
from sopbench.testing.running import run_sop
from sopbench.testing.tool import FakeTool
from sopbench.trials.verdict import Grade, Outcome, judge

from .procedures import Json, click, loop, put
from .saving_form import SAVE, SAVED, Form, page_or_api, skill, tiers, ways


async def test_what_fails_on_the_page_is_done_by_the_other_skill() -> None:
    tool = FakeTool([{"id": 7}])

    ran = await run_sop(page_or_api(), Form(offers=False).browser, tools=tool, operator=UnattendedOperator())

    assert ran.result.completed, ran.result.reason
    assert tiers(ran) == ["alternative"]
    [taken] = ran.of(AlternativeTaken)
    assert (taken.skill, taken.method, taken.instead_of) == ("api", "api", "page")
    assert taken.why.startswith("no element fits button 'Save'")
    [request] = tool.called
    assert isinstance(request, Request)
    assert request.json_ == {"name": "Ada"}
    assert ran.result.variables["made"] == {"id": 7}


async def test_an_alternative_is_a_recovered_pass_with_its_cause() -> None:
    ran = await run_sop(page_or_api(), Form(offers=False).browser, tools=FakeTool([{"id": 7}]))

    judged = judge(figures(ran.events), Outcome())

    assert (judged.grade, judged.cause) == (Grade.RECOVERED, "target")


@pytest.mark.parametrize("autonomy", list(Autonomy))
async def test_an_alternative_needs_no_autonomy_and_comes_after_the_attempts(autonomy: Autonomy) -> None:
    form = Form(offers=False)
    form.other.hide()

    ran = await run_sop(page_or_api(), form.browser, tools=FakeTool([{"id": 7}]), autonomy=autonomy)

    assert ran.result.completed
    kinds = [
        event.type for event in ran.events if event.type in ("action_failed", "attempt_started", "alternative_taken")
    ]
    assert kinds == ["action_failed", "attempt_started", "action_failed", "alternative_taken"]


async def test_a_step_that_works_takes_no_notice_of_its_alternatives() -> None:
    tool = FakeTool()

    ran = await run_sop(page_or_api(), Form().browser, tools=tool)

    assert tiers(ran) == ["exact"]
    assert tool.called == []
    assert [event.type for event in ran.events] == [
        "run_started", "step_started", "approval_decided", "action_started", "action_finished", "step_finished",
        "run_finished",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("page", "error", "says"),
    [
        ((SAVE,), StepError("odd", performed=None), "may have been done"),
        ((SAVE,), StepError("odd", performed=True), "was done"),
        ((click("Keep"), click("Gone", effect="idempotent")), None, "was done"),
    ],
)
async def test_after_what_cannot_be_undone_no_other_skill_is_tried(
    page: tuple[Json, ...], error: StepError | None, says: str
) -> None:
    form = Form()
    if error is not None:
        form.browser.fail_next(error, do="click", times=2)
    tool = FakeTool()

    ran = await run_sop(page_or_api(*page), form.browser, tools=tool, autonomy=Autonomy.DETERMINISTIC)

    assert tool.called == []
    assert ran.of(AlternativeTaken) == []
    assert f"no other skill was tried: 'click button '{page[0]['target']['name']}'' cannot be undone, and {says}" in (
        ran.result.reason
    )


async def test_an_irreversible_action_that_was_skipped_does_not_stand_in_the_way() -> None:
    page = (click("Keep", when="false"), SAVE)

    ran = await run_sop(page_or_api(*page), Form(offers=False).browser, tools=FakeTool([{"id": 7}]))

    assert tiers(ran) == ["alternative"]


async def test_an_irreversible_attempt_is_remembered_when_a_later_one_surely_did_nothing() -> None:
    form = Form(offers=True)
    form.save.on_click = form.save.hide
    page = click("Save", expect=[SAVED], undone=[{"hidden": {"role": "status"}}])

    ran = await run_sop(page_or_api(page), form.browser, tools=FakeTool(), autonomy=Autonomy.DETERMINISTIC)

    assert [event.performed for event in ran.of(ActionFailed)] == [True, False]
    assert "no other skill was tried" in ran.result.reason


@pytest.mark.parametrize(
    ("recorded", "is_it"),
    [
        ({"role": "link", "name": "Keep", "container": ["form 'Ada'"]}, True),
        ({"role": "button", "name": "Keep it", "id": "keep"}, True),
        ({"role": "button", "name": "Retain"}, False),
    ],
    ids=["its words", "its key", "the operator's guess"],
)
async def test_an_element_that_may_be_another_leaves_no_other_way(recorded: Json, is_it: bool) -> None:
    form = Form(offers=False)
    form.other.attributes["id"] = "keep"
    form.other.on_click = lambda: form.clicked.append("Keep")
    form.browser = FakeBrowser([Element(role="form", name="Ada", children=[form.other, form.name]), form.status])
    target = {"role": recorded["role"], "name": recorded["name"], "fingerprint": recorded}
    page = {"do": "click", "target": target, "effect": "idempotent", "expect": [SAVED]}
    tool = FakeTool([{"id": 7}])

    ran = await run_sop(page_or_api(page), form.browser, tools=tool, operator=FakeOperator(["0", "stop"]))

    assert form.clicked == ["Keep"]
    assert len(ran.of(TargetHealed)) == 1
    assert len(tool.called) == is_it
    assert ("was done to an element that was not the one" in ran.result.reason) is not is_it


async def test_variables_of_the_skill_that_failed_do_not_reach_the_next_one() -> None:
    page = (put("half", "'page'"), put("name", "'Bob'"), SAVE)
    sees = put("seen", "[name, half is defined]")

    ran = await run_sop(ways(skill("page", *page), skill("plain", sees)), Form(offers=False).browser)

    assert ran.result.variables == {"name": "Ada", "seen": ["Ada", False]}
    assert ran.of(AlternativeTaken)[0].dropped == ("half", "name")


async def test_variables_around_an_item_stay_as_they_are() -> None:
    page = (put("half", "'page'"), SAVE)
    sop = ways(
        skill("page", *page), skill("plain", put("seen", "[item, half is defined]")),
        nodes=(loop("each", "work", items="[1, 2]"),), variables_out={"seen": {"enum": [[1, False], [2, False]]}},
    )  # fmt: skip

    ran = await run_sop(sop, Form(offers=False).browser)

    assert ran.result.completed, ran.result.reason
    assert tiers(ran) == ["alternative", "alternative"]


async def test_each_skill_has_all_its_attempts() -> None:
    refused = ToolUnavailable("refused", performed=False)
    tool = FakeTool([refused, {"id": 7}])
    sop = page_or_api(retry={"max_attempts": 2, "backoff_s": [3]})
    form = Form(offers=False)

    ran = await run_sop(sop, form.browser, tools=tool)

    assert [(event.attempt, event.waited_s) for event in ran.of(AttemptStarted)] == [(2, 3), (3, 3)]
    assert [(event.tier, event.attempts) for event in ran.of(StepFinished)] == [("alternative", 3)]


async def test_alternatives_are_taken_in_their_order_and_the_end_tells_of_all() -> None:
    sop = ways(skill("a", click("One")), skill("b", click("Two")), skill("c", click("Three")))

    ran = await run_sop(sop, Form().browser, autonomy=Autonomy.DETERMINISTIC)

    assert [(event.instead_of, event.skill) for event in ran.of(AlternativeTaken)] == [("a", "b"), ("b", "c")]
    assert ran.result.reason == (
        "no element fits button 'Three'; before it, the skill 'b' failed: no element fits button 'Two'; "
        "before it, the skill 'a' failed: no element fits button 'One'"
    )


async def test_a_skill_without_actions_is_no_alternative() -> None:
    ran = await run_sop(ways(skill("page", SAVE), skill("empty")), Form(offers=False).browser)

    assert ran.result.status == "failed"
    assert ran.of(AlternativeTaken) == []


async def test_an_alternative_that_nobody_approves_leaves_the_failure_as_it_was() -> None:
    tool = FakeTool()

    ran = await run_sop(page_or_api(approval={}), Form(offers=False).browser, tools=tool, operator=UnattendedOperator())

    assert tool.called == []
    assert (ran.result.status, ran.result.cause) == ("failed", "target")
    assert "the skill 'api' was not approved in its place: not approved: request POST https://api.test/records" in (
        ran.result.reason
    )


async def test_who_approved_the_step_did_not_approve_that_it_is_done_another_way() -> None:
    operator = FakeOperator(["approve", "none", "approve"])

    ran = await run_sop(_approved(), Form(offers=False).browser, tools=FakeTool([{"id": 7}]), operator=operator)

    assert ran.result.completed, ran.result.reason
    assert [event.rule for event in ran.of(ApprovalDecided)] == [
        "approval of node work", "built-in rule on writes through an API",
    ]  # fmt: skip


def _approved() -> Sop:
    sop = page_or_api(approval={})
    [work] = sop.public.nodes
    public = sop.public.model_copy(update={"nodes": (work.model_copy(update={"approval": "ask"}),)})
    return sop.model_copy(update={"public": public})


@pytest.mark.parametrize(
    ("recovery", "seen"),
    [
        (None, ["attempt_started", "target_unclear", "alternative_taken"]),
        (["retry"], ["attempt_started"]),
        (["heal"], ["target_unclear"]),
        (["alternative"], ["alternative_taken"]),
        ([], []),
    ],
)
async def test_a_node_narrows_what_the_run_allows(recovery: list[str] | None, seen: list[str]) -> None:
    form = Form(offers=False)
    form.other.name = "Something else"
    sop = page_or_api() if recovery is None else page_or_api(recovery=recovery)

    ran = await run_sop(sop, form.browser, tools=FakeTool([{"id": 7}]))

    told = ("attempt_started", "target_unclear", "target_healed", "alternative_taken")
    assert [event.type for event in ran.events if event.type in told] == seen


async def test_a_node_does_not_widen_what_the_run_allows() -> None:
    sop = ways(skill("page", SAVE), recovery=["heal", "explore", "ask"])

    ran = await run_sop(
        sop, Form(offers=False).browser, autonomy=Autonomy.DETERMINISTIC, operator=FakeOperator(lambda _: "done")
    )

    assert [event.type for event in ran.events[2:-2]] == [
        "approval_decided", "action_started", "action_failed", "page_seen",
    ]  # fmt: skip


async def test_a_lost_browser_is_not_recovered_from() -> None:
    form = Form()
    form.browser.fail_next(BrowserLost("gone", performed=None), do="click")

    ran = await run_sop(page_or_api(), form.browser, tools=FakeTool(), operator=FakeOperator(lambda _: "done"))

    assert [event.error for event in ran.of(StepFailed)] == ["BrowserLost"]
    assert ran.of(OperatorAsked) == []


async def test_the_loop_around_a_recovered_step_is_exact_itself() -> None:
    sop = ways(skill("page", SAVE), skill("b", click("Keep")), nodes=(loop("each", "work", items="[1]"),))

    ran = await run_sop(sop, Form(offers=False).browser, autonomy=Autonomy.DETERMINISTIC)

    assert [(event.node, event.tier) for event in ran.of(StepFinished)] == [("work", "alternative"), ("each", "exact")]
    assert isinstance(ran.events[-1], RunFinished)
    assert TargetNotFound.cause == figures(ran.events).first_cause
