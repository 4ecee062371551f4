"""Comparisons with a baseline: against scipy and statsmodels, and the power against simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, fisher_exact  # type: ignore[import-untyped]
from statsmodels.stats.contingency_tables import mcnemar  # type: ignore[import-untyped]

from sopbench.reliability.comparison import Counts, Pairs, fisher_worse, mcnemar_worse, paired
from sopbench.reliability.power import failures_that_tell, fisher_power, pairs_for_drop, trials_for_drop


def test_fishers_tea_table_gives_his_own_figure() -> None:
    assert fisher_worse(Counts(passed=3, trials=4), Counts(passed=1, trials=4)) == pytest.approx(17 / 70)


@pytest.mark.parametrize(("worse", "better"), [(5, 1), (1, 5), (0, 0), (12, 3), (4, 4)])
def test_mcnemar_is_that_of_statsmodels_for_one_side(worse: int, better: int) -> None:
    both_sides = mcnemar([[80, worse], [better, 7]], exact=True).pvalue

    p = mcnemar_worse(Pairs(both_passed=80, worse=worse, better=better, both_failed=7))
    mirrored = mcnemar_worse(Pairs(both_passed=80, worse=better, better=worse, both_failed=7))

    assert min(1, 2 * min(p, mirrored)) == pytest.approx(both_sides)


def test_pairs_are_seeds_that_both_sides_have() -> None:
    baseline = {1: True, 2: True, 3: False, 4: False, 9: True}
    now = {1: True, 2: False, 3: True, 4: False, 8: False}

    assert paired(baseline, now) == Pairs(both_passed=1, worse=1, better=1, both_failed=1)


def test_without_a_common_seed_there_is_no_comparison() -> None:
    with pytest.raises(ValueError, match="no seed is in both"):
        mcnemar_worse(paired({1: True}, {2: True}))


@pytest.mark.parametrize("baseline", [Counts(40, 40), Counts(35, 40), Counts(3, 40), Counts(0, 3), Counts(9, 12)])
@pytest.mark.parametrize("trials", [1, 7, 30, 61])
def test_the_failures_that_tell_are_those_of_scipys_fisher(baseline: Counts, trials: int) -> None:
    telling = [
        failures
        for failures in range(trials + 1)
        if fisher_exact(
            [[failures, trials - failures], [baseline.failed, baseline.passed]], alternative="greater"
        ).pvalue
        <= 0.05
    ]

    assert failures_that_tell(baseline, trials) == (telling[0] if telling else trials + 1)


def test_the_trials_for_a_drop_are_the_first_that_have_the_power() -> None:
    baseline = Counts(297, 300)

    trials = trials_for_drop(baseline, drop=0.05)

    assert trials == 195
    assert fisher_power(baseline, 195, 0.94) >= 0.95
    assert all(fisher_power(baseline, fewer, 0.94) < 0.95 for fewer in range(150, 195))


def test_when_nothing_changed_fisher_finds_it_worse_no_more_often_than_alpha() -> None:
    baseline = np.arange(301)
    chances = binom.pmf(baseline, 300, 0.97)
    found = [
        chance * binom.sf(failures_that_tell(Counts(int(passed), 300), 100) - 1, 100, 0.03)
        for passed, chance in zip(baseline, chances, strict=True)
        if chance > 1e-9
    ]

    assert 0.005 < sum(found) <= 0.05


def test_a_baseline_too_small_for_a_drop_is_told_by_no_number() -> None:
    assert trials_for_drop(Counts(20, 20), drop=0.05) is None


def test_the_pairs_for_a_drop_find_it_as_often_as_asked() -> None:
    pairs, rng = pairs_for_drop(0.08, 0.01), np.random.default_rng(10)
    assert pairs is not None
    drawn = rng.multinomial(pairs, [0.08, 0.01, 0.91], 3_000)
    found = [mcnemar_worse(Pairs(int(same), int(worse), int(better), 0)) <= 0.05 for worse, better, same in drawn]

    assert np.mean(found) == pytest.approx(0.95, abs=0.015)


@pytest.mark.parametrize(
    ("drop", "complaint"), [(0.995, "cannot drop by 0.995"), (0, "drop must be between 0 and 1"), (1.2, "drop must be")]
)
def test_a_drop_that_cannot_be_is_refused(drop: float, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        trials_for_drop(Counts(99, 100), drop)


def test_counts_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="trials must be at least 1, got 0"):
        Counts(0, 0)
    with pytest.raises(ValueError, match="passed must be from 0 to 3, got 4"):
        Counts(4, 3)
    with pytest.raises(ValueError, match="0 ≤ better < worse"):
        pairs_for_drop(0.01, 0.05)
