"""Limits: every one of them ends the run, and is named."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from sopbench.events.types import RunFinished, StepFailed
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.model import FakeModel
from sopbench.testing.page import Element
from sopbench.testing.running import run_sop

from .procedures import asking, click, decision, loop, node, one_task, procedure


def hanging(do: str) -> FakeBrowser:
    browser = FakeBrowser([Element(role="button", name="Save")])
    browser.hang_on(do)
    return browser


async def test_steps_are_limited() -> None:
    sop = procedure([node("a"), decision("d", ({"that": "1"}, "yes")), node("out")], "a > d, d yes> a, d no> out")

    ran = await run_sop(sop, limits={"steps": 5})

    assert ran.nodes == ["a", "d", "a", "d", "a"]
    assert (ran.result.status, ran.result.cause, ran.result.steps) == ("failed", "limit", 5)
    assert (
        ran.result.reason
        == "5 steps are done and the procedure has not ended; left to do: step 'd' and what follows it"
    )


async def test_model_calls_are_limited_and_the_one_too_many_is_not_made() -> None:
    model = FakeModel(lambda _: "no")
    sop = procedure(
        [loop("each", "d", items="[1, 2, 3]", on_item_error="continue"), asking("d")],
        "d no> each, d yes> each",
        variables={"mail": "x"},
    )

    ran = await run_sop(sop, model=model, limits={"model_calls": 2})

    assert len(model.requests) == 2
    assert (ran.result.status, ran.result.cause) == ("failed", "limit")
    assert ran.result.reason == (
        "2 model calls are used up; left to do: step 'd' and what follows it, 1 of 3 items of loop 'each'"
    )


@pytest.mark.parametrize("do", ["click", "look", "screenshot"])
async def test_a_run_that_takes_too_long_is_timed_out_wherever_it_hangs(do: str, tmp_path: Path) -> None:
    sop = one_task(click(expect=[{"hidden": {"role": "status"}}]), timeout_s=60)
    started = time.monotonic()

    ran = await run_sop(sop, hanging(do), limits={"run_s": 0.05}, capture="steps", folder=tmp_path)

    assert time.monotonic() - started < 2
    assert (ran.result.status, ran.result.cause) == ("timed_out", "limit")
    assert ran.result.reason == "the run took longer than its 0.05 s; left to do: step 'work' and what follows it"
    assert isinstance(ran.events[-1], RunFinished)
    assert ran.events[-1].node == "work"


async def test_a_step_that_takes_too_long_fails_the_run_and_is_named() -> None:
    ran = await run_sop(one_task(click(), timeout_s=0.05), hanging("click"))

    assert (ran.result.status, ran.result.cause) == ("failed", "limit")
    assert ran.result.reason == "step 'work' took longer than its 0.05 s; left to do: step 'work' and what follows it"
    assert [event.error for event in ran.of(StepFailed)] == ["LimitReached"]


async def test_actions_get_the_limit_of_their_kind_or_their_own() -> None:
    browser = FakeBrowser({"about:blank": [Element(role="button", name="Save")]})
    asked: list[tuple[str, float]] = []
    perform = browser.perform

    async def noting(action: object, *, timeout_s: float) -> Any:
        asked.append((action.do, timeout_s))  # type: ignore[attr-defined]
        return await perform(action, timeout_s=timeout_s)  # type: ignore[arg-type]

    browser.perform = noting  # type: ignore[method-assign]
    sop = one_task({"do": "navigate", "url": "about:blank"}, click(), click(timeout_s=9))

    await run_sop(sop, browser, limits={"find_s": 3, "navigation_s": 20})

    assert asked == [("navigate", 20), ("click", 3), ("click", 9)]


async def test_a_browser_that_is_lost_fails_the_run_with_its_cause() -> None:
    browser = FakeBrowser([])
    browser.lose()

    ran = await run_sop(one_task(click()), browser)

    assert (ran.result.status, ran.result.cause) == ("failed", "browser")
