"""Stopping at once: cancelling the task ends the run wherever it is, and the log is complete."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from sopbench.events.log import read_log
from sopbench.events.types import Event, RunFinished
from sopbench.sop.document import Sop
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.clock import FakeClock
from sopbench.testing.model import FakeModel
from sopbench.testing.operator import FakeOperator
from sopbench.testing.page import Element
from sopbench.testing.running import run_sop

from .procedures import asking, click, loop, node, one_task, procedure

STOPS_S = 0.5
"""The time in which a run must have ended once it was cancelled."""
ON_BUTTON = {"role": "button", "name": "Save"}
ACTIONS: dict[str, list[dict[str, Any]]] = {
    "navigate": [{"do": "navigate", "url": "https://page.test/"}],
    "switch_tab": [{"do": "switch_tab", "tab": "t", "url": "https://page.test/"}],
    "reload": [{"do": "reload"}],
    "click": [click()],
    "hover": [{"do": "hover", "target": ON_BUTTON}],
    "fill": [{"do": "fill", "target": ON_BUTTON, "value": "x"}],
    "type": [{"do": "type", "target": ON_BUTTON, "text": "x"}],
    "press": [{"do": "press", "key": "Enter"}],
    "set_checked": [{"do": "set_checked", "target": ON_BUTTON}],
    "select": [{"do": "select", "target": ON_BUTTON, "option": "x"}],
    "extract": [{"do": "extract", "into": "v", "target": ON_BUTTON}],
    "look": [{"do": "wait_for", "expect": [{"visible": ON_BUTTON}]}],
}


class Never:
    """Stands in for a model or an operator that does not come back."""

    name = "never"

    def __init__(self) -> None:
        self.hanging = asyncio.Event()

    def would_answer(self, _: Any) -> bool:
        return True

    async def ask(self, _: Any) -> Any:
        self.hanging.set()
        await asyncio.Event().wait()

    answer = ask


async def cancelled_in_the_middle(
    sop: Sop, browser: FakeBrowser, *, hangs: Never | None = None, **ports: Any
) -> list[Event]:
    """Run until something hangs, cancel, and give back the log."""
    events: list[Event] = []
    task = asyncio.create_task(run_sop(sop, browser, events=events, **ports))
    await asyncio.wait_for((hangs or browser).hanging.wait(), timeout=5)
    started = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - started < 0.5
    return events


def assert_complete(events: list[Event], node_id: str) -> None:
    assert [event.type for event in events].count("run_finished") == 1
    end = events[-1]
    assert isinstance(end, RunFinished)
    assert (end.status, end.cause, end.node) == ("cancelled", "operator", node_id)
    assert end.reason == "the run was stopped from outside"
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


@pytest.mark.parametrize("do", ACTIONS)
async def test_a_run_is_stopped_in_the_middle_of_any_action(do: str) -> None:
    browser = FakeBrowser([Element(role="button", name="Save")])
    browser.hang_on(do)

    events = await cancelled_in_the_middle(one_task(*ACTIONS[do]), browser)

    assert events[-2].type == "action_started"
    assert_complete(events, "work")


async def test_a_run_is_stopped_while_it_waits_for_a_model() -> None:
    sop = procedure([asking("d"), node("x")], "d no> x", variables={"mail": "x"})

    model = Never()

    events = await cancelled_in_the_middle(sop, FakeBrowser(), hangs=model, model=model)

    assert events[-2].type == "model_asked"
    assert_complete(events, "d")


async def test_a_run_is_stopped_while_it_waits_for_an_operator() -> None:
    operator = Never()
    sop = one_task(click(), approval="ask")

    events = await cancelled_in_the_middle(sop, FakeBrowser(), hangs=operator, operator=operator)

    assert events[-2].type == "operator_asked"
    assert_complete(events, "work")


async def test_a_run_is_stopped_while_a_picture_is_taken(tmp_path: Any) -> None:
    browser = FakeBrowser([Element(role="button", name="Save")])
    browser.hang_on("screenshot")

    events = await cancelled_in_the_middle(one_task(click()), browser, capture="steps", folder=tmp_path)

    assert events[-2].type == "action_finished"
    assert_complete(events, "work")


async def test_a_run_is_stopped_within_loops_that_pass_over_failures() -> None:
    sop = procedure(
        [loop("each", "work", items="[1, 2]", on_item_error="continue"), node("work", timeout_s=30)],
        does={"work": [click()]},
    )
    browser = FakeBrowser([Element(role="button", name="Save")])
    browser.hang_on("click")

    events = await cancelled_in_the_middle(sop, browser)

    assert_complete(events, "work")


class Hanging(FakeClock):
    """Time that does not pass: a wait never ends."""

    def __init__(self) -> None:
        super().__init__()
        self.hanging = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.hanging.set()
        await asyncio.Event().wait()


def of_all_kinds() -> Sop:
    """One step of each kind there is, in a loop, with an approval by a rule and one of a step."""
    return procedure(
        [
            loop("each", "work decide pause pay", items="[1, 2]"),
            node("work", approval="ask"),
            asking("decide"),
            node("pause", "wait", seconds=60),
            node("pay"),
        ],
        "work > decide, decide yes> pause, decide no> pause, pause > pay, pay > each",
        does={"work": [click(), {"do": "extract", "into": "v", "target": ON_BUTTON}], "pay": [click("Pay")]},
        variables={"mail": "x"},
    )


def buttons() -> FakeBrowser:
    return FakeBrowser([Element(role="button", name="Save"), Element(role="button", name="Pay")])


HANGS: dict[str, tuple[dict[str, Any], str, str]] = {
    "a wait": ({"clock": Hanging}, "pause", "step_started"),
    "a model call": ({"model": Never}, "decide", "model_asked"),
    "an operator's approval of a step": ({"operator": Never}, "work", "operator_asked"),
}


@pytest.mark.parametrize("what", HANGS)
async def test_a_run_is_stopped_in_the_middle_of(what: str) -> None:
    made, node_id, last = HANGS[what]
    [(port, kind)] = made.items()
    hangs = kind()
    ports: dict[str, Any] = {"model": FakeModel(lambda _: "no"), "operator": approving()} | {port: hangs}
    events: list[Event] = []
    task = asyncio.create_task(run_sop(of_all_kinds(), buttons(), events=events, **ports))
    async with asyncio.timeout(5):
        await hangs.hanging.wait()

    task.cancel()

    async with asyncio.timeout(STOPS_S):
        await asyncio.wait([task])
    assert task.cancelled()
    assert events[-2].type == last
    assert_complete(events, node_id)


async def test_a_run_is_stopped_while_a_rule_waits_for_approval() -> None:
    operator = Never()
    events: list[Event] = []
    task = asyncio.create_task(run_sop(one_task(click("Pay")), buttons(), operator=operator, events=events))
    async with asyncio.timeout(5):
        await operator.hanging.wait()

    task.cancel()

    async with asyncio.timeout(STOPS_S):
        await asyncio.wait([task])
    assert task.cancelled()
    assert "action_started" not in [event.type for event in events]
    assert_complete(events, "work")


class CancellingAt(list[Event]):
    """Notes events, and cancels the task that brings them about as soon as there are so many."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def append(self, event: Event) -> None:
        super().append(event)
        if len(self) == self._number:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()


