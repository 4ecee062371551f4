"""One folder per run: its log, its pictures, its trace, and what the trial was worth.

20261121-180501-ordinary_day-clean-17/
events.jsonl        the log, written while the run goes on
faults.jsonl        when the faults of the trial's condition struck, if there are any; the log does not know of them
screenshots/        one per step, where asked for
artifacts/          files that the run brought: downloads, and pictures the procedure asks for
trace.zip           Playwright's trace, where kept; trace-NAME.zip of a session of its own
trial.json          scenario, case, condition, seed, verdict; written when the trial is judged
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sopbench.errors import UsageError

if TYPE_CHECKING:
    from datetime import datetime

TRIAL_NAME = "trial.json"
TRACE_NAME = "trace.zip"
STRIKES_NAME = "faults.jsonl"
ARTIFACTS = "artifacts"


def new_run_folder(records: Path, name: str, now: datetime) -> Path:
    """Make an empty folder for a run; its name begins with the time and is unique.

    Raises: UsageError when it cannot be made.
    """
    stem = f"{now:%Y%m%d-%H%M%S}-{re.sub(r'[^A-Za-z0-9_.-]+', '-', name).strip('-')}"
    for suffix in ("", *(f".{number}" for number in range(2, 1000))):
        folder = records / f"{stem}{suffix}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(f"{folder}: the run's folder cannot be made: {error.strerror}; see --records") from error
        return folder
    raise UsageError(f"{records / stem}: a thousand runs of this name in one second")


def write_trial(folder: Path, record: dict[str, Any]) -> None:
    """Write ``trial.json`` whole or not at all."""
    partial = folder / f"{TRIAL_NAME}.part"
    partial.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(partial, folder / TRIAL_NAME)  # noqa: PTH105 - atomic, and says so


def read_trial(folder: Path) -> dict[str, Any] | None:
    """What the trial was worth; None when it was never judged."""
    file = folder / TRIAL_NAME
    if not file.exists():
        return None
    record: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return record
