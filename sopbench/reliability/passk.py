"""pass^k: how likely k trials in a row all pass, which is what somebody who runs a procedure daily lives with."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sopbench.reliability.intervals import clopper_pearson

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class PassK:
    """An estimate of pass^k with its error."""

    k: int
    value: float
    """From 0 to 1."""
    error: float | None
    """Its standard error; None where the trials are too few for one."""
    low: float
    """Of a 95 % interval, or of the ``confidence`` asked for."""
    high: float


def pass_k(passed: int, trials: int, k: int) -> float:
    """The chance that ``k`` trials all pass: C(passed, k) / C(trials, k), from 0 to 1.

    The share of all choices of k trials in which every one passed. For independent trials its expectation is exactly
    p^k, where (passed / trials)^k would be too high. Source: Yao, Shinn, Razavi and Narasimhan, "τ-bench: a benchmark
    for tool-agent-user interaction in real-world domains", arXiv 2406.12045 (2024), section 4.

    Raises: ValueError when there are fewer than k trials (it is undefined then), or on counts that cannot be.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    if not 0 <= passed <= trials:
        raise ValueError(f"passed must be from 0 to {trials}, got {passed}")
    if trials < k:
        raise ValueError(f"pass^{k} needs at least {k} trials, got {trials}")
    return math.comb(passed, k) / math.comb(trials, k)


def pass_k_of_one(passed: int, trials: int, k: int, confidence: float = 0.95) -> PassK:
    """pass^k over the independent trials of one case.

    Error: the variance of an unbiased estimate U is E[U²] - (p^k)², and C(passed, 2k) / C(trials, 2k) is unbiased for
    p^2k; so U² less that is unbiased for the variance, and never below 0 (a U-statistic's; Hoeffding, "A class of
    statistics with asymptotically normal distribution", Annals of Mathematical Statistics 19 (1948), 293–325). It takes
    2k trials, and is 0 when all passed: then the interval is the one to quote.
    Interval: p^k rises with p, so the bounds of ``clopper_pearson`` to the power of k are exact for it too.

    Raises: ValueError as ``pass_k`` does.
    """
    value = pass_k(passed, trials, k)
    low, high = clopper_pearson(passed, trials, confidence)
    error = math.sqrt(max(0.0, value**2 - pass_k(passed, trials, 2 * k))) if trials >= 2 * k else None
    return PassK(k=k, value=value, error=error, low=low**k, high=high**k)


def pass_k_of_cases(counts: Sequence[tuple[int, int]], k: int) -> PassK:
    """The mean of pass^k over cases, each given as (passed, trials): how a task drawn like these would fare.

    The error is that of a mean over cases, s / √m, and the 95 % interval is normal, cut to 0 and 1: cases differ, and
    that is most of the error. With one case there is neither, and the interval is 0 to 1.

    Raises: ValueError without a case, or as ``pass_k`` does for any of them.
    """
    if not counts:
        raise ValueError("cases must be at least 1, got 0")
    values = [pass_k(passed, trials, k) for passed, trials in counts]
    mean = statistics.fmean(values)
    if len(values) < 2:
        return PassK(k=k, value=mean, error=None, low=0.0, high=1.0)
    error = statistics.stdev(values) / math.sqrt(len(values))
    return PassK(k=k, value=mean, error=error, low=max(0.0, mean - 1.96 * error), high=min(1.0, mean + 1.96 * error))
