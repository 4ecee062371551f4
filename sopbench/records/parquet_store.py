"""The store beside the runs: Parquet files in ``.store``, read through DuckDB.

.store/
  000001/            one batch: rows that stay
    batch.json       format of the tables, how many runs, and which batches this one replaces
    runs.parquet …   a file for each table that has rows
    open/            rows of runs that are not settled yet; only those of the last batch count
  000002/ …

A batch is written beside and renamed into its place, so it is there whole or not at all; of two that take the same
number one fails and looks again. Many small batches are merged into the next one. The folders of the runs stay what is
true: the store can always be made anew from those that are still there.
"""

from __future__ import annotations

import json
import os
import shutil
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd  # type: ignore[import-untyped]

from sopbench.errors import UsageError
from sopbench.records.quiet_duckdb import connected
from sopbench.records.store import TABLE_NAMES, StoreMoved, no_rows, typed_columns
from sopbench.records.tables import BY_NAME, FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sopbench.records.store import Batch, Choice

STORE_NAME = ".store"
_NOTE = "batch.json"
_OPEN = "open"
SMALL_RUNS = 20_000
"""A batch of fewer runs is merged with others."""
MOST_SMALL = 16
_REPLACED_FOR_S = 600
"""So long a replaced batch is kept for those who still read it."""
_LEFT_BEHIND_S = 3600


@dataclass(frozen=True)
class _Snapshot:
    """The batches that count, in order; and the number of the last there ever was."""

    batches: tuple[Path, ...]
    last: int

    def files(self, table: str) -> list[str]:
        found = [batch / f"{table}.parquet" for batch in self.batches]
        if self.batches:
            found.append(self.batches[-1] / _OPEN / f"{table}.parquet")
        return [str(file) for file in found if file.exists()]

    def settled(self, table: str) -> list[str]:
        return [str(file) for batch in self.batches if (file := batch / f"{table}.parquet").exists()]


class ParquetStore:
    """Rows of the runs in one folder."""

    def __init__(self, records: Path) -> None:
        self.folder = records / STORE_NAME
        self.place = str(self.folder)
        self._looked: _Snapshot | None = None

    def unknown(self, folders: Iterable[str]) -> list[str]:
        given = pd.DataFrame({"folder": list(folders)}, dtype=str)
        if given.empty or not (files := self._seen.settled("runs")):
            return sorted(given["folder"])
        query = f"select folder from given anti join {parquet(files)} using (folder) order by folder"
        with connected() as connection:
            connection.register("given", given)
            return [folder for (folder,) in self._rows(connection, query)]

    def keys_of(self, keys: Iterable[int]) -> dict[int, str]:
        given = pd.DataFrame({"key": list(keys)}, dtype="int64")
        if given.empty or not (files := self._seen.settled("runs")):
            return {}
        with connected() as connection:
            connection.register("given", given)
            return dict(self._rows(connection, f"select key, folder from {parquet(files)} semi join given using (key)"))

    def still_open(self) -> frozenset[tuple[str, str]]:
        marks: set[tuple[str, str]] = set()
        with connected() as connection:
            for table, mark in (("runs", "cast(key as varchar)"), ("excluded", "why")):
                if self._seen.batches and (file := self._seen.batches[-1] / _OPEN / f"{table}.parquet").exists():
                    marks.update(self._rows(connection, f"select folder, {mark} from {parquet([str(file)])}"))
        return frozenset(marks)

    def add(self, settled: Batch, still_open: Batch) -> None:
        small = self._small()
        merged = small if len(small) >= MOST_SMALL else ()
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self.folder / f".part-{uuid.uuid4().hex}"
        (part / _OPEN).mkdir(parents=True)
        try:
            with connected() as connection:
                for name in TABLE_NAMES:
                    before = [str(file) for batch in merged if (file := batch / f"{name}.parquet").exists()]
                    _write(connection, name, settled.get(name), before, part / f"{name}.parquet")
                    _write(connection, name, still_open.get(name), [], part / _OPEN / f"{name}.parquet")
            runs = sum(_note(batch)["runs"] for batch in merged) + len(settled.get("runs", ()))
            note = {"format": FORMAT, "runs": runs, "replaces": [batch.name for batch in merged]}
            (part / _NOTE).write_text(json.dumps(note) + "\n", encoding="utf-8")
            _flush(part)
            self._take_place(part)
        finally:
            shutil.rmtree(part, ignore_errors=True)
        self.look_again()
        self._clean()

    def look_again(self) -> None:
        """See what others have written meanwhile."""
        self._looked = None

    def forget(self) -> None:
        if self.folder.exists():
            aside = self.folder.with_name(f"{STORE_NAME}-{uuid.uuid4().hex}")
            self.folder.rename(aside)
            shutil.rmtree(aside)
        self.look_again()

    def open(self) -> ParquetSource:
        return ParquetSource(connected(), self._seen, self.folder)

    @property
    def batches(self) -> int:
        """How many there are."""
        return len(self._seen.batches)

    @property
    def _seen(self) -> _Snapshot:
        """What was there at the last look. Raises: UsageError when the store is of another version, or spoilt."""
        if self._looked is None:
            self._looked = self._snapshot()
        return self._looked

    def _take_place(self, part: Path) -> None:
        place = self.folder / f"{self._seen.last + 1:06d}"
        try:
            os.rename(part, place)  # noqa: PTH104 - fails where Path.replace would not
        except OSError as error:
            if place.exists():
                raise StoreMoved from error
            raise
        _flush_folder(self.folder)

    def _snapshot(self) -> _Snapshot:
        if not self.folder.is_dir():
            return _Snapshot((), 0)
        found = sorted(each for each in self.folder.iterdir() if each.name.isdigit())
        notes = {batch.name: _note(batch) for batch in found}
        replaced = {name for note in notes.values() for name in note["replaces"]}
        live = tuple(batch for batch in found if batch.name not in replaced)
        return _Snapshot(live, int(found[-1].name) if found else 0)

    def _small(self) -> tuple[Path, ...]:
        return tuple(batch for batch in self._seen.batches if _note(batch)["runs"] < SMALL_RUNS)

    def _clean(self) -> None:
        """Remove replaced batches that nobody reads any more, and what a killed writer left behind."""
        now = time.time()
        live = {batch.name for batch in self._seen.batches}
        for each in self.folder.iterdir():
            left_behind = each.name.startswith(".part-") and now - each.stat().st_mtime > _LEFT_BEHIND_S
            replaced = each.name.isdigit() and each.name not in live
            if left_behind or (replaced and self._replaced_for(each.name, now) > _REPLACED_FOR_S):
                shutil.rmtree(each, ignore_errors=True)

    def _replaced_for(self, name: str, now: float) -> float:
        by = [batch for batch in self._seen.batches if name in _note(batch)["replaces"]]
        return now - by[0].stat().st_mtime if by else 0.0

    def _rows(self, connection: duckdb.DuckDBPyConnection, query: str) -> list[Any]:
        try:
            return connection.execute(query).fetchall()
        except duckdb.Error as error:
            raise spoilt(self.folder, error) from error


