"""From the log of one run to rows of the tables: its steps, attempts, questions to models, decisions and heals."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sopbench.events.types import (
    ActionFailed,
    ActionStarted,
    AttemptStarted,
    DecisionMade,
    ModelAnswered,
    ModelAsked,
    ModelFailed,
    StepFailed,
    StepFinished,
    StepStarted,
    TargetHealed,
    TargetUnclear,
)
from sopbench.records.figures import CAUSE_OF_ERROR
from sopbench.records.tables import ATTEMPTS, DECISIONS, HEALS, MODEL_CALLS, STEPS, Row, Rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sopbench.events.types import Event

QUESTION_CHARS = 200
ANSWER_CHARS = 2_000
MESSAGE_CHARS = 300


@dataclass
class _Step:
    """A step while its events are read."""

    start: StepStarted
    parent: int
    visit: int
    verb: str = ""
    within_s: float = 0.0
    """What the steps inside it took."""
    tries: list[Row] = field(default_factory=list)
    end: StepFinished | StepFailed | None = None


def rows_of_log(key: int, events: Iterable[Event]) -> Rows:
    """All rows that the log of one run gives; ``key`` is the run's."""
    return _Reading(key).read(events)


class _Reading:
    def __init__(self, key: int) -> None:
        self._key = key
        self._steps: dict[int, _Step] = {}
        self._open: list[int] = []
        self._visits: Counter[str] = Counter()
        self._asked: dict[int, ModelAsked] = {}
        self._rows: Rows = {name: [] for name in (MODEL_CALLS.name, DECISIONS.name, HEALS.name)}

    def read(self, events: Iterable[Event]) -> Rows:
        for event in events:
            match event:
                case StepStarted():
                    parent = self._open[-1] if self._open else 0
                    self._visits[event.node] += 1
                    self._steps[event.step] = _Step(event, parent, self._visits[event.node], tries=[_try(1, 0.0)])
                    self._open.append(event.step)
                case StepFinished() | StepFailed():
                    self._end(event)
                case AttemptStarted() | ActionStarted() | ActionFailed():
                    self._act(event)
                case ModelAsked() | ModelAnswered() | ModelFailed() | DecisionMade():
                    self._ask(event)
                case TargetHealed() | TargetUnclear():
                    self._rows[HEALS.name].append(self._of(event.step) | _heal(event))
                case _:
                    pass
        self._rows[STEPS.name] = [{"key": self._key} | _step(step) for step in self._steps.values()]
        self._rows[ATTEMPTS.name] = [
            self._of(number) | attempt for number, step in self._steps.items() for attempt in _attempts(step)
        ]
        for heal in self._rows[HEALS.name]:
            step = self._steps.get(heal["step"])
            heal["proven"] = heal["taken"] and step is not None and isinstance(step.end, StepFinished)
        return self._rows

    def _of(self, step: int) -> Row:
        known = self._steps.get(step)
        return {"key": self._key, "step": step, "node": known.start.node if known else ""}

    def _end(self, event: StepFinished | StepFailed) -> None:
        step = self._steps.get(event.step)
        if step is None:
            return
        step.end = event
        while self._open and self._open.pop() != event.step:
            pass
        if step.parent in self._steps:
            self._steps[step.parent].within_s += event.duration_s
        if isinstance(event, StepFailed) and not step.tries[-1]["error"]:
            step.tries[-1] |= {"error": event.error, "cause": event.cause, "message": event.message[:MESSAGE_CHARS]}

    def _act(self, event: AttemptStarted | ActionStarted | ActionFailed) -> None:
        step = self._steps.get(event.step)
        if step is None:
            return
        match event:
            case AttemptStarted():
                step.tries.append(_try(event.attempt, event.waited_s))
            case ActionStarted():
                step.verb = event.do
            case ActionFailed() if not step.tries[-1]["error"]:
                step.tries[-1] |= {
                    "action": event.action,
                    "verb": step.verb,
                    "error": event.error,
                    "cause": CAUSE_OF_ERROR.get(event.error, ""),
                    "message": event.message[:MESSAGE_CHARS],
                }

    def _ask(self, event: ModelAsked | ModelAnswered | ModelFailed | DecisionMade) -> None:
        match event:
            case ModelAsked():
                self._asked[event.step] = event
            case DecisionMade():
                asked = self._asked.get(event.step) if event.by in ("model", "unsure") else None
                self._rows[DECISIONS.name].append(self._of(event.step) | _decision(event, asked))
            case _:
                call = _call(event, self._asked.get(event.step))
                self._rows[MODEL_CALLS.name].append(self._of(event.step) | call)


