"""Trials of the past, read back from the folders of their runs.

What cannot be judged is never left out in silence, and never makes a rate better. A run whose scenario is known, but
whose records do not tell what it was worth, is a *broken* trial. What is no trial of this scenario, or was written by
another version, is left out, and said.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from sopbench.errors import UsageError
from sopbench.events.log import LOG_NAME
from sopbench.events.types import RunFinished, RunStarted, parse_event
from sopbench.records.figures import Figures
from sopbench.records.folder import TRIAL_NAME
from sopbench.reliability.answers import counted
from sopbench.trials.record import TrialRecord
from sopbench.trials.verdict import Verdict, broken

if TYPE_CHECKING:
    from datetime import datetime

_STAMP = re.compile(r"(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-")
_TAIL_BYTES = 65_536


@dataclass(frozen=True)
class LeftOut:
    """Runs that do not count, or do not count as what they say of themselves; and why."""

    why: str
    runs: tuple[str, ...]
    what: str = "run"

    def __str__(self) -> str:
        named = ", ".join(self.runs[:3]) + (f" and {len(self.runs) - 3} more" if len(self.runs) > 3 else "")
        return f"{counted(len(self.runs), self.what)} {self.why}: {named}"


@dataclass(frozen=True)
class StoredTrial:
    """One trial as its run's folder tells it."""

    folder: Path
    record: TrialRecord
    start: RunStarted | None
    """The first event of its log; None when it never began."""

    @property
    def run(self) -> str:
        return Path(self.record.folder).name

    @property
    def began(self) -> str:
        """ISO 8601, UTC: by the log, or else by the name of the folder."""
        if self.start is not None:
            return self.start.at
        stamp = _STAMP.match(self.run)
        return "{}-{}-{}T{}:{}:{}".format(*stamp.groups()) if stamp else ""

    @property
    def is_broken(self) -> bool:
        return self.record.judgement.verdict is Verdict.BROKEN


@dataclass(frozen=True)
class StoredTrials:
    """What a folder of runs holds."""

    trials: tuple[StoredTrial, ...]
    """In the order in which they began."""
    left_out: tuple[LeftOut, ...]


class NoTrial(Exception):
    """A folder that holds no trial, and why."""


def read_trials(records: Path, since: datetime | None = None) -> StoredTrials:
    """All trials in a folder of runs; with ``since``, those that began then or later.

    Trials stand in the order in which they began, which does not depend on how they ended.

    Raises: UsageError when there is no such folder, or when two runs go by one name: nobody can tell which of them to
    believe.
    """
    if not records.is_dir():
        raise UsageError(f"{records}: no such folder of runs; see --records")
    trials: list[StoredTrial] = []
    left_out: dict[str, list[str]] = {}
    for folder in sorted(each for each in records.iterdir() if each.is_dir()):
        if not (folder / TRIAL_NAME).exists() and not (folder / LOG_NAME).exists():
            continue
        try:
            trial, remark = read_trial_in(folder)
        except NoTrial as no_trial:
            left_out.setdefault(str(no_trial), []).append(folder.name)
            continue
        if since is not None and trial.began[:19] < since.astimezone(UTC).isoformat()[:19]:
            left_out.setdefault(f"from before {since:%Y-%m-%d %H:%M}", []).append(folder.name)
            continue
        trials.append(trial)
        if remark:
            left_out.setdefault(f"{remark}: counted as broken", []).append(folder.name)
    _check_names(trials)
    trials.sort(key=lambda trial: (trial.began, trial.run))
    return StoredTrials(tuple(trials), tuple(LeftOut(why, tuple(runs)) for why, runs in left_out.items()))


def stored_trial(record: TrialRecord) -> StoredTrial:
    """A trial that was just judged, with the first event of its log."""
    folder = Path(record.folder)
    return StoredTrial(folder, record, _start(folder))


def read_trial_in(folder: Path) -> tuple[StoredTrial, str]:
    """The trial of one run, and why it counts as broken though it was not judged so; empty if it was.

    Raises: NoTrial.
    """
    start = _start(folder)
    record = _record(folder)
    if isinstance(record, str):
        return StoredTrial(folder, _unjudged(folder, start, record), start), record
    remark = "" if record.judgement.verdict is Verdict.BROKEN else _contradiction(folder, record, start)
    if remark:
        record = record.model_copy(update={"judgement": broken(remark)})
    return StoredTrial(folder, record, start), remark


def _record(folder: Path) -> TrialRecord | str:
    """What was judged, or why that cannot be told. Raises: NoTrial."""
    file = folder / TRIAL_NAME
    if not file.exists():
        return "never judged (killed, or still running)"
    try:
        data: Any = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return f"with a {TRIAL_NAME} that is cut off or cannot be read"
    try:
        return TrialRecord.model_validate(data)
    except ValidationError:
        raise NoTrial(f"with a {TRIAL_NAME} of another version") from None


def _contradiction(folder: Path, record: TrialRecord, start: RunStarted | None) -> str:
    """Why the log does not bear out what was judged; empty when it does."""
    if start is None:
        return "without a log that can be read"
    trial = (record.scenario, record.case, record.condition, record.trial, record.seed)
    if trial != tuple(start.context.get(key) for key in ("scenario", "case", "condition", "trial", "seed")):
        return "with the log of another trial"
    if record.figures.status != "killed" and not _has_end(folder / LOG_NAME):
        return "with a log that is cut off"
    return ""


def _unjudged(folder: Path, start: RunStarted | None, why: str) -> TrialRecord:
    context = start.context if start else {}
    try:
        return TrialRecord.model_validate(
            {
                **{key: context[key] for key in ("scenario", "case", "condition", "trial", "seed")},
                "site": "",
                "llm": "",
                "autonomy": start.autonomy if start else "",
                "folder": str(folder),
                "figures": Figures(status="killed"),
                "judgement": broken(why),
            }
        )
    except (KeyError, ValidationError):
        no_trial = "of no scenario" if start and not (folder / TRIAL_NAME).exists() else why
        raise NoTrial(no_trial) from None


def _start(folder: Path) -> RunStarted | None:
    try:
        with (folder / LOG_NAME).open("rb") as log:
            event = parse_event(log.readline())
    except (OSError, ValidationError):
        return None
    return event if isinstance(event, RunStarted) else None


def _has_end(log: Path) -> bool:
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - _TAIL_BYTES))
        lines = file.read().splitlines()
    try:
        return bool(lines) and isinstance(parse_event(lines[-1]), RunFinished)
    except ValidationError:
        return False


def _check_names(trials: list[StoredTrial]) -> None:
    for run, number in Counter(trial.run for trial in trials).most_common(1):
        if number > 1:
            folders = " and ".join(str(trial.folder) for trial in trials if trial.run == run)
            raise UsageError(f"{number} runs are called {run!r}: {folders}; keep one of them")
