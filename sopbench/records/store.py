"""What every store of runs can do, and which one a place names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import pandas as pd  # type: ignore[import-untyped]

from sopbench.records.tables import BY_NAME, SQL_TYPES, TABLES, Rows, Table, filled

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    import duckdb

Batch = Mapping[str, "pd.DataFrame"]
"""Rows as frames, by the name of their table."""


@dataclass(frozen=True)
class Choice:
    """Which runs are meant; without anything all of them."""

    since: datetime | None = None
    """Began then or later."""
    until: datetime | None = None
    """Began before then."""
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Column of ``runs`` → the values that are wanted."""


class Source(Protocol):
    """An open store, to be asked in SQL."""

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """Where the relations are."""

    def bring(self, table: str, choice: Choice) -> None:
        """Make a table of the store a relation of its name; it may hold more than what was chosen."""


class StoreMoved(Exception):
    """Somebody else has written to the store since it was looked at; look again."""


class Store(Protocol):
    """Where rows of runs are kept."""

    place: str
    """Its folder, or its URL."""

    def unknown(self, folders: Iterable[str]) -> list[str]:
        """The folders whose runs are not in the store for good."""

    def keys_of(self, keys: Iterable[int]) -> dict[int, str]:
        """Which of these keys the store has for good, each with its folder."""

    def still_open(self) -> frozenset[tuple[str, str]]:
        """What the store has for now only: folder and key of each run, folder and reason of what is excluded."""

    def look_again(self) -> None:
        """See what others have written meanwhile."""

    def add(self, settled: Batch, still_open: Batch) -> None:
        """Keep rows for good, and rows that the next call replaces: all of it, or nothing.

        Raises: StoreMoved.
        """

    def forget(self) -> None:
        """Drop all rows of this folder of runs."""

    def open(self) -> Source:
        """The store as it is now, for reading."""


def batch_of(rows: Rows) -> dict[str, pd.DataFrame]:
    """The frames of the tables that have rows."""
    return {name: frame_of(BY_NAME[name], own) for name, own in rows.items() if own}


def frame_of(table: Table, rows: Iterable[dict[str, Any]]) -> pd.DataFrame:
    """Rows as a frame with all columns of the table. Raises: ValueError on an unknown column."""
    complete = [filled(table, row) for row in rows]
    return pd.DataFrame({name: [row[name] for row in complete] for name in table.names}, columns=list(table.names))


def typed_columns(table: Table) -> str:
    """The columns of a table, each cast to its type, for a select."""
    return ", ".join(
        f'cast("{column.name}" as {SQL_TYPES[column.kind]}) as "{column.name}"' for column in table.columns
    )


def no_rows(table: Table) -> str:
    """A select of the table's columns and no row."""
    columns = ", ".join(f'cast(null as {SQL_TYPES[column.kind]}) as "{column.name}"' for column in table.columns)
    return f"select {columns} limit 0"


def is_url(place: str) -> bool:
    """Whether a place is the URL of a database."""
    return re.match(r"[a-z][a-z0-9]*(\+[a-z0-9_]+)?://", place) is not None


def without_password(place: str) -> str:
    """A folder or a URL as it may be shown."""
    return re.sub(r"://([^:/@]*):.*@", r"://\1:***@", place)


TABLE_NAMES = tuple(table.name for table in TABLES)
