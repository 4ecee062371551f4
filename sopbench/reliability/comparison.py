"""Is it worse than the baseline was? Exact tests, for independent trials and for trials paired by seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scipy.stats import binomtest, fisher_exact  # type: ignore[import-untyped]


@dataclass(frozen=True)
class Counts:
    """Trials that gave evidence, and how many of them passed."""

    passed: int
    trials: int

    def __post_init__(self) -> None:
        if self.trials < 1:
            raise ValueError(f"trials must be at least 1, got {self.trials}")
        if not 0 <= self.passed <= self.trials:
            raise ValueError(f"passed must be from 0 to {self.trials}, got {self.passed}")

    @property
    def failed(self) -> int:
        return self.trials - self.passed

    @property
    def rate(self) -> float:
        return self.passed / self.trials


@dataclass(frozen=True)
class Pairs:
    """Trials of two sides that had the same seed."""

    both_passed: int
    worse: int
    """Passed in the baseline and failed now."""
    better: int
    both_failed: int

    @property
    def pairs(self) -> int:
        return self.both_passed + self.worse + self.better + self.both_failed


def fisher_worse(baseline: Counts, now: Counts) -> float:
    """The chance of so many more failures than in the baseline, or yet more, if the rates are the same.

    One-sided; exact given the sum of failures, and so never too small. Source: Fisher, "The logic of inductive
    inference", Journal of the Royal Statistical Society 98 (1935), 39–82; computed by scipy.
    """
    table = [[now.failed, now.passed], [baseline.failed, baseline.passed]]
    return float(fisher_exact(table, alternative="greater").pvalue)


def mcnemar_worse(pairs: Pairs) -> float:
    """The chance of so many seeds turned worse, or yet more, if as many should turn better as worse.

    One-sided and exact: of the seeds whose result changed, each half is Binomial(½). Seeds whose result did not change
    say nothing; when none changed, it is 1. Source: McNemar, "Note on the sampling error of the difference between
    correlated proportions or percentages", Psychometrika 12 (1947), 153–157.

    Raises: ValueError without any pair.
    """
    if not pairs.pairs:
        raise ValueError("no seed is in both the baseline and the new trials")
    changed = pairs.worse + pairs.better
    return float(binomtest(pairs.worse, changed, 0.5, alternative="greater").pvalue) if changed else 1.0


def paired(baseline: Mapping[int, bool], now: Mapping[int, bool]) -> Pairs:
    """Count the seeds that both sides have by whether they passed; the others are left out."""
    seeds = baseline.keys() & now.keys()
    seen = [(baseline[seed], now[seed]) for seed in seeds]
    return Pairs(
        both_passed=seen.count((True, True)),
        worse=seen.count((True, False)),
        better=seen.count((False, True)),
        both_failed=seen.count((False, False)),
    )
