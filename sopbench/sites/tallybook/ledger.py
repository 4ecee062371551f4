"""The books: entries of money in and out by week, and the cash-flow statement of each week."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from sopbench.errors import CaseInvalid

if TYPE_CHECKING:
    from sopbench.trials.case import Books, SiteCase

FLOWS = {"in": "Money in", "out": "Money out"}
_COLUMNS = ("Week", "Flow", "Category", "Amount")
_CHART_WEEKS = 12
_MINOR_DIGITS = {"JPY": 0, "KRW": 0}

Data = dict[str, Any]
Statement = dict[tuple[str, str], Decimal]
"""Flow and category → amount, not negative."""


class Ledger:
    """The books of a case. A week is named by its Monday; the last one is the week of the case's present.

    Raises: CaseInvalid when the case has no books, or books.csv is not what it should be.
    """

    def __init__(self, case: SiteCase) -> None:
        if case.books is None:
            raise CaseInvalid(f"{case.path / 'case.toml'}: the finance dashboard needs [books]")
        self.books: Books = case.books
        self._file = case.path / "books.csv"
        self._today = case.now.date()
        self._weeks = self._read(case)
        self._categories = {flow: self._known(flow) for flow in FLOWS}

    def weeks(self) -> list[Data]:
        """All weeks, newest first."""
        return [self._named(week) for week in sorted(self._weeks, reverse=True)]

    def default_week(self) -> str:
        """The week of the present, which is not over yet."""
        return week_id(max(self._weeks))

    def report(self, wanted: str) -> Data | None:
        """The statement of a week beside that of the week before, in minor units; None for a week that is not there."""
        week = next((each for each in self._weeks if week_id(each) == wanted), None)
        if week is None:
            return None
        before = week - timedelta(weeks=1)
        shown = sorted(each for each in self._weeks if each <= week)[-_CHART_WEEKS:]
        return {
            **self._named(week),
            "before": self._named(before) if before in self._weeks else None,
            "sections": [self._section(flow, week, before) for flow in FLOWS],
            "net": self._minor(self._net(week)),
            "netBefore": self._minor(self._net(before)) if before in self._weeks else None,
            "cash": self._minor(self._cash(week)),
            "cashBefore": self._minor(self._cash(before)),
            "history": [{**self._named(each), "cash": self._minor(self._cash(each))} for each in shown],
        }

    def minor_digits(self) -> int:
        """Digits after the point that the currency has."""
        return _MINOR_DIGITS.get(self.books.currency, 2)

    def _section(self, flow: str, week: date, before: date) -> Data:
        sign = 1 if flow == "in" else -1
        lines, total, total_before = [], 0, 0
        for category in self._categories[flow]:
            amount, earlier = (sign * self._minor(self._amount(each, flow, category)) for each in (week, before))
            lines.append({"category": category, "amount": amount, "before": earlier})
            total, total_before = total + amount, total_before + earlier
        return {"id": flow, "title": FLOWS[flow], "lines": lines, "total": total, "totalBefore": total_before}

    def _named(self, week: date) -> Data:
        ends = week + timedelta(days=6)
        number = week.isocalendar().week
        return {"id": week_id(week), "number": number, "starts": week.isoformat(), "ends": ends.isoformat(),
                "open": ends >= self._today}  # fmt: skip

    def _amount(self, week: date, flow: str, category: str) -> Decimal:
        return self._weeks.get(week, {}).get((flow, category), Decimal(0))

    def _net(self, week: date) -> Decimal:
        entries = self._weeks.get(week, {})
        return sum((amount if flow == "in" else -amount for (flow, _), amount in entries.items()), Decimal(0))

    def _cash(self, week: date) -> Decimal:
        return self.books.opening + sum((self._net(each) for each in self._weeks if each <= week), Decimal(0))

    def _minor(self, amount: Decimal) -> int:
        return int(amount.scaleb(self.minor_digits()).to_integral_value())

    def _known(self, flow: str) -> list[str]:
        """Categories in the order in which they first appear."""
        return list(dict.fromkeys(name for entries in self._weeks.values() for kind, name in entries if kind == flow))

    def _read(self, case: SiteCase) -> dict[date, Statement]:
        weeks: dict[date, Statement] = defaultdict(dict)
        for number, row in enumerate(case.entries(), start=2):
            where = f"{self._file}:{number}"
            if tuple(row) != _COLUMNS:
                raise CaseInvalid(f"{where}: its columns are {', '.join(_COLUMNS)}")
            try:
                week, amount = date.fromisoformat(row["Week"]), Decimal(row["Amount"])
            except (ValueError, InvalidOperation) as error:
                raise CaseInvalid(f"{where}: not a day and an amount: {row['Week']!r}, {row['Amount']!r}") from error
            if week.weekday() != 0:
                raise CaseInvalid(f"{where}: {week} is no Monday")
            if row["Flow"] not in FLOWS or amount < 0:
                raise CaseInvalid(f"{where}: money goes 'in' or 'out', and its amount is not negative")
            key = (row["Flow"], row["Category"])
            weeks[week][key] = weeks[week].get(key, Decimal(0)) + amount
        if not weeks:
            raise CaseInvalid(f"{self._file}: the finance dashboard needs at least one week")
        return dict(weeks)


def week_id(week: date) -> str:
    """``2025-W22``."""
    year, number, _ = week.isocalendar()
    return f"{year}-W{number:02}"
