"""What failed is reached another way, found by exploring, where that can do no harm."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import pytest

from sopbench.engine.context import Autonomy, ExecutionContext
from sopbench.engine.exploring import Goal
from sopbench.errors import ModelUnavailable, StepError
from sopbench.events.types import ActionSkipped, ExplorationFinished, StepFinished
from sopbench.ports.llm import ModelRequest
from sopbench.records.figures import figures
from sopbench.testing.model import FakeModel
from sopbench.testing.page import Element
from sopbench.testing.running import run_sop
from sopbench.trials.verdict import Grade, Outcome, judge

from .procedures import Json, click
from .saving_form import SAVE, SAVED, Form, skill, tiers, ways

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
