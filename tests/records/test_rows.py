"""From the events of one run to rows."""

from __future__ import annotations

from sopbench.events.types import (
    ActionFailed,
    ActionStarted,
    AttemptStarted,
    DecisionMade,
    Event,
    ModelAnswered,
    ModelAsked,
    ModelFailed,
    StepFailed,
    StepFinished,
    StepStarted,
    TargetHealed,
    TargetUnclear,
)
from sopbench.records.rows import rows_of_log


def started(step: int, node: str = "save") -> StepStarted:
    return StepStarted(step=step, node=node, kind="task", label=node.title())


def finished(step: int, duration_s: float = 1.0, attempts: int = 1, node: str = "save") -> StepFinished:
    tier = "exact" if attempts == 1 else "retried"
    return StepFinished(step=step, node=node, condition="next", tier=tier, attempts=attempts, duration_s=duration_s)


def failing(step: int, error: str = "TargetNotFound") -> list[Event]:
    return [
        ActionStarted(step=step, action=2, do="click", says="click Save", effect="idempotent", arguments={}),
        ActionFailed(step=step, action=2, duration_s=1, error=error, message="no Save", performed=False),
    ]


def asked(step: int, about: str = "the mail") -> ModelAsked:
    return ModelAsked(step=step, purpose="decide", question="Investor?", about=about)


def answered(step: int) -> ModelAnswered:
    return ModelAnswered(
        step=step,
        model="m",
        answer={"choice": "yes"},
        input_tokens=10,
        output_tokens=2,
        cost_usd=0.5,
        replayed=False,
        duration_s=1,
    )


def test_what_a_step_took_itself_is_without_the_steps_inside_it() -> None:
    events = [started(1, "outer"), started(2), finished(2, 3.0), started(3), finished(3, 4.0), finished(1, 10.0)]

    outer, *inner = rows_of_log(7, events)["steps"]

    assert (outer["own_s"], outer["duration_s"], outer["parent"]) == (3.0, 10.0, 0)
    assert [row["parent"] for row in inner] == [1, 1]
    assert {row["key"] for row in (outer, *inner)} == {7}


def test_the_visits_of_a_node_are_counted() -> None:
    events = [started(1, "a"), finished(1), started(2, "b"), finished(2), started(3, "a"), finished(3)]

    assert [row["visit"] for row in rows_of_log(1, events)["steps"]] == [1, 1, 2]


def test_a_step_without_an_end_is_unfinished_and_has_no_duration() -> None:
    row = rows_of_log(1, [started(1)])["steps"][0]

    assert (row["outcome"], row["tier"], row["duration_s"], row["own_s"]) == ("unfinished", "", None, None)


def test_a_step_that_went_right_at_once_has_no_attempts_to_tell() -> None:
    assert rows_of_log(1, [started(1), finished(1)])["attempts"] == []


def test_each_attempt_says_why_it_failed_and_the_step_keeps_the_first_reason() -> None:
    events = [
        started(1),
        *failing(1, "ExpectationFailed"),
        AttemptStarted(step=1, attempt=2, waited_s=0.5),
        finished(1, attempts=2),
    ]

    rows = rows_of_log(1, events)

    assert [(each["attempt"], each["error"], each["verb"], each["waited_s"]) for each in rows["attempts"]] == [
        (1, "ExpectationFailed", "click", 0.0),
        (2, "", "", 0.5),
    ]
    assert (rows["steps"][0]["outcome"], rows["steps"][0]["cause"]) == ("done", "timing")


def test_a_step_that_fails_without_an_action_has_its_error_in_its_attempt() -> None:
    end = StepFailed(step=1, node="save", attempts=1, duration_s=2, error="CassetteMiss", message="none", cause="model")

    rows = rows_of_log(1, [started(1), end])

    assert [(each["error"], each["cause"]) for each in rows["attempts"]] == [("CassetteMiss", "model")]
    assert rows["steps"][0]["outcome"] == "failed"


def test_the_same_question_has_the_same_id_and_another_one_has_not() -> None:
    events = [started(1), *(each for about in ("a", "a", "b") for each in (asked(1, about), answered(1))), finished(1)]

    first, second, third = (row["question_id"] for row in rows_of_log(1, events)["model_calls"])

    assert first == second != third


def test_a_call_without_an_answer_says_its_error() -> None:
    events = [started(1), asked(1), ModelFailed(step=1, error="ModelUnavailable", message="busy", duration_s=2)]

    call = rows_of_log(1, events)["model_calls"][0]

    assert (call["error"], call["purpose"], call.get("cost_usd")) == ("ModelUnavailable", "decide", None)


def test_a_decision_by_a_check_has_no_question() -> None:
    by_model = DecisionMade(step=1, branch="yes", by="model", evidence="said so")
    by_check = DecisionMade(step=1, branch="no", by="check", evidence="held")

    rows = rows_of_log(1, [started(1), asked(1), answered(1), by_model, by_check, finished(1)])

    of_model, of_check = rows["decisions"]
    assert of_model["question_id"] == rows["model_calls"][0]["question_id"]
    assert of_check["question_id"] == ""


def test_a_heal_is_proven_by_the_end_of_its_step() -> None:
    healed = TargetHealed(
        step=1,
        action=0,
        says="Save it",
        by="score",
        old={},
        new={},
        target={},
        candidates=3,
        score=0.9,
        probability=0.99,
        margin=0.2,
    )
    unclear = TargetUnclear(step=2, action=0, why="two are alike", candidates=2, best=())
    end = StepFailed(step=2, node="save", attempts=1, duration_s=2, error="TargetNotFound", message="", cause="target")

    rows = rows_of_log(1, [started(1), healed, finished(1), started(2), unclear, end])["heals"]

    assert [(row["taken"], row["proven"]) for row in rows] == [(True, True), (False, False)]
