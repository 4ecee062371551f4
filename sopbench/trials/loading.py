"""From the folders of runs into a store, and from there into frames.

What is in the store for good is not read again. A run that was not judged yet is looked at every time, for a day; then
it counts as broken for good. What is left out, or counts as broken though it was not judged so, stands in ``excluded``.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sopbench.errors import UsageError
from sopbench.events.log import LOG_NAME, read_log
from sopbench.records.folder import TRIAL_NAME
from sopbench.records.frames import RunFrames
from sopbench.records.parquet_store import STORE_NAME, ParquetStore
from sopbench.records.rows import rows_of_log
from sopbench.records.store import Choice, StoreMoved, batch_of, is_url, without_password
from sopbench.records.tables import EXCLUDED, FAULTS, RUNS, Row, Rows, key_of
from sopbench.trials.run_rows import fault_rows, run_row
from sopbench.trials.stored import NoTrial, read_trial_in
from sopbench.trials.verdict import broken

if TYPE_CHECKING:
    from sopbench.records.store import Store
    from sopbench.trials.stored import StoredTrial

DEFAULT_RECORDS = "reports/runs"
SETTING = "SOPBENCH_STORE"
BATCH_RUNS = 2_000
UNJUDGED_FOR = timedelta(days=1)
_TRIES = 20

Wanted = str | Sequence[str] | None


@dataclass(frozen=True)
class Synced:
    """What a store was told."""

    added: int
    """Runs that are in it for good now."""
    still_open: int
    """Runs that were not judged yet, or that cannot be; they are looked at again next time."""


def load_runs(
    records: str | Path = DEFAULT_RECORDS,
    *,
    store: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    scenario: Wanted = None,
    condition: Wanted = None,
    case: Wanted = None,
    site: Wanted = None,
    llm: Wanted = None,
) -> RunFrames:
    """Stored runs as pandas frames; new ones are taken into the store first.

    ``records`` is a folder of runs, or the SQLAlchemy URL of a team's store, which is read as it is. ``store`` is where
    the rows of a folder are kept: see ``store_of``. ``since`` and ``until`` are UTC unless they say otherwise; of the
    others each is a word or several.

    Raises: UsageError when there is no such folder or store, or it cannot be read. One that is there and holds no runs
    gives frames without rows.
    """
    words = {"scenario": scenario, "condition": condition, "case": case, "site": site, "llm": llm}
    choice = Choice(
        since=_naive_utc(since),
        until=_naive_utc(until),
        words={name: _several(wanted) for name, wanted in words.items() if wanted is not None},
    )
    if is_url(str(records)):
        return RunFrames(_database(str(records), origin="").open(), without_password(str(records)), choice)
    folder = Path(records)
    kept = store_of(folder, store)
    sync(folder, kept)
    return RunFrames(kept.open(), str(records), choice)


def store_of(records: Path, store: str | None = None) -> Store:
    """The store of a folder of runs: the URL that is given, or the one in the environment's ``SOPBENCH_STORE``, or
    ``store`` of ``[tool.sopbench]`` in this folder's pyproject.toml; without any of them Parquet files beside the runs.

    Raises: UsageError when there is no such folder.
    """
    if not records.is_dir():
        raise UsageError(f"{records}: no such folder of runs; name the one that trials were held into (--records)")
    if records.name == STORE_NAME:
        raise UsageError(f"{records}: the store itself; name the folder of runs that it lies in: {records.parent}")
    url = store or os.environ.get(SETTING, "") or _setting(Path("pyproject.toml"))
    return _database(url, origin=str(records.resolve())) if url else ParquetStore(records)


def sync(records: Path, store: Store, now: datetime | None = None) -> Synced:
    """Take what is new in a folder of runs into its store. Raises: UsageError."""
    moment = now or datetime.now(UTC)
    for _ in range(_TRIES):
        try:
            return _sync(records, store, moment)
        except StoreMoved:
            store.look_again()
    raise UsageError(f"{records}: others write to the store all the time; try again")


def _sync(records: Path, store: Store, now: datetime) -> Synced:
    names = store.unknown(_run_folders(records))
    open_rows: Rows = {}
    added = 0
    waiting: Rows | None = None
    for start in range(0, len(names), BATCH_RUNS):
        if waiting is not None:
            store.add(batch_of(waiting), {})
        waiting, unsettled = _read_all(records, names[start : start + BATCH_RUNS], store, now)
        added += len(waiting.get(RUNS.name, []))
        _extend(open_rows, unsettled)
    if added or _open_marks(open_rows) != store.still_open():
        store.add(batch_of(waiting or {}), batch_of(open_rows))
    return Synced(added, len(open_rows.get(RUNS.name, [])) + len(open_rows.get(EXCLUDED.name, [])))


def _database(url: str, origin: str) -> Store:
    from sopbench.records.sql_store import SqlStore  # noqa: PLC0415 - SQLAlchemy, for teams only

    return SqlStore(url, origin)


def _run_folders(records: Path) -> list[str]:
    with os.scandir(records) as entries:
        return [entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir()]


def _read_all(records: Path, names: Sequence[str], store: Store, now: datetime) -> tuple[Rows, Rows]:
    """Rows that stay, and rows that do not yet."""
    read = [_read_one(records / name, now) for name in names if _is_run(records / name)]
    known = store.keys_of(each.key for each in read if each.key)
    settled: Rows = {}
    unsettled: Rows = {}
    for each in read:
        if each.key in known:
            why = f"a copy of {known[each.key]}, which counts"
            _extend(unsettled, {EXCLUDED.name: [{"folder": each.folder, "run": each.run, "why": why}]})
            continue
        if each.key:
            known[each.key] = each.folder
        _extend(settled if each.settled else unsettled, each.rows)
    return settled, unsettled


@dataclass(frozen=True)
class _Read:
    folder: str
    run: str
    key: int
    """0 for what is no run."""
    settled: bool
    rows: Rows


def _read_one(folder: Path, now: datetime) -> _Read:
    try:
        trial, remark = read_trial_in(folder)
    except NoTrial as no_trial:
        left: Rows = {EXCLUDED.name: [_excluded(folder.name, folder.name, str(no_trial))]}
        return _Read(folder.name, folder.name, 0, settled=False, rows=left)
    key = key_of(trial.run, _bytes(folder / TRIAL_NAME), _first_line(folder / LOG_NAME))
    rows, unreadable = _rows_of_log(key, trial)
    remark = remark or unreadable
    judgement = broken(unreadable) if unreadable and not trial.is_broken else trial.record.judgement
    rows[RUNS.name] = [run_row(key, trial, judgement)]
    rows[FAULTS.name] = fault_rows(key, trial.record)
    if remark:
        rows[EXCLUDED.name] = [_excluded(folder.name, trial.run, f"{remark}: counted as broken")]
    judged = (folder / TRIAL_NAME).exists() or _age(trial, now) > UNJUDGED_FOR
    return _Read(folder.name, trial.run, key, judged, rows)


def _rows_of_log(key: int, trial: StoredTrial) -> tuple[Rows, str]:
    if trial.start is None:
        return {}, ""
    try:
        return rows_of_log(key, read_log(trial.folder)), ""
    except UsageError:
        return {}, "with a log that cannot be read"


def _excluded(folder: str, run: str, why: str) -> Row:
    return {"folder": folder, "run": run, "why": why}


def _age(trial: StoredTrial, now: datetime) -> timedelta:
    if not trial.began:
        return timedelta.max
    began = datetime.fromisoformat(trial.began)
    return now - (began if began.tzinfo else began.replace(tzinfo=UTC))


def _is_run(folder: Path) -> bool:
    return (folder / TRIAL_NAME).exists() or (folder / LOG_NAME).exists()


def _bytes(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


def _first_line(file: Path) -> bytes:
    if not file.exists():
        return b""
    with file.open("rb") as log:
        return log.readline()


def _extend(rows: Rows, more: Rows) -> None:
    for name, own in more.items():
        rows.setdefault(name, []).extend(own)


def _open_marks(rows: Rows) -> frozenset[tuple[str, str]]:
    """What tells whether the open rows are still the same."""
    runs = ((row["folder"], str(row["key"])) for row in rows.get(RUNS.name, []))
    return frozenset(runs) | {(row["folder"], row["why"]) for row in rows.get(EXCLUDED.name, [])}


def _several(wanted: str | Sequence[str]) -> tuple[str, ...]:
    return (wanted,) if isinstance(wanted, str) else tuple(wanted)


def _naive_utc(moment: datetime | None) -> datetime | None:
    if moment is None or moment.tzinfo is None:
        return moment
    return moment.astimezone(UTC).replace(tzinfo=None)


def _setting(project: Path) -> str:
    """``store`` of ``[tool.sopbench]``; empty without one. Raises: UsageError."""
    if not project.is_file():
        return ""
    try:
        told = tomllib.loads(project.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{project}: cannot be read: {error}") from error
    store = told.get("tool", {}).get("sopbench", {}).get("store", "")
    if not isinstance(store, str):
        raise UsageError(f"{project}: store of [tool.sopbench] must be the URL of a database, got {store!r}")
    return store