async def test_a_run_is_stopped_at_any_moment_of_it(tmp_path: Any) -> None:
    sop = of_all_kinds()
    ports: dict[str, Any] = {"model": FakeModel(lambda _: "no"), "capture": "steps"}
    whole = await run_sop(sop, buttons(), operator=approving(), folder=made(tmp_path / "whole"), **ports)
    last_action = max(place for place, event in enumerate(whole.events, start=1) if event.type == "action_started")
    assert whole.result.completed

    for number in range(1, last_action + 1):
        events, folder = CancellingAt(number), made(tmp_path / str(number))
        browser = buttons()
        running = run_sop(sop, browser, operator=approving(), events=events, folder=folder, **ports)
        async with asyncio.timeout(STOPS_S):
            with pytest.raises(asyncio.CancelledError):
                await asyncio.create_task(running)

        end = events[-1]
        assert isinstance(end, RunFinished)
        assert (end.status, end.cause) == ("cancelled", "operator")
        assert [event.type for event in events].count("run_finished") == 1
        assert [str(event.seq) for event in read_log(folder)] == [str(seq) for seq in range(1, len(events) + 1)]
        assert len(browser.performed) <= [event.type for event in whole.events[:number]].count("action_started")


def made(folder: Any) -> Any:
    folder.mkdir()
    return folder


def approving() -> FakeOperator:
    return FakeOperator(lambda _: "approve")


async def test_one_engine_may_do_several_runs_side_by_side() -> None:
    sop = procedure([asking("d"), node("x")], "d no> x", variables={"mail": "x"})
    model, operator = FakeModel(lambda _: "no"), FakeOperator()

    runs = await asyncio.gather(*(run_sop(sop, model=model, operator=operator) for _ in range(5)))

    assert [ran.nodes for ran in runs] == [["d", "x"]] * 5
