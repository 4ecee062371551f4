"""A team's store: any database that SQLAlchemy has a dialect for, with one table for each kind of rows.

Several machines write to it, each the runs of its own folders (its *origin*). Rows that are not settled are replaced
whenever their origin is taken in again.
"""

from __future__ import annotations

import socket
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd  # type: ignore[import-untyped]
import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from sopbench.errors import UsageError
from sopbench.records.quiet_duckdb import connected
from sopbench.records.store import StoreMoved, no_rows, typed_columns, without_password
from sopbench.records.tables import BY_NAME, EXCLUDED, FORMAT, OF_RUN, RUNS, TABLES, Kind, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sopbench.records.store import Batch, Choice

PREFIX = "sopbench_"
_TYPES: dict[Kind, type[sa.types.TypeEngine[Any]]] = {
    "word": sa.Text,
    "text": sa.Text,
    "whole": sa.Integer,
    "big": sa.BigInteger,
    "number": sa.Double,
    "flag": sa.Boolean,
    "time": sa.DateTime,
}
_AT_ONCE = 20_000
_KEYS_AT_ONCE = 500


class SqlStore:
    """Rows of the runs of a team."""

    def __init__(self, url: str, origin: str) -> None:
        self.place = url
        self._url = url
        self._origin = f"{socket.gethostname()}:{origin}" if origin else ""
        self._meta = sa.MetaData()
        self._format = sa.Table(f"{PREFIX}format", self._meta, sa.Column("format", sa.Integer, primary_key=True))
        self._tables = {table.name: _sql_table(table, self._meta) for table in TABLES}

    def unknown(self, folders: Iterable[str]) -> list[str]:
        runs = self._tables[RUNS.name]
        query = sa.select(runs.c.folder).where(runs.c.origin == self._origin, runs.c.settled)
        with self._begin() as connection:
            known = set(connection.execute(query).scalars())
        return sorted(folder for folder in folders if folder not in known)

    def keys_of(self, keys: Iterable[int]) -> dict[int, str]:
        runs = self._tables[RUNS.name]
        wanted = list(keys)
        found: dict[int, str] = {}
        with self._begin() as connection:
            for start in range(0, len(wanted), _KEYS_AT_ONCE):
                some = wanted[start : start + _KEYS_AT_ONCE]
                query = sa.select(runs.c.key, runs.c.folder, runs.c.origin)
                for key, folder, origin in connection.execute(query.where(runs.c.key.in_(some), runs.c.settled)):
                    found[key] = folder if origin == self._origin else f"{folder} of {origin}"
        return found

    def still_open(self) -> frozenset[tuple[str, str]]:
        runs, excluded = self._tables[RUNS.name], self._tables[EXCLUDED.name]
        with self._begin() as connection:
            marks = [
                (row.folder, str(row[1]))
                for table, mark in ((runs, runs.c.key), (excluded, excluded.c.why))
                for row in connection.execute(
                    sa.select(table.c.folder, mark).where(table.c.origin == self._origin, ~table.c.settled)
                )
            ]
        return frozenset(marks)

    def look_again(self) -> None:
        """Each question looks anew already."""

    def add(self, settled: Batch, still_open: Batch) -> None:
        try:
            with self._begin() as connection:
                self._forget_open(connection)
                for batch, is_settled in ((settled, True), (still_open, False)):
                    for name, frame in batch.items():
                        self._insert(connection, BY_NAME[name], frame, settled=is_settled)
        except IntegrityError as error:
            raise StoreMoved from error

    def forget(self) -> None:
        runs, excluded = self._tables[RUNS.name], self._tables[EXCLUDED.name]
        mine = sa.select(runs.c.key).where(runs.c.origin == self._origin)
        with self._begin() as connection:
            for table in OF_RUN:
                own = self._tables[table.name]
                connection.execute(own.delete().where(own.c.key.in_(mine)))
            for own in (runs, excluded):
                connection.execute(own.delete().where(own.c.origin == self._origin))

    def drop(self) -> None:
        """Remove all tables, whoever wrote into them."""
        self._meta.drop_all(self._engine)

    def open(self) -> SqlSource:
        """Raises: UsageError when no runs were ever taken into it, or it cannot be reached; nothing is made."""
        self._require_there()
        with self._begin():
            pass
        return SqlSource(self)

    def read(self, table: Table, choice: Choice) -> Iterator[pd.DataFrame]:
        """The rows of the runs that were chosen, in pieces."""
        own, runs = self._tables[table.name], self._tables[RUNS.name]
        query = sa.select(*(own.c[name] for name in table.names))
        if table in OF_RUN:
            query = query.join_from(own, runs, own.c.key == runs.c.key)
        if table is not EXCLUDED:
            query = query.where(*_conditions(runs, choice))
        with self._begin() as connection:
            streamed = connection.execution_options(yield_per=_AT_ONCE).execute(query)
            for rows in streamed.partitions():
                yield pd.DataFrame([tuple(row) for row in rows], columns=list(table.names))

    def _require_there(self) -> None:
        shown = without_password(self._url)
        taken_in = f"runs are taken into it by: sopbench records sync --store {shown}"
        file = _file_of(self._engine.url)
        if file is not None and not file.exists():
            raise UsageError(f"{shown}: there is no such store, no file {file.resolve()}; {taken_in}")
        try:
            there = sa.inspect(self._engine).has_table(self._format.name)
        except SQLAlchemyError as error:
            raise _failed(self._url, error) from error
        if not there:
            raise UsageError(f"{shown}: a database that no runs were ever taken into; {taken_in}")

    def _begin(self) -> Any:
        try:
            self._ready  # noqa: B018 - makes the tables, once
            return _Begun(self._engine, self._url)
        except SQLAlchemyError as error:
            raise _failed(self._url, error) from error

    @cached_property
    def _engine(self) -> sa.Engine:
        try:
            return sa.create_engine(self._url, poolclass=sa.NullPool)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise _failed(self._url, error) from error

    @cached_property
    def _ready(self) -> bool:
        with self._engine.begin() as connection:
            self._meta.create_all(connection)
            formats = set(connection.execute(sa.select(self._format.c.format)).scalars())
            if not formats:
                connection.execute(self._format.insert().values(format=FORMAT))
        if formats - {FORMAT}:
            raise UsageError(
                f"{without_password(self._url)}: made by another version (its tables are of format {min(formats)},"
                f" this one reads {FORMAT}); take the runs into an empty database"
            )
        return True

    def _forget_open(self, connection: sa.Connection) -> None:
        runs, excluded = self._tables[RUNS.name], self._tables[EXCLUDED.name]
        mine = sa.select(runs.c.key).where(runs.c.origin == self._origin, ~runs.c.settled)
        for table in OF_RUN:
            own = self._tables[table.name]
            connection.execute(own.delete().where(own.c.key.in_(mine)))
        for own in (runs, excluded):
            connection.execute(own.delete().where(own.c.origin == self._origin, ~own.c.settled))

    def _insert(self, connection: sa.Connection, table: Table, frame: pd.DataFrame, *, settled: bool) -> None:
        own = self._tables[table.name]
        rows = frame.astype(object).where(frame.notna(), None)
        if table in (RUNS, EXCLUDED):
            rows = rows.assign(origin=self._origin, settled=settled)
        for start in range(0, len(rows), _AT_ONCE):
            connection.execute(own.insert(), rows.iloc[start : start + _AT_ONCE].to_dict("records"))


