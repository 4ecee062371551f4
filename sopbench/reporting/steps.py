"""A log, folded: the flat list of events becomes steps with their actions, in the loops they belong to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sopbench.events.types import (
    ActionFailed,
    ActionFinished,
    ActionSkipped,
    ActionStarted,
    AlternativeTaken,
    AttemptStarted,
    Interrupted,
    IterationFinished,
    IterationStarted,
    ModelAnswered,
    ModelAsked,
    ModelFailed,
    OfStep,
    OperatorAnswered,
    OperatorAsked,
    RunFinished,
    RunResumed,
    RunStarted,
    StepFailed,
    StepFinished,
    StepStarted,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sopbench.events.types import Event


@dataclass(slots=True)
class Fact:
    """One thing that happened in a step; an action or a question also has an end, and what went on within it."""

    event: Event
    end: Event | None = None
    """Of an action or a question; None when the log ends before it did, or for what has no length."""
    inner: list[Fact] = field(default_factory=list)


@dataclass(slots=True)
class Iteration:
    """One turn of a loop."""

    started: IterationStarted
    finished: IterationFinished | None = None
    steps: list[Step] = field(default_factory=list)


@dataclass(slots=True)
class Step:
    """One visit of one node."""

    started: StepStarted
    finished: StepFinished | StepFailed | None = None
    facts: list[Fact] = field(default_factory=list)
    iterations: list[Iteration] = field(default_factory=list)
    resumed: RunResumed | None = None
    """With this step the run began again."""


@dataclass(slots=True)
class FoldedRun:
    """One run, as a tree."""

    started: RunStarted | None = None
    steps: list[Step] = field(default_factory=list)
    finished: RunFinished | None = None
    last: Event | None = None
    """The last event there is."""


def fold(events: Iterable[Event]) -> FoldedRun:
    """Fold one run's log. Whatever is missing, as in a log that was cut off, stays None."""
    run = FoldedRun()
    steps: dict[int, Step] = {}
    turns: dict[str, Iteration] = {}
    open_facts: dict[int, list[Fact]] = {}
    resumed: RunResumed | None = None
    for event in events:
        run.last = event
        if isinstance(event, RunStarted):
            run.started = event
        elif isinstance(event, RunFinished):
            run.finished = event
        elif isinstance(event, RunResumed):
            resumed = event
        elif isinstance(event, StepStarted):
            step = steps[event.step] = Step(event, resumed=resumed)
            resumed = None
            turn = turns.get(event.path[-1]) if event.path else None
            (turn.steps if turn else run.steps).append(step)
        elif isinstance(event, OfStep) and event.step in steps:
            _place(event, steps[event.step], turns, open_facts.setdefault(event.step, []))
    return run


def _place(event: OfStep, step: Step, turns: dict[str, Iteration], unfinished: list[Fact]) -> None:
    """Put one event where it belongs within its step. ``unfinished`` are the actions and questions that go on."""
    if isinstance(event, StepFinished | StepFailed):
        step.finished = event
    elif isinstance(event, IterationStarted):
        turn = turns[f"{event.node}[{event.index}]"] = Iteration(event)
        step.iterations.append(turn)
    elif isinstance(event, IterationFinished):
        if step.iterations:
            step.iterations[-1].finished = event
    elif isinstance(event, ActionFinished | ActionFailed | ModelAnswered | ModelFailed | OperatorAnswered):
        while unfinished:
            fact = unfinished.pop()
            if isinstance(fact.event, _BEGINNING[type(event)]):
                fact.end = event
                break
    else:
        if isinstance(event, AttemptStarted | AlternativeTaken | ActionStarted | ActionSkipped | Interrupted):
            unfinished.clear()  # what a time limit cut short has no end
        fact = Fact(event)
        (unfinished[-1].inner if unfinished else step.facts).append(fact)
        if isinstance(event, ActionStarted | ModelAsked | OperatorAsked):
            unfinished.append(fact)


_BEGINNING: dict[type[Event], type[Event]] = {
    ActionFinished: ActionStarted,
    ActionFailed: ActionStarted,
    ModelAnswered: ModelAsked,
    ModelFailed: ModelAsked,
    OperatorAnswered: OperatorAsked,
}
