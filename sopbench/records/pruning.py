"""Which runs may lose their pictures and traces, by a rule; and taking them away.

What failed is looked at again, so it keeps its artefacts longest. The rows in the store stay in any case.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import pandas as pd  # type: ignore[import-untyped]

from sopbench.errors import UsageError
from sopbench.records.folder import ARTIFACTS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

SCREENSHOTS = "screenshots"
TRACES = "trace*.zip"
_ASIDE = ".pruned-"


@dataclass(frozen=True)
class Rule:
    """What is kept; where two parts of it speak of a run, one that keeps it is enough."""

    keep_days: float | None = None
    """Of trials that passed: those of the last days."""
    keep_runs: int | None = None
    """The last ones of each scenario, condition and verdict."""
    keep_failures_days: float | None = None
    """Of all other trials: those of the last days; None keeps all of them."""

    def __post_init__(self) -> None:
        for name, number in vars(self).items():
            if number is not None and number < 0:
                raise UsageError(f"--{name.replace('_', '-')} must be at least 0, got {number:g}")
        if self.keep_days is None and self.keep_runs is None and self.keep_failures_days is None:
            raise UsageError("say what is to be kept: --keep-days, --keep-runs or --keep-failures-days")


@dataclass(frozen=True)
class Pruned:
    """What was taken from one run's folder, or would be."""

    folder: Path
    verdict: str
    size: int
    """Bytes."""


def runs_to_prune(runs: pd.DataFrame, rule: Rule, now: datetime) -> pd.DataFrame:
    """The runs that the rule does not keep; ``runs`` as ``RunFrames`` has them.

    A run whose beginning is not known is always kept.
    """
    passed = runs["verdict"] == "passed"
    kept = runs["began"].isna()
    if rule.keep_failures_days is None:
        kept |= ~passed
    else:
        kept |= ~passed & (runs["began"] >= now - timedelta(days=rule.keep_failures_days))
    if rule.keep_days is not None:
        kept |= passed & (runs["began"] >= now - timedelta(days=rule.keep_days))
    if rule.keep_runs is not None:
        newest = runs.sort_values(["began", "run"], ascending=False)
        rank = newest.groupby(["scenario", "condition", "verdict"], observed=True).cumcount().reindex(runs.index)
        kept |= rank < rule.keep_runs
    if rule.keep_days is None and rule.keep_runs is None:
        kept |= passed
    return runs[~kept]


def artefacts(folder: Path) -> list[Path]:
    """Pictures, kept files and traces of a run; its log and what it was worth are not among them."""
    named = [folder / SCREENSHOTS, folder / ARTIFACTS]
    return [each for each in named if each.is_dir()] + sorted(folder.glob(TRACES))


def prune(folders: Sequence[tuple[Path, str]], *, whole: bool, dry_run: bool) -> list[Pruned]:
    """Take away the artefacts of runs, or with ``whole`` their folders; each is given with its verdict.

    A folder that is taken away is moved aside first, so none is ever there in half.
    """
    pruned = []
    for folder, verdict in folders:
        targets = [folder] if whole and folder.is_dir() else artefacts(folder)
        if not targets:
            continue
        pruned.append(Pruned(folder, verdict, sum(map(_size, targets))))
        if not dry_run:
            for target in targets:
                _remove(target)
    if not dry_run:
        _finish({folder.parent for folder, _ in folders})
    return pruned


def _remove(target: Path) -> None:
    if not target.is_dir():
        target.unlink()
        return
    aside = target.with_name(f"{_ASIDE}{target.name}")
    target.rename(aside)
    shutil.rmtree(aside)


def _finish(places: set[Path]) -> None:
    """Remove what an earlier call was killed over."""
    for place in places:
        for left in place.glob(f"{_ASIDE}*"):
            shutil.rmtree(left)


def _size(target: Path) -> int:
    files = (each for each in target.rglob("*") if each.is_file()) if target.is_dir() else (target,)
    return sum(each.stat().st_size for each in files)
