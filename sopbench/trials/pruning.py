"""Old runs, pruned by a rule: only what the store has for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.records.frames import RunFrames
from sopbench.records.pruning import prune, runs_to_prune
from sopbench.trials.loading import store_of, sync

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sopbench.records.pruning import Pruned, Rule


def prune_runs(
    records: Path, rule: Rule, *, store: str | None = None, whole: bool = False, dry_run: bool = False, now: datetime
) -> list[Pruned]:
    """Take the artefacts, or with ``whole`` the folders, of the runs that the rule does not keep.

    Runs that were not judged yet, or cannot be read, are left alone. Raises: UsageError.
    """
    kept = store_of(records, store)
    sync(records, kept, now)
    runs = RunFrames(kept.open(), str(records)).runs
    found = runs_to_prune(runs, rule, now)
    there = [
        (records / run, str(verdict))
        for run, verdict in zip(found["run"], found["verdict"], strict=True)
        if (records / run).is_dir()
    ]
    unsettled = set(kept.unknown(folder.name for folder, _ in there))
    chosen = [(folder, verdict) for folder, verdict in there if folder.name not in unsettled]
    return prune(chosen, whole=whole, dry_run=dry_run)
