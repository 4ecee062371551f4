"""Tests whose number of trials is fixed beforehand, by the exact binomial distribution.

A gate may still stop such a test early, as soon as no further trial could change its answer: that changes nothing
about its errors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import binom  # type: ignore[import-untyped]

MOST_TRIALS = 20_000
_AT_ONCE = 500


@dataclass(frozen=True)
class FixedDesign:
    """Pass when at most ``most_failures`` of ``trials`` fail."""

    trials: int
    most_failures: int


def fixed_design(p0: float, p1: float, alpha: float = 0.05, beta: float = 0.05) -> FixedDesign:
    """The fewest trials that tell a rate of at least ``p0`` from one of at most ``p1``.

    P(more than ``most_failures`` fail) ≤ alpha at p0 and P(no more fail) ≤ beta at p1, both exact: lot sampling by
    attributes; Hald, "Statistical theory of sampling inspection by attributes" (1981), chapter 2. 181 trials with at
    most 4 failures for 0.99 against 0.95 at 5 % and 5 %.

    Raises: ValueError on rates or errors that make no test, or when it would take more than ``MOST_TRIALS``.
    """
    check_hypotheses(p0, p1, alpha, beta)
    for start in range(1, MOST_TRIALS + 1, _AT_ONCE):
        trials = np.arange(start, start + _AT_ONCE)
        cut = np.maximum(binom.isf(alpha, trials, 1 - p0), 0)
        found = np.flatnonzero((binom.sf(cut, trials, 1 - p0) <= alpha) & (binom.cdf(cut, trials, 1 - p1) <= beta))
        if found.size:
            return FixedDesign(trials=int(trials[found[0]]), most_failures=int(cut[found[0]]))
    raise ValueError(f"{p0:g} and {p1:g} are too close: it takes more than {MOST_TRIALS:,} trials to tell them apart")


def trials_to_bound(at_most: int, below: float, beta: float = 0.05) -> int:
    """The fewest trials in which at most ``at_most`` hits show a rate below ``below``.

    The least n with P(Binomial(n, below) ≤ at_most) ≤ beta: if things are as bad as ``below`` or worse, so few hits are
    rarer than beta. 59 trials without a hit for 5 % at 5 % (the rule of three, for ``at_most`` 0).

    Raises: ValueError on a share that is none, or when it would take more than ``MOST_TRIALS``.
    """
    if at_most < 0:
        raise ValueError(f"at_most must be at least 0, got {at_most}")
    for name, share in (("below", below), ("beta", beta)):
        if not 0 < share < 1:
            raise ValueError(f"{name} must be between 0 and 1, got {share}")
    for start in range(1, MOST_TRIALS + 1, _AT_ONCE):
        trials = np.arange(start, start + _AT_ONCE)
        found = np.flatnonzero(binom.cdf(at_most, trials, below) <= beta)
        if found.size:
            return int(trials[found[0]])
    raise ValueError(f"it takes more than {MOST_TRIALS:,} trials to show a rate below {below:g}")


def check_hypotheses(p0: float, p1: float, alpha: float, beta: float) -> None:
    """Raises: ValueError unless 0 < p1 < p0 < 1 and both errors are between 0 and ½."""
    if not 0 < p1 < p0 < 1:
        raise ValueError(f"rates must be 0 < p1 < p0 < 1, got p0 = {p0:g} and p1 = {p1:g}")
    for name, error in (("alpha", alpha), ("beta", beta)):
        if not 0 < error < 0.5:
            raise ValueError(f"{name} must be between 0 and 0.5, got {error:g}")
