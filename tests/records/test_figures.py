"""The figures of a run are counted from its log."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.errors import SopbenchError, StepError
from sopbench.events.types import (
    ActionFailed,
    Event,
    ModelAnswered,
    ModelFailed,
    RunFinished,
    StepFailed,
    StepFinished,
    StepStarted,
)
from sopbench.records.figures import CAUSE_OF_ERROR, figures


def start(step: int) -> StepStarted:
    return StepStarted(step=step, node=f"n{step}", kind="task", label=f"Step {step}")


def done(step: int, tier: Any = "exact", attempts: int = 1) -> StepFinished:
    return StepFinished(step=step, node=f"n{step}", condition="next", tier=tier, attempts=attempts, duration_s=1)


def failing(step: int, error: str) -> ActionFailed:
    return ActionFailed(step=step, action=0, duration_s=0, error=error, message="", performed=False)


def answer(*, cost: float | None, replayed: bool) -> ModelAnswered:
    return ModelAnswered(
        step=1, model="m", answer={}, input_tokens=10, output_tokens=2, cost_usd=cost, replayed=replayed, duration_s=1
    )


END = RunFinished(status="completed", reason="done", steps=2, duration_s=7.5)


def test_steps_tiers_and_the_end_are_counted() -> None:
    events: list[Event] = [start(1), done(1), start(2), done(2, "retried", 3), start(3), done(3, "assisted"), END]

    counted = figures(events)

    assert (counted.status, counted.reason, counted.duration_s, counted.steps) == ("completed", "done", 7.5, 3)
    assert counted.tiers == {"exact": 1, "retried": 1, "assisted": 1}
    assert counted.retries == 2


@pytest.mark.parametrize("tier", ["alternative", "explored", "assisted"])
def test_a_recovery_without_a_further_attempt_has_a_cause_too(tier: str) -> None:
    events: list[Event] = [
        start(1),
        failing(1, "ValueNotHeld"),
        start(2),
        failing(2, "TargetNotFound"),
        done(2, tier),
        END,
    ]

    assert figures(events).first_cause == "target"
    assert figures([start(1), done(1, tier), END]).first_cause == ""


@pytest.mark.parametrize("events", [[], [start(1)], [start(1), done(1)]])
def test_a_log_without_an_end_is_of_a_killed_run(events: list[Event]) -> None:
    counted = figures(events)

    assert counted.status == "killed"
    assert counted.steps == len([event for event in events if isinstance(event, StepStarted)])


def test_a_retried_step_is_named_with_the_cause_of_its_first_failure() -> None:
    events: list[Event] = [
        start(1), done(1),
        start(2), failing(2, "ExpectationFailed"), failing(2, "TargetNotFound"), done(2, "retried", 3),
        start(3), failing(3, "NetworkFailed"),
        StepFailed(step=3, node="n3", attempts=2, duration_s=0, error="NetworkFailed", message="", cause="network"),
        END,
    ]  # fmt: skip

    counted = figures(events)

    assert [(r.step, r.label, r.attempts, r.cause) for r in counted.retried] == [
        (2, "Step 2", 3, "timing"),
        (3, "Step 3", 2, "network"),
    ]
    assert counted.first_cause == "timing"


def test_a_run_without_retries_has_no_first_cause() -> None:
    assert figures([start(1), failing(1, "TargetNotFound"), END]).first_cause == ""


def test_model_calls_are_counted_with_their_tokens_and_price() -> None:
    failed = ModelFailed(step=1, error="ModelUnavailable", message="", duration_s=0)

    counted = figures([answer(cost=0.5, replayed=True), answer(cost=None, replayed=False), failed, END])

    assert (counted.model_calls, counted.live_calls) == (3, 1)
    assert (counted.input_tokens, counted.output_tokens, counted.cost_usd) == (20, 4, 0.5)


def test_a_price_nobody_knows_is_not_nothing() -> None:
    assert figures([answer(cost=None, replayed=False), END]).cost_usd is None
    assert figures([END]).cost_usd is None


def test_the_cause_of_an_error_is_the_one_the_error_itself_names() -> None:
    def kinds(kind: type[SopbenchError]) -> list[type[SopbenchError]]:
        return [each for sub in kind.__subclasses__() for each in (sub, *kinds(sub))]

    assert {kind.__name__: kind.cause for kind in kinds(StepError)} == CAUSE_OF_ERROR  # type: ignore[attr-defined]
