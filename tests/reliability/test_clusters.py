"""Rates over clusters: against statsmodels, against simulation, and at the ends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.regression.linear_model import OLS  # type: ignore[import-untyped]

from sopbench.reliability.clusters import clustered_rate
from sopbench.reliability.intervals import clopper_pearson

COUNTS = [(9, 10), (10, 10), (3, 8), (20, 20), (7, 9), (1, 2)]


def test_the_error_is_the_cluster_robust_one_of_statsmodels() -> None:
    results = np.concatenate([[1] * passed + [0] * (trials - passed) for passed, trials in COUNTS])
    groups = np.concatenate([[number] * trials for number, (_, trials) in enumerate(COUNTS)])
    fitted = OLS(results, np.ones(len(results))).fit(cov_type="cluster", cov_kwds={"groups": groups})

    rate = clustered_rate(COUNTS)

    assert rate.share == pytest.approx(fitted.params[0])
    assert rate.error == pytest.approx(fitted.bse[0], rel=1e-10)


def test_clusters_of_one_trial_are_independent_trials() -> None:
    rate = clustered_rate([(1, 1)] * 47 + [(0, 1)] * 3)

    assert rate.design_effect == pytest.approx(1)
    assert rate.effective_trials == pytest.approx(50)
    assert (rate.low, rate.high) == pytest.approx(clopper_pearson(47, 50))


def test_trials_that_end_alike_within_their_cluster_count_once() -> None:
    rate = clustered_rate([(10, 10)] * 8 + [(0, 10)] * 2)

    assert rate.design_effect == pytest.approx(10, rel=0.15)
    assert rate.effective_trials == pytest.approx(10, rel=0.15)


def test_where_all_passed_each_cluster_counts_as_one_trial() -> None:
    rate = clustered_rate([(100, 100)] * 5)

    assert math.isnan(rate.design_effect)
    assert rate.effective_trials == 5
    assert rate.low == clopper_pearson(5, 5)[0]


def test_the_interval_covers_where_that_of_independent_trials_does_not() -> None:
    rng = np.random.default_rng(5)
    nights = rng.binomial(20, rng.beta(0.9 * 4, 0.1 * 4, (2_000, 25)))
    rates = [clustered_rate([(int(passed), 20) for passed in row]) for row in nights]
    naive = [clopper_pearson(int(row.sum()), 500) for row in nights]

    covered = np.mean([rate.low <= 0.9 <= rate.high for rate in rates])
    naively = np.mean([low <= 0.9 <= high for low, high in naive])

    assert covered >= 0.93
    assert naively < 0.75


@pytest.mark.parametrize(
    ("counts", "complaint"),
    [
        ([], "clusters must be at least 2, got 0"),
        ([(3, 4)], "clusters must be at least 2, got 1"),
        ([(3, 4), (0, 0)], "at least 1 trial and no more passed, got 0 of 0"),
        ([(3, 4), (5, 4)], "got 5 of 4"),
    ],
)
def test_clusters_that_cannot_be_are_refused(counts: list[tuple[int, int]], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        clustered_rate(counts)
