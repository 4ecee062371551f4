"""What a trial is worth: the run's own word held against what the oracle found."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from sopbench.records.figures import Figures


class Verdict(StrEnum):
    """See the table in ``judge``."""

    PASSED = "passed"
    FAILED_SILENT = "failed_silent"
    FAILED_SAFE = "failed_safe"
    FAILED_HARMFUL = "failed_harmful"
    BROKEN = "broken"


class Grade(StrEnum):
    """How a passed trial got there."""

    CLEAN = "clean"
    RECOVERED = "recovered"
    ASSISTED = "assisted"


class Outcome(BaseModel):
    """What the oracle found on the sites."""

    model_config = ConfigDict(frozen=True)

    missing: tuple[str, ...] = ()
    """Parts of the expected outcome that are not there yet."""
    wrong: tuple[str, ...] = ()
    """What must not be: a false, extra, doubled or half-written record, a changed bystander."""

    @property
    def as_expected(self) -> bool:
        return not self.missing and not self.wrong

    def __add__(self, other: Outcome) -> Outcome:
        return Outcome(missing=self.missing + other.missing, wrong=self.wrong + other.wrong)


class Judgement(BaseModel):
    """The verdict on one trial, with its reasons."""

    model_config = ConfigDict(frozen=True)

    verdict: Verdict
    grade: Grade | None = None
    """Of a passed trial only."""
    cause: str = ""
    """From the closed list; empty for a clean pass, and where it is not known."""
    reason: str = ""
    outcome: Outcome = Outcome()


def judge(figures: Figures, outcome: Outcome) -> Judgement:
    """Weigh both witnesses.

    run completed, outcome as expected → passed; completed, anything else → failed_silent; not completed, nothing wrong
    on the sites → failed_safe; not completed, something wrong → failed_harmful.
    """
    if figures.status == "completed":
        if outcome.as_expected:
            return Judgement(verdict=Verdict.PASSED, grade=_grade(figures), cause=figures.first_cause, outcome=outcome)
        return Judgement(
            verdict=Verdict.FAILED_SILENT,
            cause=figures.first_cause,
            reason="; ".join(outcome.wrong + outcome.missing),
            outcome=outcome,
        )
    verdict = Verdict.FAILED_HARMFUL if outcome.wrong else Verdict.FAILED_SAFE
    reason = "; ".join((figures.reason, *outcome.wrong))
    return Judgement(verdict=verdict, cause=figures.cause, reason=reason, outcome=outcome)


def broken(reason: str) -> Judgement:
    """The harness or its environment broke; the trial is no evidence either way."""
    return Judgement(verdict=Verdict.BROKEN, reason=reason)


def _grade(figures: Figures) -> Grade:
    if figures.tiers.get("assisted"):
        return Grade.ASSISTED
    return Grade.CLEAN if set(figures.tiers) <= {"exact"} and not figures.resumed else Grade.RECOVERED
