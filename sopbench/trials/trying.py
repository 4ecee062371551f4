"""Which ways of a procedure the trials took: from their logs, and for a gate's tallies."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sopbench.errors import DocumentInvalid, UsageError
from sopbench.events.log import read_log
from sopbench.records.coverage import Way, coverage, taken
from sopbench.reliability.tallies import WayTally
from sopbench.sop.loader import load

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sopbench.reliability.tallies import Tally
    from sopbench.sop.loader import Loaded
    from sopbench.trials.stored import StoredTrial


def took(trial: StoredTrial, procedure: Loaded) -> frozenset[Way]:
    """The ways of the procedure that the trial took.

    Raises: UsageError when its log cannot be read.
    """
    return _took(trial.folder.resolve(), procedure.path.resolve(), procedure.sha256)


def with_ways(
    tallies: Iterable[Tally], trials: Sequence[StoredTrial], claimed: Collection[tuple[str, str]]
) -> tuple[Tally, ...]:
    """The tallies, those claimed with the ways that their trials took.

    Without them where that cannot be told: the document is gone, or is not the one that ran, or a log cannot be read.
    """
    by_run = {trial.run: trial for trial in trials}
    return tuple(
        replace(tally, ways=_ways_of([by_run[row.run] for row in tally.rows if row.verdict != "broken"]))
        if (tally.scenario, tally.condition) in claimed
        else tally
        for tally in tallies
    )


def _ways_of(trials: Sequence[StoredTrial]) -> tuple[WayTally, ...] | None:
    start = next((trial.start for trial in trials if trial.start is not None), None)
    if start is None or any(trial.start is None for trial in trials):
        return None
    try:
        procedure = _loaded(Path(str(start.context.get("document", ""))).resolve(), start.sha256)
        runs = [(trial.record.condition, set(took(trial, procedure))) for trial in trials]
    except (DocumentInvalid, UsageError):
        return None
    if procedure.sha256 != start.sha256:
        return None
    return tuple(WayTally(each.way.kind, each.way.name, each.trials) for each in coverage(procedure.sop, runs))


@cache
def _loaded(document: Path, _sha256: str) -> Loaded:
    return load(document)


@cache
def _took(folder: Path, document: Path, sha256: str) -> frozenset[Way]:
    return frozenset(taken(_loaded(document, sha256).sop, read_log(folder)))
