"""A DuckDB in memory that draws no progress bar."""

from __future__ import annotations

from contextlib import suppress

import duckdb


def connected() -> duckdb.DuckDBPyConnection:
    """A connection of one's own; rows without an ``order by`` come in any order."""
    connection = duckdb.connect()
    with suppress(duckdb.InvalidInputException):  # in Jupyter without its widgets: then it draws no bar anyway
        connection.execute("set enable_progress_bar = false")
    connection.execute("set preserve_insertion_order = false")
    return connection
