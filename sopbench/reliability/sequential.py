"""A test of a rate that stops as soon as it can tell: the truncated sequential probability ratio test (SPRT)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from sopbench.reliability.characteristic import Characteristic, Counts, Floats, pass_chance_and_trials
from sopbench.reliability.fixed_designs import check_hypotheses, fixed_design

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 1.5
"""The most trials of a sequential test, as a multiple of the fixed design's. Twice would save less than 1 % of the
expected trials at 0.99 against 0.95, and be a third longer when luck is bad."""
_GRID = 12
_ROUNDS = 3
_WIDEST = 2.0


@dataclass(frozen=True)
class Design:
    """A test of "the rate is at least p0" against "at most p1", with a last trial."""

    p0: float
    p1: float
    alpha: float
    """Most often that it fails what has rate p0 or more."""
    beta: float
    """Most often that it passes what has rate p1 or less."""
    pass_at: tuple[int, ...]
    """After n trials (index n - 1): the most failures with which it passes; -1 when it cannot pass yet."""
    fail_at: tuple[int, ...]
    """After n trials: the fewest failures with which it fails."""

    @property
    def most_trials(self) -> int:
        """After so many it has always decided."""
        return len(self.pass_at)

    @property
    def fewest_to_pass(self) -> int:
        """How many trials it takes when none fails."""
        return next(n for n, most in enumerate(self.pass_at, 1) if most >= 0)

    def characteristic(self, rate: float) -> Characteristic:
        """What the test does, exactly, when the true rate is ``rate``."""
        passes, trials = pass_chance_and_trials(*self._lines, rate)
        return Characteristic(rate=rate, passes=float(passes[0]), expected_trials=float(trials[0]))

    def expected_more(self, trials: int, failures: int, rates: Floats) -> float:
        """How many more trials the undecided test is expected to take, on average over these true rates."""
        pass_at, fail_at = (np.repeat(line, len(rates), axis=0) for line in self._lines)
        return float(pass_chance_and_trials(pass_at, fail_at, rates, (trials, failures))[1].mean())

    @property
    def _lines(self) -> tuple[Counts, Counts]:
        return np.array([self.pass_at]), np.array([self.fail_at])


@dataclass(frozen=True)
class Progress:
    """How far a sequence of trials took a test."""

    outcome: Literal["pass", "fail", "undecided"]
    trials: int
    """At which it was decided; all of them while undecided."""
    failures: int


def walk(design: Design, passed: Iterable[bool]) -> Progress:
    """Take the trials in their order until the test is decided; those after that change nothing."""
    trials = failures = 0
    for trials, good in enumerate(passed, 1):
        failures += not good
        if failures <= design.pass_at[trials - 1]:
            return Progress("pass", trials, failures)
        if failures >= design.fail_at[trials - 1]:
            return Progress("fail", trials, failures)
    return Progress("undecided", trials, failures)


@cache
def sequential_design(p0: float, p1: float, alpha: float = 0.05, beta: float = 0.05) -> Design:
    """The truncated SPRT whose errors hold exactly, with the fewest expected trials.

    Wald's test compares the likelihood ratio of p1 to p0 with two bounds. Seen in the plane of trials n and failures f
    these are two parallel lines: fail at f ≥ s·n + h1, pass at f ≤ s·n - h2, where s = v / (u + v), u = ln((1 - p1) /
    (1 - p0)), v = ln(p0 / p1). Wald's h1 = ln((1 - beta) / alpha) / (u + v) and h2 = ln((1 - alpha) / beta) / (u + v)
    keep the errors only about, and not when the test is cut off. So at the last trial, ``LONGEST`` times those of the
    fixed design, it passes with at most c failures and fails with more; and (h1, h2, c) are searched around Wald's for
    the least sum of expected trials at p0 and p1 among those whose exact errors are at most alpha and beta.

    A path with more failures at every n passes no sooner and fails no later: so the chance to pass rises with the
    rate, and errors that hold at p0 and p1 hold beyond them.

    Source: Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945), 117–186;
    truncation and exact errors: Aroian (see ``characteristic``).

    Raises: ValueError as ``fixed_design`` does.
    """
    check_hypotheses(p0, p1, alpha, beta)
    fixed = fixed_design(p0, p1, alpha, beta)
    last = math.floor(LONGEST * fixed.trials)
    u, v = math.log((1 - p1) / (1 - p0)), math.log(p0 / p1)
    slope = v / (u + v)
    wald = math.log((1 - beta) / alpha) / (u + v), math.log((1 - alpha) / beta) / (u + v)
    found: tuple[float, Counts, Counts] | None = None
    for cut in {max(0, math.floor(slope * last) + more) for more in (-1, 0, 1)}:
        for candidate in _searched(p0, p1, alpha, beta, slope, wald, last, cut):
            if found is None or candidate[0] < found[0]:
                found = candidate
    if found is None:
        found = (
            0.0,
            *_curtailed(np.full((1, fixed.trials), -1), np.full((1, fixed.trials), last), fixed.most_failures),
        )
    pass_at, fail_at = (tuple(int(number) for number in line.ravel()) for line in found[1:])
    return Design(p0, p1, alpha, beta, pass_at, fail_at)


def _searched(
    p0: float, p1: float, alpha: float, beta: float, slope: float, wald: tuple[float, float], last: int, cut: int
) -> list[tuple[float, Counts, Counts]]:
    """The best test for one end: a grid over both lines, made finer around the best point; each with its cost."""
    centre, width, best = (1.25, 1.25), _WIDEST, None
    found: list[tuple[float, Counts, Counts]] = []
    for _ in range(_ROUNDS):
        steps = [np.clip(np.linspace(c - width / 2, c + width / 2, _GRID), 0.05, None) for c in centre]
        up, down = (grid.ravel() for grid in np.meshgrid(*steps))
        pass_at, fail_at = _lines_of(slope, up * wald[0], down * wald[1], last, cut)
        cost = _cost(pass_at, fail_at, p0, p1, alpha, beta)
        index = int(np.argmin(cost))
        if math.isinf(cost[index]):
            break
        if best is None or cost[index] < best:
            best = float(cost[index])
            found.append((best, pass_at[index], fail_at[index]))
            centre = float(up[index]), float(down[index])
        width *= 3 / _GRID
    return found


def _cost(pass_at: Counts, fail_at: Counts, p0: float, p1: float, alpha: float, beta: float) -> Floats:
    """Expected trials at p0 and p1 together; infinite where an error is above its bound."""
    at_p0, trials_p0 = pass_chance_and_trials(pass_at, fail_at, p0)
    at_p1, trials_p1 = pass_chance_and_trials(pass_at, fail_at, p1)
    return np.where((1 - at_p0 <= alpha) & (at_p1 <= beta), trials_p0 + trials_p1, np.inf)


def _lines_of(slope: float, h1: Floats, h2: Floats, last: int, cut: int) -> tuple[Counts, Counts]:
    n = np.arange(1, last + 1)
    fail_at = np.ceil(slope * n + h1[:, None]).astype(np.int64)
    pass_at = np.floor(slope * n - h2[:, None]).astype(np.int64)
    return _curtailed(pass_at, fail_at, cut)


def _curtailed(pass_at: Counts, fail_at: Counts, cut: int) -> tuple[Counts, Counts]:
    """With an end: at the last trial ``cut`` failures pass; and sooner wherever the end cannot be missed any more."""
    last = pass_at.shape[1]
    left = last - np.arange(1, last + 1)
    return np.maximum(np.maximum(pass_at, cut - left), -1), np.minimum(fail_at, cut + 1)
