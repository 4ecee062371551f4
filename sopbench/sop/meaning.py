"""Whether two texts say the same value, and what value a text says: numbers, dates, and entries with a mask."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

_MONTHS = tuple(
    (dt.date(2000, month, 1).strftime("%B").casefold(), dt.date(2000, month, 1).strftime("%b").casefold())
    for month in range(1, 13)
)
_MASK = re.compile(r"[\s()\[\]{}.,;:/_\-–—+#*'’]")
_SHORTEST_MASKED = 6
"""An entry with marks of its own counts as the same under other marks only if it has that many letters or digits."""


@dataclass(frozen=True)
class Conventions:
    """How a page's language writes dates and numbers."""

    order: str = "mdy"
    """Order of day, month and year."""
    decimal: str = "."
    group: str = ","
    months: tuple[tuple[str, ...], ...] = _MONTHS
    """Names of each month, lower case, besides the English ones."""


ENGLISH = Conventions()
"""As the United States write them."""


def same(wanted: str, shown: str, page: Conventions = ENGLISH) -> bool:
    """Whether what the page shows says what was entered.

    ``wanted`` is plain (``1500000``, ``2025-06-02``) or written as the page does; ``shown`` as the page writes it.
    """
    wanted, shown = _plain(wanted), _plain(shown)
    if wanted.casefold() == shown.casefold():
        return True
    if not wanted or not shown:
        return False
    dates = (date_in(wanted, page), date_in(shown, page))
    if dates[0] is not None or dates[1] is not None:
        return dates[0] == dates[1]
    numbers = (_entered_number(wanted, page), number_in(shown, page))
    if numbers[0] is not None and numbers[1] is not None:
        return numbers[0] == numbers[1]
    return _same_under_a_mask(wanted, shown)


def number_in(text: str, page: Conventions = ENGLISH) -> Decimal | None:
    """The one number a text says, with a currency, a unit or a percent sign around it; None if it says none.

    ``-1.234,50 €`` is -1234.50 where the page's language writes it so. Digits that begin with 0 are a name, no number.
    """
    found = re.fullmatch(r"(?P<before>[^\d]*?)(?P<digits>\d[\d\s.,'’]*)(?P<after>[^\d]*)", _plain(text))
    if found is None:
        return None
    digits = re.sub(r"[\s'’]", "", found["digits"].strip().rstrip(",."))
    around = (found["before"].strip(), found["after"].strip())
    if any(len(re.findall(r"[^\W_]", part)) > 4 for part in around):
        return None
    number = _decimal(digits, page)
    if number is None:
        return None
    negative = around[0].startswith(("-", "−", "(")) or around[0].endswith(("-", "−"))
    return -number if negative else number


def date_in(text: str, page: Conventions = ENGLISH) -> dt.date | None:
    """The date a text says: ISO, in figures in the page's order, or with the month's name; None if it says none."""
    text = _plain(text).casefold()
    iso = re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[t ].*)?", text)
    if iso is not None:
        return _date(iso[1], iso[2], iso[3])
    figures = re.fullmatch(r"(\d{1,4})\s*[./\-]\s*(\d{1,2})\s*[./\-]\s*(\d{1,4})\.?", text)
    if figures is not None:
        return _in_order(figures.groups(), page.order)
    return _with_a_name(text, page)


def integer_in(text: str, page: Conventions = ENGLISH) -> int | None:
    """The whole number a text says; None if it says none, or one with a fraction."""
    number = number_in(text, page)
    return int(number) if number is not None and number == number.to_integral_value() else None


def _plain(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ").replace("\u202f", " ")
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))


def _entered_number(text: str, page: Conventions) -> Decimal | None:
    """As it is entered: plain figures mean the same everywhere."""
    if re.fullmatch(r"[-+]?\d+(\.\d+)?", text) and not re.match(r"[-+]?0\d", text):
        return Decimal(text)
    return number_in(text, page)


def _decimal(digits: str, page: Conventions) -> Decimal | None:
    whole, _, fraction = digits.partition(page.decimal)
    groups = whole.split(page.group) if page.group.strip() else [whole]
    if len(groups) > 1 and any(len(group) != 3 for group in groups[1:]):
        return None
    plain = "".join(groups)
    if not plain.isdigit() or (fraction and not fraction.isdigit()) or (len(plain) > 1 and plain.startswith("0")):
        return None
    try:
        return Decimal(f"{plain}.{fraction or 0}")
    except InvalidOperation:
        return None


def _in_order(parts: tuple[str, ...], order: str) -> dt.date | None:
    if len(parts[0]) == 4:
        order = "ymd"
    found = dict(zip(order, parts, strict=True))
    return _date(found["y"], found["m"], found["d"])


def _with_a_name(text: str, page: Conventions) -> dt.date | None:
    words = re.findall(r"[^\W\d_]+|\d+", text)
    names = [[*english, *own] for english, own in zip(_MONTHS, page.months, strict=True)]
    month = next((n for n, known in enumerate(names, start=1) if any(w.rstrip(".") in known for w in words)), None)
    figures = [word for word in words if word.isdigit()]
    if month is None or len(figures) != 2:
        return None
    year = next((figure for figure in figures if len(figure) == 4), None)
    if year is None:
        return None
    figures.remove(year)
    return _date(year, str(month), figures[0])


def _date(year: str, month: str, day: str) -> dt.date | None:
    number = int(year)
    if len(year) <= 2:
        number += 2000 if number < 70 else 1900
    try:
        return dt.date(number, int(month), int(day))
    except ValueError:
        return None


def _same_under_a_mask(wanted: str, shown: str) -> bool:
    """``5551234567`` shown as ``(555) 123-4567``. Signs that are not of a mask must be the same."""
    bare_wanted, bare_shown = _MASK.sub("", wanted).casefold(), _MASK.sub("", shown).casefold()
    if not bare_wanted or bare_wanted != bare_shown:
        return False
    return bare_wanted == wanted.casefold() or len(bare_wanted) >= _SHORTEST_MASKED
