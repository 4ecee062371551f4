"""How long it takes and how often it is tried again: median, 95th percentile, and how sure these are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import bootstrap, quantile_test  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from collections.abc import Sequence

RESAMPLES = 2000
FEWEST_FOR_P95 = 72
"""With fewer, no value of the sample bounds the 95th percentile from above: 0.95^72 is the first below 2.5 %."""


@dataclass(frozen=True)
class Typical:
    """A middle and a high value of a sample, each with a 95 % interval, in the unit of the sample."""

    values: int
    median: float
    median_low: float
    median_high: float
    p95: float
    """The value that 95 % do not exceed: the nearest rank, so always one that was measured."""
    p95_low: float | None
    """None with fewer than ``FEWEST_FOR_P95`` values."""
    p95_high: float | None


def typical(values: Sequence[float], seed: int = 0) -> Typical:
    """Durations, retries or costs of trials, summed up.

    The median's interval is the percentile bootstrap with ``RESAMPLES`` resamples (Efron, "Bootstrap methods: another
    look at the jackknife", Annals of Statistics 7 (1979), 1–26; scipy's). The same values and seed give the same.
    The bootstrap fails for a percentile so near the end of a small sample, so that one's bounds are values of the
    sample by their rank, which hold for any distribution: Conover, "Practical nonparametric statistics" (3rd ed. 1999),
    section 3.2; scipy's ``quantile_test``.

    Raises: ValueError without a value, or on one that is negative or not a number.
    """
    if not values:
        raise ValueError("values must be at least 1, got 0")
    sample = np.sort(np.asarray(values, dtype=np.float64))
    if not (np.isfinite(sample).all() and sample[0] >= 0):
        raise ValueError("values must be numbers from 0 up")
    low = high = float(np.median(sample))
    if sample[0] < sample[-1]:
        low, high = bootstrap(
            (sample,), np.median, n_resamples=RESAMPLES, method="percentile", rng=np.random.default_rng(seed)
        ).confidence_interval
    tail: tuple[float | None, float | None] = (None, None)
    if len(sample) >= FEWEST_FOR_P95:
        ranked = quantile_test(sample, q=0, p=0.95).confidence_interval(0.95)
        tail = float(ranked.low), float(ranked.high)
    rank = -(-95 * len(sample) // 100) - 1
    return Typical(
        values=len(sample),
        median=float(np.median(sample)),
        median_low=float(low),
        median_high=float(high),
        p95=float(sample[rank]),
        p95_low=tail[0],
        p95_high=tail[1],
    )