def question_id(asked: ModelAsked | None) -> str:
    """A digest of all that a model was asked; the same for the same question. Empty without one."""
    if asked is None:
        return ""
    told = json.dumps([asked.purpose, asked.question, asked.about], ensure_ascii=False)
    return hashlib.blake2b(told.encode(), digest_size=8).hexdigest()


def _try(attempt: int, waited_s: float) -> Row:
    return {
        "attempt": attempt,
        "waited_s": waited_s,
        "action": -1,
        "verb": "",
        "error": "",
        "cause": "",
        "message": "",
    }


def _attempts(step: _Step) -> list[Row]:
    return step.tries if len(step.tries) > 1 or step.tries[0]["error"] else []


def _step(step: _Step) -> Row:
    start, end = step.start, step.end
    first = next((attempt for attempt in step.tries if attempt["error"]), None)
    return {
        "step": start.step,
        "parent": step.parent,
        "node": start.node,
        "visit": step.visit,
        "kind": start.kind,
        "label": start.label,
        "path": " › ".join(start.path),
        "outcome": "unfinished" if end is None else "done" if isinstance(end, StepFinished) else "failed",
        "tier": end.tier if isinstance(end, StepFinished) else "",
        "branch": end.condition if isinstance(end, StepFinished) else "",
        "attempts": end.attempts if end else len(step.tries),
        "duration_s": end.duration_s if end else None,
        "own_s": max(0.0, end.duration_s - step.within_s) if end else None,
        "error": first["error"] if first else "",
        "cause": first["cause"] if first else "",
        "message": end.message[:MESSAGE_CHARS] if isinstance(end, StepFailed) else first["message"] if first else "",
    }


def _decision(event: DecisionMade, asked: ModelAsked | None) -> Row:
    return {
        "branch": event.branch,
        "by": event.by,
        "choice": event.choice,
        "confidence": event.confidence,
        "evidence": event.evidence[:MESSAGE_CHARS],
        "quote": event.quote[:MESSAGE_CHARS],
        "question_id": question_id(asked),
    }


def _call(event: ModelAnswered | ModelFailed, asked: ModelAsked | None) -> Row:
    question = {
        "purpose": asked.purpose if asked else "",
        "question": asked.question[:QUESTION_CHARS] if asked else "",
        "question_id": question_id(asked),
        "duration_s": event.duration_s,
    }
    if isinstance(event, ModelFailed):
        return question | {"error": event.error}
    return question | {
        "model": event.model,
        "form": event.form,
        "replayed": event.replayed,
        "input_tokens": event.input_tokens,
        "cached_tokens": event.cached_tokens,
        "output_tokens": event.output_tokens,
        "cost_usd": event.cost_usd,
        "answer": json.dumps(event.answer, ensure_ascii=False, sort_keys=True)[:ANSWER_CHARS],
    }


def _heal(event: TargetHealed | TargetUnclear) -> Row:
    if isinstance(event, TargetUnclear):
        return {
            "action": event.action,
            "taken": False,
            "says": event.why,
            "candidates": event.candidates,
            "picture": event.picture,
        }
    return {
        "action": event.action,
        "taken": True,
        "by": event.by,
        "says": event.says,
        "score": event.score,
        "probability": event.probability,
        "margin": event.margin,
        "candidates": event.candidates,
        "picture": event.picture,
    }
