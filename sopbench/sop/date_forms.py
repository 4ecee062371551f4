"""In which form a field wants a date written: what its hints say, and what a sample of it shows."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sopbench.sop.meaning import date_in

if TYPE_CHECKING:
    import datetime as dt

    from sopbench.sop.meaning import Conventions

_LETTERS = r"[dmyjtagprvkhnéåмдгÅÉ]"
_HINT = re.compile(
    rf"(?<![^\W\d_])({_LETTERS})\1{{0,3}}(?P<one>\s?[./\-]\s?|\s|\.\s|,\s)"
    rf"({_LETTERS})\3{{0,3}}(?P<two>\s?[./\-]\s?|\s|\.\s|,\s)({_LETTERS})\5{{0,3}}(?![^\W\d_])",
    re.IGNORECASE,
)
_MONTH_LETTERS = frozenset("mмkn")
_YEAR_LETTERS = frozenset("yåгévr")
_YEAR_LENGTH = 4
_ASIAN = re.compile(r"年|년")


@dataclass(frozen=True)
class DateForm:
    """``parts`` are ``d dd m mm mmm mmmm yy yyyy`` and the marks between them, in order."""

    parts: tuple[str, ...]

    @property
    def order(self) -> str:
        """Of day, month and year: ``dmy``."""
        return "".join(part[0] for part in self.parts if part[0] in "dmy")

    def write(self, date: dt.date, page: Conventions) -> str:
        names = page.months[date.month - 1]
        written = {
            "d": str(date.day), "dd": f"{date.day:02}", "m": str(date.month), "mm": f"{date.month:02}",
            "mmm": names[-1].capitalize(), "mmmm": names[0].capitalize(),
            "yy": f"{date.year % 100:02}", "yyyy": f"{date.year:04}",
        }  # fmt: skip
        return "".join(written.get(part, part) for part in self.parts)


def form(order: str, mark: str) -> DateForm:
    """All in figures: two of day and month, four of the year."""
    whole = {"d": "dd", "m": "mm", "y": "yyyy"}
    return DateForm((whole[order[0]], mark, whole[order[1]], mark, whole[order[2]]))


ISO = form("ymd", "-")


def asked_for(hint: str) -> DateForm | None:
    """The form a hint spells out in letters, in the words of some languages: ``MM/DD/YYYY``, ``TT.MM.JJJJ``."""
    found = _HINT.search(hint)
    if found is None:
        return None
    one, two = found["one"], found["two"]
    runs = [run.casefold() for run in re.findall(r"[^\W\d_]+", found[0])]
    year = next((at for at, run in enumerate(runs) if len(run) == _YEAR_LENGTH and run[0] not in _MONTH_LETTERS), None)
    if year is None:
        year = next((at for at, run in enumerate(runs) if run[0] in _YEAR_LETTERS), None)
    if year is None:
        return None
    others = [at for at in range(3) if at != year]
    months = [at for at in others if runs[at][0] in _MONTH_LETTERS] or [at for at in others if runs[at][0] == "a"]
    if len(months) != 1:
        return None
    month = months[0]
    day = next(at for at in others if at != month)
    kinds = {year: "y" * len(runs[year]), month: "m" * len(runs[month]), day: "d" * min(len(runs[day]), 2)}
    if len(kinds[year]) not in (2, _YEAR_LENGTH):
        return None
    return DateForm((kinds[0], one, kinds[1], two, kinds[2]))


def shown_by(sample: str, page: Conventions) -> DateForm | None:
    """The form a date in figures is written in; in the page's order if it can be read so, else in the one that fits."""
    found = re.fullmatch(r"\s*(\d{1,4})(\s?[./\-]\s?)(\d{1,2})(\s?[./\-]\s?)(\d{1,4})\.?\s*", sample)
    if found is None:
        return None
    orders = [page.order, *(order for order in ("dmy", "mdy") if order != page.order)]
    order = next((order for order in orders if date_in(sample, replace(page, order=order)) is not None), None)
    if order is None:
        return None
    if len(found[1]) == _YEAR_LENGTH:
        order = "ymd"
    elif len(found[5]) == _YEAR_LENGTH and order.startswith("y"):
        order = next(each for each in ("dmy", "mdy") if date_in(sample, replace(page, order=each)) is not None)
    parts = []
    for kind, figures in zip(order, (found[1], found[3], found[5]), strict=True):
        padded = len(figures) == 2 and (figures.startswith("0") or kind != "y")
        parts.append(("yyyy" if len(figures) == _YEAR_LENGTH else "yy") if kind == "y" else kind * (1 + padded))
    return DateForm((parts[0], found[2], parts[1], found[4], parts[2]))
