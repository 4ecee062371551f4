"""Typical durations: the same for the same seed, covering as they say, and nothing where there is nothing to say."""

from __future__ import annotations

import numpy as np
import pytest

from sopbench.reliability.durations import FEWEST_FOR_P95, typical


def test_median_and_p95_are_the_samples_own() -> None:
    sample = typical([float(number) for number in range(100, 0, -1)])

    assert (sample.values, sample.median, sample.p95) == (100, 50.5, 95)
    assert sample.median_low < 50.5 < sample.median_high


def test_the_same_values_and_seed_give_the_same_interval_in_any_order() -> None:
    values = np.random.default_rng(1).lognormal(2, 0.5, 40).tolist()

    assert typical(values, seed=3) == typical(sorted(values), seed=3)


def test_both_intervals_cover_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(2)
    samples = [typical(rng.lognormal(2, 0.5, 100).tolist()) for _ in range(150)]
    true_median, true_p95 = np.exp(2), np.exp(2 + 0.5 * 1.6449)

    median = np.mean([sample.median_low <= true_median <= sample.median_high for sample in samples])
    p95 = np.mean([(sample.p95_low or 0) <= true_p95 <= (sample.p95_high or np.inf) for sample in samples])

    assert median >= 0.9
    assert p95 >= 0.91


def test_too_few_values_do_not_bound_the_p95() -> None:
    fewer = typical([float(number) for number in range(FEWEST_FOR_P95 - 1)])
    enough = typical([float(number) for number in range(FEWEST_FOR_P95)])

    assert (fewer.p95_low, fewer.p95_high) == (None, None)
    assert enough.p95_high == FEWEST_FOR_P95 - 1


def test_values_that_are_all_the_same_have_no_spread() -> None:
    sample = typical([0, 0, 0])

    assert (sample.median_low, sample.median, sample.median_high) == (0, 0, 0)


@pytest.mark.parametrize("values", [[], [1, float("nan")], [-1.0], [float("inf")]])
def test_what_is_no_duration_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="values must be"):
        typical(values)
