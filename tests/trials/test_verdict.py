"""The table of verdicts, row by row."""

from __future__ import annotations

import pytest

from sopbench.records.figures import Figures, Retried
from sopbench.trials.seeds import trial_seed
from sopbench.trials.verdict import Grade, Outcome, Verdict, broken, judge

AS_EXPECTED = Outcome()
MISSING = Outcome(missing=("T: no record 'a'",))
WRONG = Outcome(wrong=("T: extra record 'b'",))
BOTH = MISSING + WRONG


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (AS_EXPECTED, Verdict.PASSED),
        (MISSING, Verdict.FAILED_SILENT),
        (WRONG, Verdict.FAILED_SILENT),
        (BOTH, Verdict.FAILED_SILENT),
    ],
)
def test_a_run_that_says_it_completed(outcome: Outcome, verdict: Verdict) -> None:
    judgement = judge(Figures(status="completed", tiers={"exact": 3}), outcome)

    assert judgement.verdict is verdict
    assert (judgement.grade is not None) is (verdict is Verdict.PASSED)
    assert judgement.reason == "; ".join(outcome.wrong + outcome.missing)
    assert judgement.outcome == outcome


@pytest.mark.parametrize("status", ["stopped", "failed", "timed_out", "cancelled", "killed"])
@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (AS_EXPECTED, Verdict.FAILED_SAFE),
        (MISSING, Verdict.FAILED_SAFE),
        (WRONG, Verdict.FAILED_HARMFUL),
        (BOTH, Verdict.FAILED_HARMFUL),
    ],
)
def test_a_run_that_says_it_did_not_complete(status: str, outcome: Outcome, verdict: Verdict) -> None:
    judgement = judge(Figures(status=status, reason="no button", cause="target"), outcome)

    assert judgement.verdict is verdict
    assert judgement.grade is None
    assert judgement.cause == "target"
    assert judgement.reason == "; ".join(("no button", *outcome.wrong))


@pytest.mark.parametrize(
    ("tiers", "grade"),
    [
        ({"exact": 5}, Grade.CLEAN),
        ({}, Grade.CLEAN),
        ({"exact": 5, "retried": 1}, Grade.RECOVERED),
        ({"healed": 1}, Grade.RECOVERED),
        ({"exact": 1, "explored": 1}, Grade.RECOVERED),
        ({"exact": 1, "alternative": 1}, Grade.RECOVERED),
        ({"alternative": 1, "assisted": 1}, Grade.ASSISTED),
        ({"exact": 5, "assisted": 1}, Grade.ASSISTED),
        ({"retried": 2, "assisted": 1}, Grade.ASSISTED),
    ],
)
def test_a_passed_trial_has_the_grade_of_its_weakest_step(tiers: dict[str, int], grade: Grade) -> None:
    assert judge(Figures(status="completed", tiers=tiers), AS_EXPECTED).grade is grade


def test_a_recovered_pass_names_the_cause_of_its_first_retry() -> None:
    retried = Retried(step=2, node="n", label="N", attempts=2, cause="timing")

    judgement = judge(Figures(status="completed", tiers={"retried": 1}, retried=(retried,)), AS_EXPECTED)

    assert judgement.cause == "timing"


def test_a_clean_pass_has_no_cause() -> None:
    assert judge(Figures(status="completed", tiers={"exact": 1}), AS_EXPECTED).cause == ""


def test_a_broken_trial_is_no_evidence_either_way() -> None:
    judgement = broken("no browser")

    assert (judgement.verdict, judgement.grade, judgement.reason) == (Verdict.BROKEN, None, "no browser")


def test_seeds_differ_from_trial_to_trial_and_session_to_session_and_stay_the_same_for_ever() -> None:
    seeds = {trial_seed(seed, trial) for seed in range(20) for trial in range(1, 101)}

    assert len(seeds) == 2000
    assert all(0 <= seed < 2**32 for seed in seeds)
    assert (trial_seed(0, 1), trial_seed(7, 3)) == (4011020074, 287060127)
