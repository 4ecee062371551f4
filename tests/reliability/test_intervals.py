"""The statistics agree with scipy's own, with published figures, and refuse nonsense."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from scipy.stats import binom, binomtest  # type: ignore[import-untyped]
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from sopbench.reliability.intervals import clopper_pearson, jeffreys, rate_still_possible, trials_needed, wilson


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


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(("passed", "trials"), [(1, 3), (19, 20), (7, 13), (1998, 2000)])
def test_wilson_and_jeffreys_are_those_of_statsmodels(passed: int, trials: int, confidence: float) -> None:
    reference = {
        method: proportion_confint(passed, trials, alpha=1 - confidence, method=method)
        for method in ("wilson", "jeffreys")
    }

    assert wilson(passed, trials, confidence) == pytest.approx(reference["wilson"], abs=1e-12)
    assert jeffreys(passed, trials, confidence) == pytest.approx(reference["jeffreys"], abs=1e-12)


def test_at_the_ends_no_interval_leaves_out_the_rate_that_fits_best() -> None:
    for interval in (clopper_pearson, wilson, jeffreys):
        assert interval(20, 20)[1] == 1
        assert interval(0, 20)[0] == 0


def test_only_the_exact_interval_keeps_its_word_for_every_high_rate() -> None:
    trials, rates = 100, [0.9, 0.95, 0.97, 0.98, 0.99, 0.995]

    def kept(interval: Callable[[int, int], tuple[float, float]], rate: float) -> float:
        bounds = [interval(passed, trials) for passed in range(trials + 1)]
        covers = [low <= rate <= high for low, high in bounds]
        return float(binom.pmf(range(trials + 1), trials, rate) @ covers)

    assert min(kept(clopper_pearson, rate) for rate in rates) >= 0.95
    assert min(kept(wilson, rate) for rate in rates) < 0.93
    assert min(kept(jeffreys, rate) for rate in rates) < 0.93


def test_wilson_and_jeffreys_are_too_generous_to_certify_99_percent_by() -> None:
    low = {interval: interval(200, 200, 0.9)[0] for interval in (clopper_pearson, wilson, jeffreys)}

    assert low[clopper_pearson] < 0.99
    assert low[jeffreys] > 0.99


@pytest.mark.parametrize(("trials", "rate"), [(1, 0.95), (20, 0.1391), (59, 0.0495), (299, 0.00997)])
def test_what_was_never_seen_may_still_be_as_frequent_as_the_rule_of_three_says(trials: int, rate: float) -> None:
    assert rate_still_possible(trials) == pytest.approx(rate, rel=1e-3)
    assert rate_still_possible(trials) <= 3 / trials
