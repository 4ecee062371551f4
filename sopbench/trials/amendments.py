"""What others than the run did to the tables while it went on, so that the run is not blamed for it.

A fault of the data that stands for somebody else's work says here what that was. The outcome is then judged without it,
and it must still be there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class _Written:
    """A text that somebody else added to a cell."""

    key: str
    """The column that tells records apart."""
    record: str
    """What that holds."""
    column: str
    text: str


class Amendments:
    """Changes, by table. Empty until a fault strikes."""

    def __init__(self) -> None:
        self._written: dict[str, list[_Written]] = defaultdict(list)
        self._columns: dict[tuple[str, str], str] = {}
        self._dates: set[tuple[str, str]] = set()
        self._extra: dict[str, list[dict[str, Any]]] = defaultdict(list)

    def wrote(self, table: str, key: str, record: str, column: str, text: str) -> None:
        """Somebody else added a text, in lines of its own, to a cell of the record whose column ``key`` holds this."""
        self._written[table].append(_Written(key, record, self._columns.get((table, column), column), text))

    def renamed(self, table: str, old: str, new: str) -> None:
        """Somebody else gave a column another name."""
        self._columns[table, new] = old

    def dates_as_text(self, table: str, column: str) -> None:
        """Somebody else made a column of dates one of text, which writes them as ``6/2/2025``."""
        self._dates.add((table, column))

    def added(self, table: str, row: dict[str, Any]) -> None:
        """Somebody else added a record. It is left out of the judgement as long as it stays as it is."""
        self._extra[table].append(row)

    def read(self, read: Callable[[str], Sequence[dict[str, Any]]]) -> Callable[[str], Sequence[dict[str, Any]]]:
        """How a table is read: under its columns' old names, dates as dates, and without what others added.

        A cell in which the text of somebody else is gone says so, and so is not what it should be.
        """

        def amended(table: str) -> list[dict[str, Any]]:
            rows = [self._as_before(table, row) for row in read(table)]
            extra = _taken_out(rows, [self._as_before(table, row) for row in self._extra[table]])
            for written in self._written[table]:
                _unwrite(rows, written)
            _taken_out(rows, extra)  # what others wrote into a copy
            return rows

        return amended

    def _as_before(self, table: str, row: dict[str, Any]) -> dict[str, Any]:
        """A record as it would be read if no column had been changed."""
        return {
            self._columns.get((table, name), name): _iso(value) if (table, name) in self._dates else value
            for name, value in row.items()
        }


def _taken_out(rows: list[dict[str, Any]], extra: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Take each extra row out of the rows, once; gives those that are not among them."""
    missing = []
    for each in extra:
        found = next((at for at in reversed(range(len(rows))) if _same(rows[at], each)), None)
        if found is None:
            missing.append(each)
        else:
            del rows[found]
    return missing


def _unwrite(rows: list[dict[str, Any]], written: _Written) -> None:
    """Take what somebody else wrote out of its cell, or write there that it is gone."""
    own = [row for row in rows if str(row.get(written.key) or "").strip() == written.record]
    for row in own:
        text = f"\n{row.get(written.column) or ''}\n"
        if f"\n{written.text}\n" in text:
            row[written.column] = text.replace(f"\n{written.text}\n", "\n", 1).strip()
            return
    for row in own:
        row[written.column] = f"(gone: {written.text!r}) {row.get(written.column) or ''}"


_US_DATE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")


def _iso(value: Any) -> Any:
    found = _US_DATE.fullmatch(value) if isinstance(value, str) else None
    return f"{found[3]}-{found[1]:0>2}-{found[2]:0>2}" if found else value


def _same(row: dict[str, Any], other: dict[str, Any]) -> bool:
    return {k: v for k, v in row.items() if v not in ("", None)} == {
        k: v for k, v in other.items() if v not in ("", None)
    }
