"""Trying again: only what may be repeated, only from the action that failed, and never without hope."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.errors import (
    BrowserLost,
    DataInvalid,
    NetworkFailed,
    StepError,
    TargetNotFound,
    TemplateFailed,
)
from sopbench.events.types import ActionFailed, ActionSkipped, AttemptStarted, StepFailed, StepFinished
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.clock import FakeClock
from sopbench.testing.page import Element
from sopbench.testing.running import Ran, run_sop

from .procedures import click, one_task, put

FILL = {"do": "fill", "target": {"label": "Name"}, "value": "Ada"}
SAVED = {"visible": {"role": "status"}}


class Form:
    """A name, a button and what the button brings about."""

    def __init__(self, *, works: bool = True) -> None:
        self.clicks = 0
        self.works = works
        self.name = Element(label="Name", value="")
        self.status = Element(role="status", visible=False)
        save = Element(role="button", name="Save", on_click=self._save)
        self.clock = FakeClock()
        self.browser = FakeBrowser([self.name, save, self.status], clock=self.clock)

    def _save(self) -> None:
        self.clicks += 1
        if self.works:
            self.status.show()


def attempts(ran: Ran) -> list[tuple[int, str]]:
    return [(e.attempts, e.tier) for e in ran.of(StepFinished)]


@pytest.mark.parametrize("performed", [True, False, None])
async def test_what_may_be_repeated_is_repeated_whatever_became_of_it(performed: bool | None) -> None:
    form = Form()
    form.browser.fail_next(StepError("odd", performed=performed), do="fill")

    ran = await run_sop(one_task(FILL), form.browser)

    assert ran.result.completed
    assert attempts(ran) == [(2, "retried")]
    assert form.name.value == "Ada"


async def test_reading_is_repeated() -> None:
    form = Form()
    form.browser.fail_next(TargetNotFound("the list was drawn anew", performed=False), do="extract")

    ran = await run_sop(
        one_task({"do": "extract", "into": "v", "target": {"label": "Name"}, "attribute": "value"}), form.browser
    )

    assert ran.result.completed
    assert attempts(ran) == [(2, "retried")]


async def test_an_irreversible_action_that_surely_was_not_performed_is_repeated() -> None:
    form = Form()
    form.browser.fail_next(TargetNotFound("covered", performed=False), do="click")

    ran = await run_sop(one_task(click(expect=[SAVED])), form.browser)

    assert ran.result.completed
    assert form.clicks == 1


@pytest.mark.parametrize(
    "error",
    [StepError("odd", performed=None), BrowserLost("gone", performed=None), NetworkFailed("500", performed=True)],
    ids=lambda error: type(error).__name__,
)
async def test_an_irreversible_action_that_may_have_been_performed_is_never_repeated(error: StepError) -> None:
    form = Form()
    form.browser.fail_next(error, do="click", after_doing=True)

    ran = await run_sop(one_task(click(expect=[SAVED])), form.browser)

    assert form.clicks == 1
    assert ran.result.status == "failed"
    assert [event.attempts for event in ran.of(StepFailed)] == [1]
    assert [event.performed for event in ran.of(ActionFailed)] == [error.performed]


UNSAVED: dict[str, Any] = {"visible": {"role": "button", "name": "Save"}}


async def test_not_to_see_what_it_should_bring_about_is_no_reason_to_repeat_an_irreversible_action() -> None:
    form = Form(works=False)

    ran = await run_sop(one_task(click(expect=[SAVED])), form.browser)

    assert form.clicks == 1
    assert ran.result.status == "failed"
    assert [event.performed for event in ran.of(ActionFailed)] == [True]


async def test_an_irreversible_action_is_repeated_when_it_is_seen_that_it_did_not_happen() -> None:
    form = Form(works=False)
    form.clock.after(5.2, lambda: setattr(form, "works", True))

    ran = await run_sop(one_task(click(expect=[SAVED], undone=[UNSAVED])), form.browser)

    assert form.clicks == 2
    assert ran.result.completed
    assert attempts(ran) == [(2, "retried")]


async def test_what_shows_that_it_did_not_happen_must_be_seen_in_full() -> None:
    form = Form(works=False)

    ran = await run_sop(one_task(click(expect=[SAVED], undone=[UNSAVED, SAVED])), form.browser)

    assert form.clicks == 1
    assert ran.result.status == "failed"


@pytest.mark.parametrize("effect", ["irreversible", "idempotent"])
async def test_an_action_whose_effect_comes_late_is_not_repeated(effect: str) -> None:
    form = Form(works=False)
    form.clock.after(5.2, form.status.show)

    ran = await run_sop(one_task(click(expect=[SAVED], effect=effect)), form.browser)

    assert form.clicks == 1
    assert ran.result.completed
    assert attempts(ran) == [(2, "retried")]
    assert [event.why for event in ran.of(ActionSkipped)] == ["what it should bring about came late: status is visible"]


async def test_an_irreversible_action_is_not_repeated_when_nobody_could_see_what_it_brought_about() -> None:
    form = Form()
    looked: Any = TargetNotFound("2 elements fit", performed=False)

    async def look(*_: Any, **__: Any) -> Any:
        raise looked

    form.browser.look = look  # type: ignore[method-assign]

    ran = await run_sop(one_task(click(expect=[SAVED])), form.browser)

    assert form.clicks == 1
    assert [event.performed for event in ran.of(ActionFailed)] == [True]


async def test_actions_already_done_in_the_step_are_not_done_again() -> None:
    form = Form()
    form.browser.fail_next(TargetNotFound("late", performed=False), do="fill")

    await run_sop(one_task(click(), FILL), form.browser)

    assert form.clicks == 1
    assert [action.do for action in form.browser.performed] == ["click", "fill"]


async def test_attempts_are_counted_over_all_actions_of_a_step() -> None:
    form = Form()
    form.browser.fail_next(TargetNotFound("late", performed=False), do="click")
    form.browser.fail_next(TargetNotFound("late", performed=False), do="fill")

    ran = await run_sop(one_task(click(), FILL), form.browser)

    assert ran.result.status == "failed"
    assert [event.attempts for event in ran.of(StepFailed)] == [2]


async def test_waits_between_attempts_go_through_the_clock_and_the_last_one_repeats() -> None:
    form = Form()
    form.browser.fail_next(TargetNotFound("late", performed=False), times=3)
    sop = one_task(FILL, retry={"max_attempts": 4, "backoff_s": [1, 20]})

    ran = await run_sop(sop, form.browser)

    assert form.clock.slept == [1, 20, 20]
    assert [(event.attempt, event.waited_s) for event in ran.of(AttemptStarted)] == [(2, 1), (3, 20), (4, 20)]
    assert attempts(ran) == [(4, "retried")]
    assert ran.result.duration_s == 41


async def test_no_waits_given_means_no_waiting() -> None:
    form = Form()
    form.browser.fail_next(TargetNotFound("late", performed=False))

    ran = await run_sop(one_task(FILL, retry={"max_attempts": 2, "backoff_s": []}), form.browser)

    assert ran.result.completed
    assert ran.result.duration_s == 0


@pytest.mark.parametrize(("limit", "tries"), [(1, 1), (3, 3)])
async def test_the_run_says_how_often_a_step_is_tried_where_its_node_does_not(limit: int, tries: int) -> None:
    form = Form()
    form.browser.fail_next(TargetNotFound("late", performed=False), times=9)

    ran = await run_sop(one_task(FILL), form.browser, limits={"attempts": limit})

    assert [event.attempts for event in ran.of(StepFailed)] == [tries]


@pytest.mark.parametrize(
    "error",
    [DataInvalid("no date", performed=False), TemplateFailed("no name", performed=False)],
    ids=lambda error: type(error).__name__,
)
async def test_what_will_not_get_better_is_not_tried_again(error: StepError) -> None:
    form = Form()
    form.browser.fail_next(error, do="fill")

    ran = await run_sop(one_task(FILL), form.browser)

    assert [event.attempts for event in ran.of(StepFailed)] == [1]


async def test_a_template_that_fails_is_not_tried_again_and_says_where() -> None:
    ran = await run_sop(one_task(put("a", "nmae"), variables={"name": "x"}))

    assert ran.of(AttemptStarted) == []
    assert ran.result.cause == "procedure"
    assert ran.result.reason == "in 'nmae': no variable 'nmae'; did you mean 'name'?"


async def test_a_repeated_action_whose_target_has_gone_is_held_against_what_it_should_bring_about() -> None:
    form = Form(works=False)
    form.browser.fail_next(StepError("odd", performed=None), do="click")
    form.clock.after(0.7, form.status.show)
    form.browser.fail_next(TargetNotFound("no element fits", performed=False), do="click")

    ran = await run_sop(
        one_task(click(expect=[SAVED], effect="idempotent"), retry={"max_attempts": 2, "backoff_s": [1]}), form.browser
    )

    assert ran.result.completed
    assert form.clicks == 0
    assert [event.performed for event in ran.of(ActionFailed)] == [None]