class ParquetSource:
    """The batches of one moment, as relations."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, seen: _Snapshot, folder: Path) -> None:
        self.connection = connection
        self._seen = seen
        self._folder = folder
        self._brought: set[str] = set()

    def bring(self, table: str, choice: Choice) -> None:
        if table in self._brought:
            return
        files = self._seen.files(table)
        rows = f"from {parquet(files)}" if files else no_rows(BY_NAME[table])
        try:
            self.connection.execute(f"create view {table} as {rows}")
        except duckdb.Error as error:
            raise spoilt(self._folder, error) from error
        self._brought.add(table)


def parquet(files: Sequence[str]) -> str:
    """The rows of files, for a query."""
    return f"read_parquet([{', '.join(map(_quoted, files))}])"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def spoilt(folder: Path, error: Exception) -> UsageError:
    """What to say of a store that cannot be read."""
    first = str(error).splitlines()[0]
    return UsageError(f"{folder}: the store cannot be read ({first}); sopbench records sync --afresh makes it anew")


def _write(
    connection: duckdb.DuckDBPyConnection, name: str, new: pd.DataFrame | None, before: Sequence[str], file: Path
) -> None:
    parts = [f"select * from {parquet(before)}"] if before else []
    if new is not None and len(new):
        connection.register("new_rows", new)
        parts.append(f"select {typed_columns(BY_NAME[name])} from new_rows")
    if parts:
        connection.execute(
            f"copy ({' union all by name '.join(parts)}) to {_quoted(str(file))} (format parquet, compression zstd)"
        )


def _note(batch: Path) -> dict[str, Any]:
    try:
        note: dict[str, Any] = json.loads((batch / _NOTE).read_bytes())
    except (OSError, ValueError) as error:
        raise spoilt(batch.parent, error) from error
    if note.get("format") != FORMAT:
        raise UsageError(
            f"{batch.parent}: made by another version (its tables are of format {note.get('format')}, this one reads"
            f" {FORMAT}); sopbench records sync --afresh makes it anew from the folders that are still there"
        )
    return note


def _flush(folder: Path) -> None:
    for each in folder.rglob("*"):
        if each.is_file():
            with each.open("rb") as file:
                os.fsync(file.fileno())
    _flush_folder(folder)


def _flush_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
