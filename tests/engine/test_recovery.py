"""Recovery: which tier follows which failure, and where there is none."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from sopbench.adapters.unattended_operator import UnattendedOperator
from sopbench.engine.context import Autonomy, ExecutionContext
from sopbench.engine.exploring import Goal
from sopbench.errors import BrowserLost, ModelUnavailable, StepError, TargetNotFound, ToolUnavailable
from sopbench.events.types import (
    ActionFailed,
    ActionSkipped,
    AlternativeTaken,
    ApprovalDecided,
    AttemptStarted,
    ExplorationFinished,
    OperatorAnswered,
    OperatorAsked,
    RunFinished,
    StepFailed,
    StepFinished,
    TargetHealed,
)
from sopbench.ports.llm import ModelRequest
from sopbench.ports.operator import OperatorQuestion
from sopbench.records.figures import figures
from sopbench.sop.document import Sop
from sopbench.sop.verbs.tools import Request
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.model import FakeModel
from sopbench.testing.operator import FakeOperator
from sopbench.testing.page import Element
from sopbench.testing.running import Ran, run_sop
from sopbench.testing.tool import FakeTool
from sopbench.trials.verdict import Grade, Outcome, judge

from .procedures import Json, click, loop, node, put

SAVED = {"visible": {"role": "status"}}
SAVE: Json = click("Save", expect=[SAVED])
BY_API: Json = {
    "do": "request", "method": "POST", "url": "https://api.test/records", "json": {"name": "{{ name }}"},
    "effect": "idempotent", "into": "made", "expect": [{"that": "made.id == 7"}],
}  # fmt: skip
APPROVES = {"rules": [{"then": "approve"}]}


class Form:
    """A form with a button that is there or not, and another that leads to the same."""

    def __init__(self, *, offers: bool = True) -> None:
        self.clicked: list[str] = []
        self.name = Element(label="Name", value="")
        self.status = Element(role="status", visible=False)
        self.save, self.other = self._button("Save", visible=offers), self._button("Keep", css="#keep")
        self.browser = FakeBrowser([self.name, self.save, self.other, self.status])

    def _button(self, name: str, **more: Any) -> Element:
        return Element(role="button", name=name, on_click=lambda: self._click(name), **more)

    def _click(self, name: str) -> None:
        self.clicked.append(name)
        self.status.show()


def skill(skill_id: str, *actions: Json, method: str = "ui") -> Json:
    return {"id": skill_id, "app": "app", "method_type": method, "actions": list(actions)}


def ways(*skills: Json, nodes: tuple[Json, ...] = (), approval: Json | None = None, **more: Any) -> Sop:
    """A task ``work`` that is done by the first skill, or by one of the others."""
    first, *others = (each["id"] for each in skills)
    private = {
        "skills": list(skills),
        "steps": [{"node_id": "work", "primary_skill": first, "alt_skills": others}],
        "approval": APPROVES if approval is None else approval,
    }
    return Sop.model_validate(
        {
            "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
            "public": {"nodes": [*nodes, node("work", **more)], "variables": {"name": "Ada"}},
            "private": private,
        }
    )


def page_or_api(*page: Json, **more: Any) -> Sop:
    return ways(skill("page", *(page or (SAVE,))), skill("api", BY_API, method="api"), **more)


def tiers(ran: Ran) -> list[str]:
    return [event.tier for event in ran.of(StepFinished) if event.node == "work"]


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


# --- exploring

Explorer = Callable[[Goal, ExecutionContext], Awaitable[None]]
IDEMPOTENT: Json = click("Save", expect=[SAVED], effect="idempotent")


@pytest.fixture
def explorations(monkeypatch: pytest.MonkeyPatch) -> tuple[list[Goal], list[Explorer]]:
    """The goals that were explored for, and what is to be done for them."""
    goals: list[Goal] = []
    does: list[Explorer] = []

    async def reach(goal: Goal, context: ExecutionContext) -> None:
        goals.append(goal)
        for each in does:
            await each(goal, context)

    monkeypatch.setattr("sopbench.engine.handlers.task.reach", reach)
    return goals, does


def nothing() -> FakeModel:
    """A model that takes none of the elements for another."""
    return FakeModel(lambda _: "none")


def finds(form: Form) -> Explorer:
    async def find(_: Goal, __: ExecutionContext) -> None:
        form.status.show()

    return find


def fails(error: Exception) -> Explorer:
    async def fail(_: Goal, __: ExecutionContext) -> None:
        raise error

    return fail


async def test_another_way_is_explored_for_what_the_action_should_bring_about(
    explorations: tuple[list[Goal], list[Explorer]],
) -> None:
    form = Form(offers=False)
    form.other.hide()
    explorations[1].append(finds(form))
    after = {"do": "fill", "target": {"label": "Name"}, "value": "{{ name }}"}

    ran = await run_sop(
        ways(skill("page", IDEMPOTENT, after), intent="Save the form"),
        form.browser,
        autonomy=Autonomy.FULL,
        model=nothing(),
    )

    assert ran.result.completed, ran.result.reason
    [goal] = explorations[0]
    assert (goal.text, goal.origins) == ("Save the form: click button 'Save'", ("https://page.test",))
    assert list(map(str, goal.done_when)) == ["status is visible"]
    assert tiers(ran) == ["explored"]
    assert [event.why for event in ran.of(ActionSkipped)] == ["reached another way: status is visible"]
    assert form.name.value == "Ada"
    assert judge(figures(ran.events), Outcome()).grade is Grade.RECOVERED


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (SAVE, None),
        (click("Save", effect="idempotent"), None),
        (IDEMPOTENT, StepError("odd", performed=None)),
        (click("Save", effect="idempotent", expect=[{"that": "name == 'Bob'"}]), None),
        (click("Save", effect="idempotent", expect=[{"visible": {"label": "Name"}}]), None),
        ({"do": "extract", "into": "x", "target": {"role": "row"}, "expect": [SAVED]}, None),
    ],
    ids=["irreversible", "expects nothing", "perhaps done", "no page tells", "holds before", "sets a variable"],
)
async def test_nothing_is_explored_where_that_could_do_harm_or_could_not_be_seen_to_help(
    action: Json, error: StepError | None, explorations: tuple[list[Goal], list[Explorer]]
) -> None:
    form = Form(offers=error is not None)
    form.other.hide()
    if error is not None:
        form.browser.fail_next(error, do="click", times=2)

    ran = await run_sop(ways(skill("page", action)), form.browser, autonomy=Autonomy.FULL, model=nothing())

    assert explorations[0] == []
    assert ran.result.status == "failed"


@pytest.mark.parametrize(
    "error", [StepError("no way", performed=None), ModelUnavailable("out of reach")], ids=lambda e: type(e).__name__
)
async def test_an_exploration_that_fails_leaves_the_failure_as_it_was(
    error: Exception, explorations: tuple[list[Goal], list[Explorer]]
) -> None:
    form = Form(offers=False)
    form.other.hide()
    explorations[1].append(fails(error))

    ran = await run_sop(ways(skill("page", IDEMPOTENT)), form.browser, autonomy=Autonomy.FULL, model=nothing())

    assert ran.result.cause == "target"
    assert ran.result.reason.endswith(f"; exploring did not help: {error}")


async def test_an_exploration_that_only_says_it_succeeded_did_not(
    explorations: tuple[list[Goal], list[Explorer]],
) -> None:
    form = Form(offers=False)
    form.other.hide()

    ran = await run_sop(ways(skill("page", IDEMPOTENT)), form.browser, autonomy=Autonomy.FULL, model=nothing())

    assert len(explorations[0]) == 1
    assert ran.result.status == "failed"
    assert ran.of(StepFinished) == []


async def test_the_skill_that_took_over_is_explored_for_and_not_the_one_that_failed(
    explorations: tuple[list[Goal], list[Explorer]],
) -> None:
    form = Form(offers=False)
    form.other.hide()
    sop = ways(skill("a", IDEMPOTENT), skill("b", click("Store", expect=[SAVED], effect="idempotent")))
    explorations[1].append(finds(form))

    ran = await run_sop(sop, form.browser, autonomy=Autonomy.FULL, model=nothing())

    assert [goal.text for goal in explorations[0]] == ["work: click button 'Store'"]
    assert tiers(ran) == ["explored"]


async def test_the_way_is_found_by_a_real_exploration_and_the_run_goes_on_after_it() -> None:
    form = Form(offers=False)
    form.other.hide()
    menu = Element(role="button", name="More", attributes={"aria-haspopup": "menu"}, on_click=form.status.show)
    form.browser.pages["https://page.test/"].elements.append(menu)
    after = {"do": "fill", "target": {"label": "Name"}, "value": "Ada"}

    def answer(request: ModelRequest) -> Json:
        if request.purpose == "choose_element":
            return {"choice": "none", "reason": ""}
        [line] = [line for line in request.prompt.splitlines() if "More" in line]
        return {"do": "click", "element": re.findall(r"\d+", line)[0], "value": "", "why": "it may be there"}

    ran = await run_sop(
        ways(skill("page", IDEMPOTENT, after)), form.browser, autonomy=Autonomy.FULL, model=FakeModel(answer)
    )

    assert ran.result.completed, ran.result.reason
    assert [event.reached for event in ran.of(ExplorationFinished)] == [True]
    assert tiers(ran) == ["explored"]
    assert form.name.value == "Ada"


# --- asking


def by_hand(form: Form, *answers: str) -> tuple[FakeOperator, list[OperatorQuestion]]:
    """A person who takes no element for another, and does what the answers say; *done* shows the status."""
    said = list(answers)
    questions: list[OperatorQuestion] = []

    def answer(question: OperatorQuestion) -> str:
        if "what now?" not in question.text:
            return "none"
        questions.append(question)
        word = said.pop(0)
        if word == "done":
            form.status.show()
        if word == "again":
            form.save.show()
        return word

    return FakeOperator(answer), questions


async def test_a_person_does_it_by_hand_and_the_run_goes_on() -> None:
    form = Form(offers=False)
    operator, [*questions] = by_hand(form, "done")
    after = {"do": "fill", "target": {"label": "Name"}, "value": "Ada"}

    ran = await run_sop(ways(skill("page", SAVE, after)), form.browser, operator=operator)

    assert questions == []
    assert ran.result.completed, ran.result.reason
    assert tiers(ran) == ["assisted"]
    assert form.name.value == "Ada"
    assert [event.why for event in ran.of(ActionSkipped)] == ["done by the operator: status is visible"]


async def test_the_question_says_what_failed_and_why() -> None:
    form = Form(offers=False)
    operator, questions = by_hand(form, "stop")

    ran = await run_sop(ways(skill("page", SAVE)), form.browser, operator=operator)

    [question] = questions
    assert question.text.startswith("step 'work' failed at: click button 'Save' (no element fits button 'Save'; none")
    assert (question.options, question.safe) == (("done", "again", "stop"), "stop")
    assert (ran.result.status, ran.result.cause) == ("failed", "target")


async def test_what_stood_in_the_way_is_put_right_and_the_action_is_done_again() -> None:
    form = Form(offers=False)
    operator, _ = by_hand(form, "again")

    ran = await run_sop(ways(skill("page", SAVE)), form.browser, operator=operator)

    assert form.clicked == ["Save"]
    assert tiers(ran) == ["assisted"]
    assert [event.attempt for event in ran.of(AttemptStarted)] == [2, 3]


async def test_what_is_said_to_be_done_must_be_seen() -> None:
    form = Form(offers=False)
    operator = FakeOperator(lambda question: "done" if "what now?" in question.text else "none")

    ran = await run_sop(ways(skill("page", SAVE)), form.browser, operator=operator)

    assert len(ran.of(OperatorAsked)) == 1 + 3
    assert ran.result.status == "failed"
    assert ran.result.reason.startswith("expected: status is visible; found: ")


async def test_what_may_not_be_repeated_is_not_offered_again() -> None:
    form = Form()
    form.browser.fail_next(StepError("odd", performed=None), do="click")
    operator, questions = by_hand(form, "stop")

    await run_sop(ways(skill("page", SAVE)), form.browser, operator=operator)

    assert questions[0].options == ("done", "stop")


async def test_what_would_set_a_variable_cannot_be_done_by_hand() -> None:
    operator, questions = by_hand(Form(), "stop")

    await run_sop(
        ways(skill("page", {"do": "extract", "into": "x", "target": {"role": "row"}})),
        Form().browser,
        operator=operator,
    )

    assert questions[0].options == ("again", "stop")


@pytest.mark.parametrize(("answer", "status", "items"), [("skip item", "failed", 2), ("stop", "stopped", 1)])
async def test_an_item_may_be_skipped_where_the_document_allows_it(answer: str, status: str, items: int) -> None:
    form = Form(offers=False)
    operator, questions = by_hand(form, answer, answer)
    around = loop("each", "work", items="[1, 2]", on_item_error="continue")

    ran = await run_sop(ways(skill("page", SAVE), nodes=(around,)), form.browser, operator=operator)

    assert questions[0].options == ("done", "again", "skip item", "stop")
    assert questions[0].safe == "skip item"
    assert ran.result.status == status
    assert len(questions) == items


async def test_nobody_is_asked_where_nobody_would_answer() -> None:
    ran = await run_sop(ways(skill("page", SAVE)), Form(offers=False).browser, operator=UnattendedOperator())

    assert [event.question.partition("\n")[0] for event in ran.of(OperatorAsked)] == [
        "which of these is meant by click button 'Save'?"
    ]
    assert [event.answer for event in ran.of(OperatorAnswered)] == ["none"]
    assert ran.result.reason.startswith("no element fits button 'Save'; none was taken for it: ")


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
