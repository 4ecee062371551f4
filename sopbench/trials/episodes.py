"""The part of a run in which something went wrong, as the rules of the causes look at it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from sopbench.events.types import (
    ActionFailed,
    ActionStarted,
    Event,
    IterationFinished,
    IterationStarted,
    ModelFailed,
    OfStep,
    PageSeen,
    RunFinished,
    RunResumed,
    RunStarted,
    StepFailed,
    StepFinished,
    StepStarted,
    TargetHealed,
    TargetUnclear,
    VariableSet,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EventT = TypeVar("EventT", bound=Event)
_SHORTEST_DATUM = 6


@dataclass(frozen=True)
class Episode:
    """The part of a run that is looked at."""

    events: tuple[Event, ...]
    """Of its step, in order; of the whole run where no step stands out."""
    run: tuple[Event, ...]
    """The whole log."""
    recovered: bool
    """Whether its step got done all the same, without the run being begun again."""

    def of(self, kind: type[EventT]) -> list[EventT]:
        """Its events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @cached_property
    def failures(self) -> list[ActionFailed]:
        return self.of(ActionFailed)

    @cached_property
    def pages(self) -> list[PageSeen]:
        return self.of(PageSeen)

    @cached_property
    def healed(self) -> list[TargetHealed]:
        return self.of(TargetHealed)

    @cached_property
    def unclear(self) -> list[TargetUnclear]:
        return self.of(TargetUnclear)

    @cached_property
    def errors(self) -> list[tuple[Event, str, str]]:
        """What went wrong, in order: the event, the kind of error, what it says."""
        failed = (event for event in self.events if isinstance(event, ActionFailed | ModelFailed | StepFailed))
        return [(event, event.error, event.message) for event in failed]

    @cached_property
    def end(self) -> RunFinished | None:
        return next((event for event in reversed(self.run) if isinstance(event, RunFinished)), None)

    @cached_property
    def about(self) -> str:
        """What the step is for, and what its actions say, in the document's words."""
        steps = [event.label for event in self.of(StepStarted)]
        failed = {event.action for event in self.failures}
        actions = [event.says for event in self.of(ActionStarted) if event.action in failed]
        return " · ".join(dict.fromkeys((*steps, *actions)))

    def arguments(self, failure: ActionFailed) -> dict[str, Any]:
        """What the failed action was to be done to, and with what."""
        begun = [each for each in self.of(ActionStarted) if each.seq < failure.seq and each.action == failure.action]
        return begun[-1].arguments if begun else {}

    @cached_property
    def data(self) -> frozenset[str]:
        """Texts that the run read before the episode, by which it may have named what it looked for."""
        first = self.events[0].seq if self.events else 0
        return self.read_before(first)

    def read_before(self, seq: int) -> frozenset[str]:
        """Texts that the run read before this event, other than those that it was given."""
        return texts_read(event for event in self.run if event.seq < seq) - self._given

    @cached_property
    def _given(self) -> frozenset[str]:
        start = next((event for event in self.run if isinstance(event, RunStarted)), None)
        return frozenset(_texts(start.variables)) if start is not None else frozenset()

    @cached_property
    def given_accounts(self) -> frozenset[str]:
        """Addresses of accounts that the run was given."""
        return frozenset(text.casefold() for text in self._given if "@" in text)


def texts_read(events: Iterable[Event]) -> frozenset[str]:
    """Every text in what a run took from pages and tools."""
    read: set[str] = set()
    for event in events:
        if isinstance(event, IterationStarted):
            read.update(_texts(event.item))
        elif isinstance(event, VariableSet) and event.source in ("page", "tool"):
            read.update(_texts(event.value))
    return frozenset(read)


def episode_of(events: Sequence[Event]) -> Episode | None:
    """The step that failed, or the first that had to recover; None when all went as written."""
    run = tuple(events)
    end = next((event for event in reversed(run) if isinstance(event, RunFinished)), None)
    if end is not None and end.status == "completed":
        step = _first_recovered(run)
        if step is None:
            return None
        own = _of_step(run, step)
        return Episode(own, run, recovered=not any(isinstance(event, StepFailed) for event in own))
    failed = _failed_step(_last_try(run))
    if failed is None:
        begun = [event for event in run if isinstance(event, StepStarted)]
        failed = begun[-1].step if begun else None
    return Episode(_of_step(run, failed) if failed is not None else run, run, recovered=False)


def _failed_step(run: tuple[Event, ...]) -> int | None:
    """The step that the run, or the first item it gave up, foundered on: that of the innermost node."""
    failed = [event for event in run if isinstance(event, StepFailed)]
    given_up = next((event for event in run if isinstance(event, IterationFinished) and event.failed), None)
    if given_up is not None:
        before = [event for event in failed if event.seq < given_up.seq]
        return _innermost(before, run)
    return _innermost(failed, run)


def _innermost(failed: list[StepFailed], run: tuple[Event, ...]) -> int | None:
    """Of the steps that failed one in the other, the one that failed first."""
    if not failed:
        return None
    done = {event.seq for event in run if isinstance(event, StepFinished)}
    last = failed[-1]
    for event in reversed(failed):
        if any(event.seq < seq < last.seq for seq in done):
            break
        last = event
    return last.step


def _last_try(run: tuple[Event, ...]) -> tuple[Event, ...]:
    """What came after the run began for the last time."""
    began = max((at for at, event in enumerate(run) if isinstance(event, RunResumed)), default=0)
    return run[began:]


def _first_recovered(run: tuple[Event, ...]) -> int | None:
    """Of a run that completed, the first step with trouble: it recovered, or the run was begun again after it."""
    finished = [event for event in run if isinstance(event, StepFinished)]
    steps = {event.step for event in finished if event.tier != "exact" or event.attempts > 1}
    steps |= {event.step for event in run if isinstance(event, StepFailed)}
    troubled = [event.step for event in run if isinstance(event, ActionFailed | ModelFailed)]
    return next((step for step in troubled if step in steps), min(steps, default=None))


def _of_step(run: tuple[Event, ...], step: int) -> tuple[Event, ...]:
    return tuple(event for event in run if isinstance(event, OfStep) and event.step == step)


def _texts(value: Any) -> Iterable[str]:
    """Every text in a value that is long enough to be told from others."""
    if isinstance(value, str):
        text = value.strip()
        if len(text) >= _SHORTEST_DATUM:
            yield text
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
