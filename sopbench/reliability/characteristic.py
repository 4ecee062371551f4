"""What a sequential test of a rate does, exactly: how often it passes and how many trials that takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Characteristic:
    """A test under one true rate."""

    rate: float
    passes: float
    """The chance that it ends with *pass*; it ends with *fail* otherwise."""
    expected_trials: float


def pass_chance_and_trials(
    pass_at: Counts, fail_at: Counts, rate: float | Floats, start: tuple[int, int] = (0, 0)
) -> tuple[Floats, Floats]:
    """The chance to pass and the expected further trials of many tests at once, for one true rate or one each.

    ``pass_at[d, n-1]`` is the most failures with which test d passes after n trials (-1: none), ``fail_at[d, n-1]`` the
    fewest with which it fails; at the last n they meet. ``start`` is (trials, failures) to go on from, undecided there.

    Dynamic programming over the chance to be undecided after n trials with f failures: nothing is approximated, so the
    end by truncation is in it. Source: Aroian, "Sequential analysis, direct method", Technometrics 10 (1968), 125–132.
    """
    designs, last = pass_at.shape
    trials, failures = start
    room = int(fail_at.max()) + 1
    at = np.arange(room + 1)[:, None]
    here = np.zeros((room + 1, designs))
    here[failures] = 1
    passes, expected = np.zeros(designs), np.zeros(designs)
    for n in range(trials, last):
        expected += here.sum(axis=0)
        after = rate * here
        after[1:] += (1 - rate) * here[:-1]
        passed = at <= pass_at[:, n]
        passes += (after * passed).sum(axis=0)
        after[passed | (at >= fail_at[:, n])] = 0
        here = after
    return passes, expected
