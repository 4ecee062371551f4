"""What others than the run did to the tables while it went on, so that the run is not blamed for it.

A fault of the data that stands for somebody else's work says here what that was. The outcome is then judged beside it:
their changes belong to what was there before, and must still be there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from pydantic import PrivateAttr

from sopbench.trials.case import SiteCase

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Amendments:
    """Changes, by table. Empty until a fault strikes."""

    def __init__(self) -> None:
        self._cells: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
        self._columns: dict[tuple[str, str], str] = {}
        self._dates: set[tuple[str, str]] = set()
        self._extra: dict[str, list[dict[str, Any]]] = defaultdict(list)

    def cell(self, table: str, key: str, column: str, value: str) -> None:
        """Somebody else gave a cell of the record ``key`` this value."""
        self._cells[table, key][column] = value

    def renamed(self, table: str, old: str, new: str) -> None:
        """Somebody else gave a column another name."""
        self._columns[table, new] = old

    def dates_as_text(self, table: str, column: str) -> None:
        """Somebody else made a column of dates one of text, which writes them as ``6/2/2025``."""
        self._dates.add((table, column))

    def added(self, table: str, row: dict[str, Any]) -> None:
        """Somebody else added a record. It is left out of the judgement as long as it stays as it is."""
        self._extra[table].append(row)

    def before(self, case: SiteCase, table: str, rows: list[dict[str, str]]) -> list[dict[str, str]]:
        """A table's rows as they were before the run, with what others changed."""
        key = case.tables[table].key
        return [row | self._cells.get((table, row[key].strip()), {}) for row in rows]

    def after(
        self, case: SiteCase, table: str, rows: list[dict[str, str]], before: list[dict[str, str]]
    ) -> list[dict[str, str]]:
        """A table's rows as they should be: a changed cell that the run has no part in stays as the others left it."""
        key = case.tables[table].key
        was = {row[key].strip(): row for row in before}
        amended = []
        for row in rows:
            name = row[key].strip()
            changes = self._cells.get((table, name), {})
            kept = {c: v for c, v in changes.items() if was.get(name, {}).get(c, "") == row.get(c, "")}
            amended.append(row | kept)
        return amended

    def read(self, read: Callable[[str], Sequence[dict[str, Any]]]) -> Callable[[str], Sequence[dict[str, Any]]]:
        """How a table is read: under its columns' old names, dates as dates, and without what others added."""

        def amended(table: str) -> list[dict[str, Any]]:
            rows = [self._as_before(table, row) for row in read(table)]
            for extra in self._extra[table]:
                named = self._as_before(table, extra)
                found = next((at for at in reversed(range(len(rows))) if _same(rows[at], named)), None)
                if found is not None:
                    del rows[found]
            return rows

        return amended

    def _as_before(self, table: str, row: dict[str, Any]) -> dict[str, Any]:
        """A record as it would be read if no column had been changed."""
        return {
            self._columns.get((table, name), name): _iso(value) if (table, name) in self._dates else value
            for name, value in row.items()
        }


_US_DATE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")


class AmendedCase(SiteCase):
    """A case whose tables are also changed by others."""

    _amendments: Amendments = PrivateAttr(default_factory=Amendments)

    @classmethod
    def of(cls, case: SiteCase, amendments: Amendments) -> AmendedCase:
        made = cls.model_construct(**{name: getattr(case, name) for name in SiteCase.model_fields})
        made._amendments = amendments  # noqa: SLF001 - its own
        return made

    def before(self, table: str) -> list[dict[str, str]]:
        return self._amendments.before(self, table, super().before(table))

    def after(self, table: str) -> list[dict[str, str]]:
        return self._amendments.after(self, table, super().after(table), super().before(table))


def _iso(value: Any) -> Any:
    found = _US_DATE.fullmatch(value) if isinstance(value, str) else None
    return f"{found[3]}-{found[1]:0>2}-{found[2]:0>2}" if found else value


def _same(row: dict[str, Any], other: dict[str, Any]) -> bool:
    return {k: v for k, v in row.items() if v not in ("", None)} == {
        k: v for k, v in other.items() if v not in ("", None)
    }
