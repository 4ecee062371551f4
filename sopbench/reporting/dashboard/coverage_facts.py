"""Which ways of a procedure its newest trials took, from their logs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sopbench.errors import DocumentInvalid, UsageError
from sopbench.events.log import read_log
from sopbench.events.types import RunStarted
from sopbench.records.coverage import coverage, taken
from sopbench.reporting.dashboard.facts import CoverageFacts
from sopbench.sop.loader import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.events.types import Event
    from sopbench.records.coverage import Way
    from sopbench.sop.loader import Loaded

NEWEST_READ = 200
"""Logs of each scenario that are read unless said otherwise; one takes milliseconds, and there may be a million."""


def coverage_of(records: Path, newest: Sequence[dict[str, Any]]) -> tuple[CoverageFacts | None, str]:
    """Of trials of one version, the newest first: what they took, or why that cannot be told.

    ``records`` is the folder in which the trials name theirs.
    """
    if not newest:
        return None, "no trial gave evidence"
    procedure: Loaded | None = None
    runs: list[tuple[str, set[Way]]] = []
    why = "no log of its trials is here"
    for trial in newest:
        events = _events(records / trial["folder"])
        if not events:
            continue
        if procedure is None:
            procedure, why = _procedure(events[0], trial["sha256"])
            if procedure is None:
                return None, why
        runs.append((trial["condition"], taken(procedure.sop, events)))
    if procedure is None:
        return None, why
    return CoverageFacts(procedure.sop, coverage(procedure.sop, runs), len(runs), int(newest[0]["of"])), ""


def _events(folder: Path) -> Sequence[Event]:
    if not folder.is_dir():
        return []
    try:
        return read_log(folder)
    except UsageError:
        return []


def _procedure(first: Event, sha256: str) -> tuple[Loaded | None, str]:
    document = str(first.context.get("document", "")) if isinstance(first, RunStarted) else ""
    if not document:
        return None, "its trials do not say which document they ran"
    try:
        procedure = load(Path(document))
    except (DocumentInvalid, UsageError):
        return None, f"{document} cannot be read"
    if procedure.sha256 != sha256:
        return None, f"{document} is not the version that ran last"
    return procedure, ""
