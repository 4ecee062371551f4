"""Logs of runs in which something went wrong: as short as can be, made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sopbench.events.types import (
    ActionFailed,
    ActionStarted,
    Event,
    IterationStarted,
    LoadTrouble,
    PageSeen,
    RunFinished,
    RunStarted,
    ScreenshotTaken,
    StepFailed,
    StepFinished,
    StepStarted,
)

EMAIL = "dana@northwind.example"
NOT_FOUND = "no element fits button 'Save'"


def numbered(events: Iterable[Event]) -> list[Event]:
    """As a log numbers them."""
    return [event.model_copy(update={"seq": seq}) for seq, event in enumerate(events, start=1)]


def started() -> RunStarted:
    return RunStarted(
        sop="p", title="P", version="1", sha256="", autonomy="light", variables={"email": EMAIL}, limits={}
    )


def page(**facts: Any) -> PageSeen:
    given: dict[str, Any] = {"url": "https://shop.test/orders", "title": "Orders", **facts}
    return PageSeen(step=1, action=0, **given)


def load(outcome: str, status: int | None = None, took_s: float = 0.1) -> LoadTrouble:
    return LoadTrouble(method="GET", url="https://shop.test/api", outcome=outcome, status=status, took_s=took_s)


def attempt(
    message: str = NOT_FOUND, seen: PageSeen | None = None, *, error: str = "TargetNotFound", target: Any = None
) -> list[Event]:
    """One action that failed, and what the page was like."""
    arguments = {"target": target or {"role": "button", "name": "Save"}}
    begun = ActionStarted(step=1, action=0, do="click", says="click it", effect="read", arguments=arguments)
    failed = ActionFailed(step=1, action=0, duration_s=5, error=error, message=message, performed=False)
    return [begun, failed, *([seen] if seen is not None else [])]


def run_of(
    *within: Event, label: str = "Save the order", recovered: bool = False, read: Any = None, tier: Any = "retried"
) -> list[Event]:
    """A run whose one step had this trouble, and failed with it or recovered."""
    failed = next((event for event in reversed(within) if isinstance(event, ActionFailed)), None)
    events: list[Event] = [started()]
    if read is not None:
        events.append(IterationStarted(step=0, node="each", index=0, item=read))
    events += [StepStarted(step=1, node="save", kind="task", label=label), *within]
    if recovered:
        events.append(StepFinished(step=1, node="save", condition="next", tier=tier, attempts=2, duration_s=9))
        return numbered([*events, finished("completed", "")])
    error, message = (failed.error, failed.message) if failed else ("StepError", "odd")
    events.append(ScreenshotTaken(step=1, path="screenshots/0001.jpg", duration_s=0.1))
    events.append(StepFailed(step=1, node="save", attempts=2, duration_s=9, error=error, message=message, cause="x"))
    return numbered([*events, finished("failed", message)])


def finished(status: Any, reason: str) -> RunFinished:
    return RunFinished(status=status, reason=reason, node="save", steps=1, duration_s=9)


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.type for event in events]
