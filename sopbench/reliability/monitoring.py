"""Whether a procedure has become worse, asked night after night: with one bound on all false alarms together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, gammaln  # type: ignore[import-untyped]

from sopbench.reliability.intervals import clopper_pearson

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

NIGHTS = 1000
"""How many nights the bound on false alarms is for, unless told."""
LOOK_BACK = 28
"""``worse_than_before`` asks about changes of the last four weeks: an older one has become what is usual."""
_POINTS = 32
_LARGEST_LOG = 700.0


@dataclass(frozen=True)
class Night:
    """The trials of one night that gave evidence."""

    passed: int
    failed: int


@dataclass(frozen=True)
class Alarm:
    """The procedure has become worse."""

    night: int
    """At which it was known, counted from 1."""
    since: int
    """The night from which on it is most likely worse."""
    evidence: float
    """How many times over; an alarm is given from 1 / alpha on."""


def worse_than_accepted(
    nights: list[Night], accepted: float, alpha: float = 0.05, horizon: int = NIGHTS
) -> Alarm | None:
    """The first night at which the rate has fallen below the ``accepted`` one; None if none.

    For each night j and each of 32 worse rates q, spread as Beta(½, ½) below ``accepted``, the likelihood ratio of "q
    from night j on" to "still the accepted rate" is multiplied up night by night: a supermartingale while the rate is
    at least the accepted one. Their mean, each night j with weight 1 / horizon, is one too; so the chance that it ever
    reaches 1 / alpha within ``horizon`` nights is at most alpha (Ville; see ``confidence_sequence``). Long good times
    do not hide a later fall, because every night is a possible beginning: Shin, Ramdas and Rinaldo, "E-detectors: a
    nonparametric framework for sequential change detection", New England Journal of Statistics in Data Science 2
    (2024), 229–260.

    Raises: ValueError when there are more nights than the horizon, or a share that is none.
    """
    _check(nights, alpha, horizon)
    if not 0 < accepted < 1:
        raise ValueError(f"accepted must be between 0 and 1, got {accepted}")
    logs = np.zeros((len(nights), _POINTS))
    rates = worse_rates(accepted)
    for number, night in enumerate(nights, 1):
        logs[:number] += log_ratios(np.array([night.passed]), np.array([night.failed]), accepted, rates)
        evidences = np.exp(np.minimum(logs[:number], _LARGEST_LOG)).mean(axis=1) / horizon
        total = float(evidences.sum()) + (horizon - number) / horizon
        if total >= 1 / alpha:
            return Alarm(night=number, since=int(np.argmax(evidences)) + 1, evidence=total)
    return None


def accepted_from(passed: int, trials: int, alpha: float) -> float:
    """The rate to monitor against when the accepted one was itself measured: its one-sided lower bound.

    It is above the true rate with a chance of at most ``alpha`` (``clopper_pearson``). Give half of the false alarms to
    this and half to the monitoring, and both together keep their sum.

    Raises: ValueError as ``clopper_pearson`` does, and when none passed: nothing is worse than that.
    """
    low = clopper_pearson(passed, trials, 1 - 2 * alpha)[0]
    if low == 0:
        raise ValueError(f"a baseline in which none of {trials} trials passed cannot be fallen below")
    return low


def worse_than_before(nights: list[Night], alpha: float = 0.05, horizon: int = NIGHTS) -> Alarm | None:
    """The first night at which the last ones, from tonight alone to four weeks, are worse than all before them.

    Nothing is accepted beforehand: the rate may be any, as long as it stays. For each of the last ``LOOK_BACK`` nights
    j a beta mixture explains the trials before j and another one those from j on; their product, over the likelihood
    of the one rate that fits all of them best, is below the martingale it would be over that of the true rate. So,
    with weight 1 / horizon each, the chance that their sum ever reaches 1 / alpha is at most alpha. It sees sudden
    and large falls; a small one takes an accepted rate to be seen. Source: Wasserman,
    Ramdas and Balakrishnan, "Universal inference", PNAS 117 (2020), 16880–16890, section 8.

    Raises: ValueError when there are more nights than the horizon, or a share that is none.
    """
    _check(nights, alpha, horizon)
    passed = np.concatenate([[0], np.cumsum([night.passed for night in nights], dtype=np.int64)])
    failed = np.concatenate([[0], np.cumsum([night.failed for night in nights], dtype=np.int64)])
    for number in range(2, len(nights) + 1):
        starts = np.arange(max(1, number - LOOK_BACK), number)
        logs = log_change(passed[starts], failed[starts], passed[[number]], failed[[number]])
        evidences = np.exp(np.minimum(logs, _LARGEST_LOG)) / horizon
        total = float(evidences.sum())
        if total >= 1 / alpha:
            return Alarm(night=number, since=int(starts[np.argmax(evidences)]) + 1, evidence=total)
    return None


def log_ratios(passed: Counts, failed: Counts, accepted: float, rates: Floats) -> Floats:
    """Log likelihood of each worse rate less that of the accepted one: the shape of ``passed`` with one axis more."""
    good, bad = np.log(rates / accepted), np.log((1 - rates) / (1 - accepted))
    return np.asarray(passed[..., None] * good + failed[..., None] * bad, dtype=np.float64)


def log_change(passed_before: Counts, failed_before: Counts, passed: Counts, failed: Counts) -> Floats:
    """Log evidence that the rate fell between the trials before and all of them; -inf where it did not fall."""
    since = passed - passed_before, failed - failed_before
    fell = passed_before * since[1] > since[0] * failed_before
    evidence = log_mixture(passed_before, failed_before) + log_mixture(*since) - _log_best(passed, failed)
    return np.where(fell, evidence, -np.inf)


def log_mixture(passed: Counts, failed: Counts) -> Floats:
    """Logarithm of B(passed + ½, failed + ½) / B(½, ½)."""
    beta = gammaln(passed + 0.5) + gammaln(failed + 0.5) - gammaln(passed + failed + 1)
    return np.asarray(beta - np.log(np.pi), dtype=np.float64)


def _log_best(passed: Counts, failed: Counts) -> Floats:
    """Log likelihood of the rate that fits best."""
    trials = np.maximum(passed + failed, 1)
    logs = passed * np.log(np.maximum(passed, 1) / trials) + failed * np.log(np.maximum(failed, 1) / trials)
    return np.asarray(logs, dtype=np.float64)


def worse_rates(accepted: float) -> Floats:
    """Quantiles of Beta(½, ½) below the accepted rate, at the middle of equal shares of its weight.

    That beta is the arcsine distribution: its quantile at w is sin²(πw / 2).
    """
    whole = float(betainc(0.5, 0.5, accepted))
    shares = (np.arange(_POINTS) + 0.5) / _POINTS * whole
    return np.asarray(np.sin(np.pi * shares / 2) ** 2, dtype=np.float64)


def _check(nights: list[Night], alpha: float, horizon: int) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1, got {alpha}")
    if len(nights) > horizon:
        raise ValueError(f"the bound is for {horizon} nights, got {len(nights)}: say a longer horizon beforehand")
    for number, night in enumerate(nights, 1):
        if night.passed < 0 or night.failed < 0:
            raise ValueError(f"night {number}: counts must be at least 0, got {night.passed} and {night.failed}")
