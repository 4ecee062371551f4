"""Trials held by pytest in a process of its own: the fixtures of a scenario's conftest are part of its trials."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sopbench.errors import UsageError
from sopbench.records.folder import TRIAL_NAME, read_trial
from sopbench.trials.condition import CLEAN
from sopbench.trials.condition_text import condition_text
from sopbench.trials.record import TrialRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.trials.record import FaultRecord, Held

LISTING = "SOPBENCH_LISTING"
"""Variable that tells the listing of trials where to write."""
_QUIET = ("-q", "--no-header", "-p", "no:cacheprovider", "--tracing=off")
_GOOD = (0, 1)
"""Exit codes of a session that held what it was asked to: all passed, or not all."""


@dataclass(frozen=True)
class Listed:
    """A trial that pytest would hold."""

    node: str
    """Id of its item."""
    scenario: str
    case: str
    condition: str
    trial: int
    seed: int
    test: str
    """Id of its test, without parameters."""
    root: str
    """Folder that its ids are relative to."""
    sha256: str
    """Of the document."""


class NotHeld(UsageError):
    """pytest did not hold the trial; says what it complained of."""


def pytest_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pytest", *arguments]


def condition_option(condition: str) -> str:
    """The option of pytest for a condition; a file is named in full, for trials are not held in this folder."""
    is_file = condition.endswith(".toml") or "/" in condition
    return f"--condition={Path(condition).resolve() if is_file else condition}"


def hold_again(record: TrialRecord, records: Path, faults: Sequence[FaultRecord] | None = None) -> list[Path]:
    """Hold a recorded trial again, with its faults or with these; the folders of its runs, in order.

    The faults are those of the record, whatever has become of the condition that they came from.

    Raises: NotHeld, UsageError when the record does not say how it was held.
    """
    held = held_of(record)
    given = record.faults if faults is None else tuple(faults)
    before = _runs(records)
    with tempfile.TemporaryDirectory(prefix="sopbench-condition-") as folder:
        name = record.condition
        asked = CLEAN
        if given or name != CLEAN:
            file = Path(folder) / f"{name}.toml"
            file.write_text(condition_text(f"as in {Path(record.folder).name}", given), encoding="utf-8")
            asked = str(file)
        node = f"{held.test}[{record.case}-{name}-{record.trial}]"
        arguments = [
            node, f"--condition={asked}", f"--seed={held.seed}", f"--trials={record.trial}",
            f"--records={records.resolve()}",
            *held.options, *_QUIET,
        ]  # fmt: skip
        ended = subprocess.run(  # noqa: S603 - ourselves
            pytest_command(*arguments), cwd=held.root, capture_output=True, text=True, check=False
        )
    runs = sorted(_runs(records) - before)
    if ended.returncode not in _GOOD or not runs:
        raise NotHeld(f"pytest did not hold {node} (exit code {ended.returncode}):\n{_last_lines(ended)}")
    return runs


def held_of(record: TrialRecord) -> Held:
    """Raises: UsageError."""
    if record.held is None:
        raise UsageError(f"{record.folder}: its {TRIAL_NAME} does not say how it was held, so it cannot be held again")
    return record.held


def run_of(runs: Sequence[Path], number: int) -> tuple[Path, TrialRecord]:
    """The run with this number within its trial. Raises: UsageError."""
    for folder in runs:
        record = stored_record(folder)
        if record.run == number:
            return folder, record
    raise UsageError(f"the trial had {len(runs)} runs, and none of them is number {number}")


def stored_record(folder: Path) -> TrialRecord:
    """What a run's folder says it was worth. Raises: UsageError."""
    try:
        kept = read_trial(folder)
        if kept is None:
            raise UsageError(f"{folder}: no {TRIAL_NAME}: it was never judged, or is no folder of a run")
        return TrialRecord.model_validate(kept)
    except ValueError as error:
        raise UsageError(f"{folder / TRIAL_NAME}: cannot be read: {error}") from error


def listed(scenario: Path, arguments: Sequence[str]) -> list[Listed]:
    """All trials that pytest would hold for these arguments. Raises: NotHeld."""
    with tempfile.TemporaryDirectory(prefix="sopbench-listing-") as folder:
        file = Path(folder) / "trials.json"
        command = pytest_command(
            str(scenario), "--collect-only", "-p", "sopbench.pytest_plugin.listing", *arguments, *_QUIET
        )
        ended = subprocess.run(  # noqa: S603 - ourselves
            command, capture_output=True, text=True, check=False, env={**os.environ, LISTING: str(file)}
        )
        if not file.exists():
            raise NotHeld(f"pytest cannot tell the trials of {scenario}:\n{_last_lines(ended)}")
        return [Listed(**each) for each in json.loads(file.read_text(encoding="utf-8"))]


def begin(trials: Sequence[Listed], arguments: Sequence[str], records: Path, file: Path) -> subprocess.Popen[str]:
    """Begin to hold these trials; ``file`` takes their ids. What pytest says goes into a log beside it."""
    file.write_text("\n".join(each.node for each in trials) + "\n", encoding="utf-8")
    command = pytest_command(f"@{file.resolve()}", f"--records={records.resolve()}", *arguments, *_QUIET)
    with file.with_suffix(".log").open("w", encoding="utf-8") as log:
        return subprocess.Popen(  # noqa: S603 - ourselves
            command, cwd=trials[0].root, stdout=log, stderr=subprocess.STDOUT, text=True
        )


def _runs(records: Path) -> set[Path]:
    return {file.parent for file in records.glob(f"*/{TRIAL_NAME}")}


def _last_lines(ended: subprocess.CompletedProcess[str]) -> str:
    said = [line for line in (ended.stdout + ended.stderr).splitlines() if line.strip()]
    return "\n".join(said[-12:])