class SqlSource:
    """A team's store, for reading: what is asked for is brought into memory."""

    def __init__(self, store: SqlStore) -> None:
        self.connection = connected()
        self._store = store
        self._brought: set[str] = set()

    def bring(self, table: str, choice: Choice) -> None:
        if table in self._brought:
            return
        kind = BY_NAME[table]
        self.connection.execute(f"create table {table} as {no_rows(kind)}")
        for piece in self._store.read(kind, choice):
            self.connection.register("piece", piece)
            self.connection.execute(f"insert into {table} select {typed_columns(kind)} from piece")
            self.connection.unregister("piece")
        self._brought.add(table)


class _Begun:
    """A transaction whose errors are ours."""

    def __init__(self, engine: sa.Engine, url: str) -> None:
        self._context = engine.begin()
        self._url = url

    def __enter__(self) -> sa.Connection:
        try:
            return self._context.__enter__()
        except SQLAlchemyError as error:
            raise _failed(self._url, error) from error

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._context.__exit__(kind, error, trace)
        if isinstance(error, SQLAlchemyError) and not isinstance(error, IntegrityError):
            raise _failed(self._url, error) from error


def _file_of(url: sa.URL) -> Path | None:
    """The file of an SQLite database; None for one in memory, and for others."""
    name = url.database
    plain = url.get_backend_name() == "sqlite" and name and name != ":memory:" and not name.startswith("file:")
    return Path(name) if plain and name else None


def _sql_table(table: Table, meta: sa.MetaData) -> sa.Table:
    columns: list[sa.Column[Any]] = [
        sa.Column(
            column.name,
            _TYPES[column.kind],
            primary_key=table is RUNS and column.name == "key",
            autoincrement=False,
            index=(table in OF_RUN and column.name == "key") or None,
        )
        for column in table.columns
    ]
    if table in (RUNS, EXCLUDED):
        columns.append(sa.Column("settled", sa.Boolean, nullable=False))
    return sa.Table(f"{PREFIX}{table.name}", meta, *columns)


def _conditions(runs: sa.Table, choice: Choice) -> list[sa.ColumnElement[bool]]:
    parts: list[sa.ColumnElement[bool]] = []
    if choice.since is not None:
        parts.append(runs.c.began >= choice.since)
    if choice.until is not None:
        parts.append(runs.c.began < choice.until)
    parts.extend(runs.c[column].in_(wanted) for column, wanted in choice.words.items() if column in RUNS.names)
    return parts


def _failed(url: str, error: Exception) -> UsageError:
    told = getattr(error, "orig", None) or error
    return UsageError(f"{without_password(url)}: the store cannot be used: {str(told).strip().splitlines()[0]}")
