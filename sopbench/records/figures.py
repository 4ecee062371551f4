"""The figures of one run, counted from its log."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from sopbench.events.types import (
    ActionFailed,
    ActionStarted,
    ModelAnswered,
    ModelFailed,
    RunFinished,
    RunResumed,
    StepFailed,
    StepFinished,
    StepStarted,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.events.types import Event

CAUSE_OF_ERROR = {
    "TargetNotFound": "target",
    "ExpectationFailed": "timing",
    "ValueNotHeld": "data",
    "DialogFailed": "navigation",
    "NavigationFailed": "navigation",
    "NetworkFailed": "network",
    "DataInvalid": "data",
    "TextInvalid": "model",
    "TemplateFailed": "procedure",
    "GoalNotReached": "target",
    "WayLost": "navigation",
    "ToolUnavailable": "network",
    "ToolRefused": "data",
    "BrowserLost": "browser",
}
"""The likeliest cause of a failed attempt, by the kind of its error alone."""
_TOOL_VERBS = ("request", "call_tool")


class Retried(BaseModel):
    """A step that needed more than one attempt."""

    model_config = ConfigDict(frozen=True)

    step: int
    node: str
    label: str
    attempts: int
    cause: str


class Figures(BaseModel):
    """Counts and times of one run."""

    model_config = ConfigDict(frozen=True)

    status: str
    """The run's own word; ``killed`` when the log has no end."""
    reason: str = ""
    cause: str = ""
    duration_s: float = 0
    steps: int = 0
    tiers: dict[str, int] = {}
    """How many steps got done by which tier."""
    retried: tuple[Retried, ...] = ()
    healed: tuple[str, ...] = ()
    """Nodes of the steps that another element was taken in, once for each such step."""
    resumed: int = 0
    """How often the run began again from its start."""
    recovered_cause: str = ""
    """Cause of the first failure in a step that got done all the same; empty when there was none."""
    tool_calls: int = 0
    """Requests to web APIs and calls of MCP tools that were begun."""
    model_calls: int = 0
    live_calls: int = 0
    """Those that did not come from a cassette."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    """None when no call had a known price."""

    @property
    def retries(self) -> int:
        """Attempts beyond the first, over all steps."""
        return sum(step.attempts - 1 for step in self.retried)

    @property
    def first_cause(self) -> str:
        """Cause of the first recovery; empty when there was none."""
        if self.retried:
            return self.retried[0].cause
        return self.recovered_cause or ("target" if self.healed else "")


def figures(events: Sequence[Event]) -> Figures:
    """Count one run. A log without an end gives status ``killed``."""
    end = next((event for event in reversed(events) if isinstance(event, RunFinished)), None)
    answers = [event for event in events if isinstance(event, ModelAnswered)]
    costs = [answer.cost_usd for answer in answers if answer.cost_usd is not None]
    return Figures(
        status=end.status if end else "killed",
        reason=end.reason if end else "the log ends in the middle of the run",
        cause=end.cause if end else "",
        duration_s=end.duration_s if end else 0,
        steps=sum(isinstance(event, StepStarted) for event in events),
        tiers=dict(Counter(event.tier for event in events if isinstance(event, StepFinished))),
        retried=_retried(events),
        healed=tuple(event.node for event in events if isinstance(event, StepFinished) and event.tier == "healed"),
        resumed=sum(isinstance(event, RunResumed) for event in events),
        recovered_cause=_recovered_cause(events),
        tool_calls=sum(isinstance(event, ActionStarted) and event.do in _TOOL_VERBS for event in events),
        model_calls=len(answers) + sum(isinstance(event, ModelFailed) for event in events),
        live_calls=sum(not answer.replayed for answer in answers),
        input_tokens=sum(answer.input_tokens for answer in answers),
        output_tokens=sum(answer.output_tokens for answer in answers),
        cost_usd=sum(costs) if costs else None,
    )


def _recovered_cause(events: Sequence[Event]) -> str:
    resumed = next((event.cause for event in events if isinstance(event, RunResumed)), "")
    done = {event.step for event in events if isinstance(event, StepFinished) and event.tier != "exact"}
    failures = (event.error for event in events if isinstance(event, ActionFailed) and event.step in done)
    return CAUSE_OF_ERROR.get(next(failures, ""), "") or resumed


def _retried(events: Sequence[Event]) -> tuple[Retried, ...]:
    labels = {event.step: event.label for event in events if isinstance(event, StepStarted)}
    errors: dict[int, str] = {}
    for event in events:
        if isinstance(event, ActionFailed):
            errors.setdefault(event.step, event.error)
    return tuple(
        Retried(
            step=event.step,
            node=event.node,
            label=labels.get(event.step, ""),
            attempts=event.attempts,
            cause=CAUSE_OF_ERROR.get(errors.get(event.step, ""), ""),
        )
        for event in events
        if isinstance(event, StepFinished | StepFailed) and event.attempts > 1
    )
