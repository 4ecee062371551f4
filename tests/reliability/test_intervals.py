"""The statistics agree with scipy's own, with published figures, and refuse nonsense."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest  # type: ignore[import-untyped]

from sopbench.reliability.intervals import clopper_pearson, trials_needed


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(("passed", "trials"), [(0, 1), (1, 1), (0, 20), (19, 20), (20, 20), (7, 13), (1998, 2000)])
def test_the_interval_is_the_exact_one_of_scipy(passed: int, trials: int, confidence: float) -> None:
    reference = binomtest(passed, trials).proportion_ci(confidence, method="exact")

    interval = clopper_pearson(passed, trials, confidence)

    assert interval == pytest.approx((reference.low, reference.high), abs=1e-12)


def test_twenty_of_twenty_leave_room_for_a_rate_of_83_percent() -> None:
    low, high = clopper_pearson(20, 20)

    assert round(low, 3) == 0.832
    assert high == 1.0


@pytest.mark.parametrize(
    ("reliability", "confidence", "trials"),
    [(0.99, 0.95, 299), (0.95, 0.95, 59), (0.9, 0.95, 29), (0.99, 0.99, 459), (0.5, 0.75, 2), (0.5, 0.1, 1)],
)
def test_the_trials_a_claim_takes_are_the_published_ones(reliability: float, confidence: float, trials: int) -> None:
    assert trials_needed(reliability, confidence) == trials


@pytest.mark.parametrize("reliability", [0.9, 0.95, 0.99, 0.999])
def test_one_trial_fewer_would_not_carry_the_claim(reliability: float) -> None:
    needed = trials_needed(reliability)

    one_sided = [clopper_pearson(n, n, confidence=0.90)[0] for n in (needed - 1, needed)]

    assert one_sided[0] < reliability <= one_sided[1]


@pytest.mark.parametrize(
    ("passed", "trials", "confidence", "complaint"),
    [
        (0, 0, 0.95, "trials must be at least 1, got 0"),
        (0, -3, 0.95, "trials must be at least 1, got -3"),
        (6, 5, 0.95, "passed must be from 0 to 5, got 6"),
        (-1, 5, 0.95, "passed must be from 0 to 5, got -1"),
        (1, 5, 0.0, "confidence must be between 0 and 1, got 0.0"),
        (1, 5, 95, "confidence must be between 0 and 1, got 95"),
        (1, 5, float("nan"), "confidence must be between 0 and 1, got nan"),
    ],
)
def test_an_interval_of_nonsense_is_refused(passed: int, trials: int, confidence: float, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        clopper_pearson(passed, trials, confidence)


@pytest.mark.parametrize("reliability", [0, 1, 1.2, -0.1])
def test_certainty_cannot_be_claimed_by_any_number_of_trials(reliability: float) -> None:
    with pytest.raises(ValueError, match="reliability must be between 0 and 1"):
        trials_needed(reliability)
