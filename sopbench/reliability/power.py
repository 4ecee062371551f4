"""How many trials it takes to see a given drop below the baseline."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln  # type: ignore[import-untyped]
from scipy.stats import binom  # type: ignore[import-untyped]

from sopbench.reliability.comparison import Counts

Floats = npt.NDArray[np.float64]

MOST_TRIALS = 5_000
_AT_ONCE = 100


def failures_that_tell(baseline: Counts, trials: int, alpha: float = 0.05) -> int:
    """The fewest failures of ``trials`` at which ``fisher_worse`` is at most alpha; ``trials`` + 1 when none is.

    Raises: ValueError on fewer than one trial or an alpha outside (0, 1).
    """
    if trials < 1:
        raise ValueError(f"trials must be at least 1, got {trials}")
    _check_share("alpha", alpha)
    return int(_critical(baseline, np.array([trials]), alpha)[0])


def fisher_power(baseline: Counts, trials: int, rate: float, alpha: float = 0.05) -> float:
    """The chance that ``trials`` with a true rate of ``rate`` are found worse than this baseline, exact."""
    _check_share("rate", rate)
    return float(binom.sf(failures_that_tell(baseline, trials, alpha) - 1, trials, 1 - rate))


def trials_for_drop(baseline: Counts, drop: float, alpha: float = 0.05, power: float = 0.95) -> int | None:
    """The fewest trials from which on a rate lower by ``drop`` is found worse with at least this ``power``.

    The rate that fell is the baseline's own, as measured. None when even ``MOST_TRIALS`` would not do, and then the
    baseline itself is too small for this drop. More trials see no less, but for the unevenness of whole numbers: the
    answer is the first number that is enough. The critical counts are Fisher's, the power is their binomial tail.

    Raises: ValueError when the rate would fall to 0 or below, or on a share that is none.
    """
    for name, share in (("drop", drop), ("alpha", alpha), ("power", power)):
        _check_share(name, share)
    rate = baseline.rate - drop
    if rate <= 0:
        raise ValueError(f"the baseline's rate is {baseline.rate:.3g}: it cannot drop by {drop:g}")
    if fisher_power(baseline, MOST_TRIALS, rate, alpha) < power:
        return None
    for start in range(1, MOST_TRIALS + 1, _AT_ONCE):
        trials = np.arange(start, start + _AT_ONCE)
        reached = np.flatnonzero(binom.sf(_critical(baseline, trials, alpha) - 1, trials, 1 - rate) >= power)
        if reached.size:
            return int(trials[reached[0]])
    return None


def pairs_for_drop(worse: float, better: float, alpha: float = 0.05, power: float = 0.95) -> int | None:
    """The fewest pairs with which ``mcnemar_worse`` finds it, when these shares of the seeds turn worse and better.

    The number of seeds that change is Binomial(pairs, worse + better), and of these Binomial(worse / (worse + better))
    turn worse: Duffy, "Asymptotic and exact power for the McNemar test and its analogue with R controls per case",
    Biometrics 40 (1984), 1005–1015. None when even ``MOST_TRIALS`` would not do.

    Raises: ValueError unless 0 ≤ better < worse and both together are at most 1.
    """
    if not (0 <= better < worse and worse + better <= 1):
        raise ValueError(f"shares must be 0 ≤ better < worse and at most 1 together, got {worse:g} and {better:g}")
    changed = np.arange(MOST_TRIALS + 1)
    critical = binom.isf(alpha, changed, 0.5) + 1
    found = binom.sf(critical - 1, changed, worse / (worse + better))

    def power_of(pairs: int) -> float:
        return float(binom.pmf(changed[: pairs + 1], pairs, worse + better) @ found[: pairs + 1])

    if power_of(MOST_TRIALS) < power:
        return None
    low, high = 1, MOST_TRIALS
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if power_of(middle) >= power else (middle + 1, high)
    return low


def _critical(baseline: Counts, trials: npt.NDArray[np.int64], alpha: float) -> npt.NDArray[np.int64]:
    """For each number of trials the fewest failures that tell, by bisection: Fisher's p falls as failures rise."""
    low, high = np.zeros_like(trials), trials + 1
    for _ in range(math.ceil(math.log2(trials.max() + 2)) + 1):
        middle = (low + high) // 2
        tells = (_fisher(baseline, trials, np.minimum(middle, trials)) <= alpha) | (middle > trials)
        low, high = np.where(tells | (low >= high), low, middle + 1), np.where(tells, middle, high)
    return high


def _fisher(baseline: Counts, trials: npt.NDArray[np.int64], failures: npt.NDArray[np.int64]) -> Floats:
    """``fisher_worse`` for many at once: given the sum of failures there can be only the baseline's own more.

    Hypergeometric; scipy's own takes seconds for so many.
    """
    now = failures[:, None] + np.arange(baseline.failed + 1)
    of, failed = trials[:, None], baseline.failed + failures[:, None]
    passed = baseline.trials + of - failed
    possible = now <= of
    now = np.where(possible, now, of)
    logs = _log_choose(failed, now) + _log_choose(passed, of - now) - _log_choose(passed + failed, of)
    return np.asarray(np.where(possible, np.exp(logs), 0).sum(axis=1), dtype=np.float64)


def _log_choose(of: npt.NDArray[np.int64], taken: npt.NDArray[np.int64]) -> Floats:
    return np.asarray(gammaln(of + 1) - gammaln(taken + 1) - gammaln(of - taken + 1), dtype=np.float64)


def _check_share(name: str, share: float) -> None:
    if not 0 < share < 1:
        raise ValueError(f"{name} must be between 0 and 1, got {share}")
