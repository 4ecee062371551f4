"""Rates of trials that are not independent: those of one case, one night or one outage resemble each other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scipy.special import stdtrit  # type: ignore[import-untyped]  # scipy.stats takes 1.3 s to import, this 0.4 s

from sopbench.reliability.intervals import clopper_pearson

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class ClusteredRate:
    """A rate over clusters of trials, with what the clustering costs."""

    share: float
    trials: int
    clusters: int
    error: float
    """Cluster-robust standard error of the share; 0 when every cluster has the same share."""
    design_effect: float
    """How many times the variance is that of independent trials; nan when all trials ended alike."""
    effective_trials: float
    """How many independent trials would say as much: from 1 to ``trials``."""
    low: float
    high: float


def clustered_rate(counts: Sequence[tuple[int, int]], confidence: float = 0.95) -> ClusteredRate:
    """The rate over clusters, each given as (passed, trials), and how sure it is.

    Error: √(m/(m-1) · Σ (passed - share · trials)²) / n over m clusters and n trials, the sandwich estimate of a mean
    (Liang and Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73 (1986), 13–22) with
    the usual correction for few clusters; statsmodels gives the same for ``OLS(y, 1).fit(cov_type="cluster")``.

    Design effect: its square over share · (1 - share) / (n - 1), the variance of independent trials (Kish, "Survey
    sampling" (1965), section 8.2); effective trials are n over it, at most n. When all trials ended alike nothing can
    be seen of the clustering: each cluster counts as one trial, which is the worst that can be.

    Interval: ``clopper_pearson`` of the effective trials, these cut by (t(n-1) / t(m-1))² since the design effect is
    itself estimated from m clusters: Korn and Graubard, "Confidence intervals for proportions with small expected
    number of positive counts estimated from survey data", Survey Methodology 24 (1998), 193–201.

    Raises: ValueError with fewer than two clusters, an empty one, or counts that cannot be.
    """
    if len(counts) < 2:
        raise ValueError(f"clusters must be at least 2, got {len(counts)}")
    for passed, trials in counts:
        if trials < 1 or not 0 <= passed <= trials:
            raise ValueError(f"a cluster must have at least 1 trial and no more passed, got {passed} of {trials}")
    number, total = len(counts), sum(trials for _, trials in counts)
    share = sum(passed for passed, _ in counts) / total
    squares = sum((passed - share * trials) ** 2 for passed, trials in counts)
    error = math.sqrt(number / (number - 1) * squares) / total
    if share in (0, 1):
        effect, effective = math.nan, float(number)
        low, high = clopper_pearson(share * effective, effective, confidence)
    else:
        effect = error**2 * (total - 1) / (share * (1 - share))
        effective = max(1.0, min(total, total / effect)) if effect > 0 else float(total)
        tail = 1 - (1 - confidence) / 2
        cut = float(stdtrit(total - 1, tail) / stdtrit(number - 1, tail)) ** 2
        interval = max(1.0, effective * cut)
        low, high = clopper_pearson(share * interval, interval, confidence)
    return ClusteredRate(
        share=share,
        trials=total,
        clusters=number,
        error=error,
        design_effect=effect,
        effective_trials=effective,
        low=low,
        high=high,
    )
