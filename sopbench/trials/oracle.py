"""The check of the outcome at its source: a case's expected data held against what the sites hold.

An oracle sees nothing of the run's own claims. It reads through the site's own interface, and says exactly what
differs.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Protocol

from sopbench.trials.cells import cell_problem, same_row
from sopbench.trials.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sopbench.trials.case import Case, SiteCase, Table

Row = dict[str, Any]


class Oracle(Protocol):
    """Knows what should be there, and looks."""

    def outcome(self) -> Outcome:
        """What is missing and what is wrong now."""


class Match:
    """True when nothing differs; prints as the list of differences, so that a failed assert explains itself."""

    def __init__(self, name: str, outcome: Outcome) -> None:
        self.name = name
        self.outcome = outcome

    def __bool__(self) -> bool:
        return self.outcome.as_expected

    def __repr__(self) -> str:
        if self:
            return f"<{self.name}: as expected>"
        return f"<{self.name}: " + "; ".join(self.outcome.wrong + self.outcome.missing) + ">"


class TableOracle:
    """The tables of a case, read from the app through ``read``: a table's name gives its records, keyed by column."""

    def __init__(self, case: Case, read: Callable[[str], Sequence[Row]]) -> None:
        self._case = case
        self._read = read

    def matches(self, table: str) -> Match:
        """Whether one table is as the case expects it."""
        declared = self._case.tables[table]
        found = self._read(table)
        return Match(table, compare_table(table, declared, self._case.before(table), self._case.after(table), found))

    def outcome(self) -> Outcome:
        return _sum(self.matches(table).outcome for table in self._case.tables)


class LabelOracle:
    """Labels of mail threads. Only labels that the case speaks of are judged."""

    def __init__(self, case: SiteCase, read: Callable[[], Mapping[str, Sequence[str]]]) -> None:
        self._case = case
        self._read = read

    def matches(self, label: str) -> Match:
        """Whether just the expected threads carry the label."""
        expected, found = set(self._case.labels.get(label, ())), set(self._read().get(label, ()))
        missing = tuple(f"label {label!r} is missing on {mail}" for mail in sorted(expected - found))
        wrong = tuple(f"label {label!r} is on {mail}" for mail in sorted(found - expected))
        return Match(label, Outcome(missing=missing, wrong=wrong))

    def outcome(self) -> Outcome:
        return _sum(self.matches(label).outcome for label in self._case.labels)


def compare_table(
    name: str, table: Table, before: Sequence[Row], after: Sequence[Row], found: Sequence[Row]
) -> Outcome:
    """Hold a table against its expected content.

    A record that should have changed, or gone, and is still as before is *missing*: the run did not get there.
    Everything else that differs is *wrong*.
    """
    key = table.key
    was, should = ({str(row[key]).strip(): row for row in rows} for rows in (before, after))
    there: dict[str, list[Row]] = defaultdict(list)
    for row in found:
        there[str(row.get(key) or "").strip()].append(row)
    missing, wrong = [], []
    for value, expected in should.items():
        rows = there.pop(value, [])
        if not rows and value not in was:
            missing.append(f"{name}: no record {value!r}")
        elif not rows:
            wrong.append(f"{name}: record {value!r} is gone")
        elif len(rows) > 1:
            wrong.append(f"{name}: {len(rows)} records {value!r}")
        elif problems := _row_problems(table, was.get(value), expected, rows[0]):
            untouched = value in was and same_row(table, was[value], rows[0])
            bystander = value in was and was[value] == expected
            if untouched and not bystander:
                missing.append(f"{name}: record {value!r} is still as before")
            else:
                who = "bystander" if bystander else "record"
                wrong.extend(f"{name}: {who} {value!r}: {problem}" for problem in problems)
    for value, rows in there.items():
        if len(rows) == 1 and value in was and same_row(table, was[value], rows[0]):
            missing.append(f"{name}: record {value!r} is still there")
            continue
        wrong.extend(f"{name}: extra record {value!r}" for _ in rows)
    return Outcome(missing=tuple(missing), wrong=tuple(wrong))


def _row_problems(table: Table, before: Row | None, expected: Row, found: Row) -> list[str]:
    problems = []
    for name, column in table.columns.items():
        problem = cell_problem(column, (before or {}).get(name, ""), expected.get(name, ""), found.get(name))
        if problem:
            problems.append(f"{name} {problem}")
    return problems


def _sum(outcomes: Iterable[Outcome]) -> Outcome:
    total = Outcome()
    for outcome in outcomes:
        total += outcome
    return total
