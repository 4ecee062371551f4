"""Whether two texts say the same value, and what value a text says: numbers, dates, yes or no, and masked entries."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from decimal import Decimal


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MONTHS = tuple(
    (dt.date(2000, month, 1).strftime("%B").casefold(), dt.date(2000, month, 1).strftime("%b").casefold())
    + (("sept",) if month == 9 else ())
    for month in range(1, 13)
)
_MASK = re.compile(r"[\s()\[\]{}.,;:/_\-–—+#*'’]")
_SHORTEST_MASKED = 6
"""An entry with marks of its own counts as the same under other marks only if it has that many letters or digits."""
_YEAR_DIGITS = 4

_MINUS = ("-", "−", "–")
_AMOUNT = re.compile(r"(?P<before>\D*?)(?P<digits>\d(?:[\d .,'’]*\d)?)(?P<after>\D*)")
_NO_CENTS = re.compile(r"^[.,]\s?[-–—]+")
_LETTERS_BEFORE = _words(
    "aed ars aud bgn brl cad chf clp cny cop czk dkk egp eur fr gbp hkd huf idr ils inr jpy kr krw kč lei mxn myr ngn"
    " nok nzd pen php pkr pln qar r rm ron rs rsd rub rp s"
    " sar sek sgd thb try twd uah us usd a c hk nt vnd zar zł"
)
"""Currencies, and what stands before a ``$``: the only words that may precede a number."""
_GLUED_AFTER = _words("c d f g h l m n s t v w")
"""Units of one letter that may follow a number without a blank; any other makes it a name, such as ``12a``."""
_MANY = _words("k mio mill mln mn mrd mld bn tn tsd")
"""Words that multiply the number: what they make of it is not guessed at."""
_INEXACT = re.compile(r"[<>≤≥~≈±#]")

_TIME = re.compile(
    r"(?:\b|(?<=\d)t)(?P<hour>\d{1,2})[:h](?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"(?:\s*(?P<half>[ap])\.?\s?m\b\.?)?(?:\s*(?:z|utc|gmt|uhr)\b|\s*[+-]\d{2}:?\d{2}\b)?"
)
_BEFORE_TIME = re.compile(r"(?:[\s,]|\b(?:at|um|à|a las|alle|kl\.?)(?=\s*$))+$")
_IN_DATES = _words(
    "st nd rd th of the de del di der er den mon monday tue tues tuesday wed wednesday thu thur thurs thursday"
    " fri friday sat saturday sun sunday"
)
"""Words that a date may hold besides its month, in any text."""
_OTHER_WORDS_IN_DATE = 4

_YES = _words("true yes on y 1 ja oui sí si sì sim tak да はい 是 wahr vrai verdadero ✓ ✔ ✅ ☑ ☒")
_NO = _words("false no off n 0 nein nee non não nie нет いいえ 否 falsch faux falso ✗ ✘ ❌ ☐")


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
MACHINE = Conventions(order="ymd", group="")
"""As programs write them: in attributes, and in the values of fields of a type of their own."""


def same(wanted: str, shown: str, page: Conventions = ENGLISH) -> bool:
    """Whether what the page shows says what was entered.

    ``wanted`` is plain (``1500000``, ``2025-06-02``) or written as the page does; ``shown`` as the page writes it. The
    page may add a currency, a unit, a weekday or a time of its own; it may not drop or change a word that was entered.
    """
    wanted, shown = plain(wanted), plain(shown)
    if wanted.casefold() == shown.casefold():
        return True
    if not wanted or not shown:
        return False
    moment = _moment(wanted, page, others=0)
    if moment is not None:
        other = _moment(shown, page, others=_OTHER_WORDS_IN_DATE)
        return other is not None and other[0] == moment[0] and moment[1] in (None, other[1])
    entered, amount = _entered(wanted, page), _amount(shown, page)
    if entered is not None and amount is not None:
        return entered[0] == amount[0] and _unit_kept(entered[1], amount[1])
    return _same_under_a_mask(wanted, shown)


def number_in(text: str, page: Conventions = ENGLISH) -> Decimal | None:
    """The one number a text says, with a currency, a unit or a percent sign around it; None if it says none.

    ``-1.234,50 €`` is -1234.50 where the page's language writes it so. Digits that begin with 0 are a name, no number;
    so are those with a letter stuck to them (``A5``, ``12a``). ``1.5M`` and ``<5`` say no number that can be known.
    """
    found = _amount(plain(text), page)
    return None if found is None else found[0]


def integer_in(text: str, page: Conventions = ENGLISH) -> int | None:
    """The whole number a text says; None if it says none, or one with a fraction."""
    number = number_in(text, page)
    return int(number) if number is not None and number == number.to_integral_value() else None


def last_number(text: str, page: Conventions = ENGLISH) -> int | None:
    """The last whole number among the words of a text: 1234 of ``1–25 of 1,234``."""
    group = rf"[{re.escape(plain(page.group) or ' ')}'’]" if page.group else "'"
    found = re.findall(rf"(?<![\d.,])\d{{1,3}}(?:{group}\d{{3}})+(?!\d)|\d+", re.sub(r"[\u00a0\u202f]", " ", text))
    return int(re.sub(r"\D", "", found[-1])) if found else None


def boolean_in(text: str) -> bool | None:
    """Yes or no, true or false, on or off, a tick or a cross, in some languages; None if it is neither."""
    word = plain(text).casefold().rstrip(".!")
    return True if word in _YES else False if word in _NO else None


def date_in(text: str, page: Conventions = ENGLISH) -> dt.date | None:
    """The date a text says: ISO, in figures in the page's order, or with the month's name; None if it says none.

    A weekday, a time of day and a few words may stand around it. A year has two or four figures.
    """
    found = _moment(plain(text), page, others=_OTHER_WORDS_IN_DATE)
    return None if found is None else found[0]


def time_in(text: str) -> dt.time | None:
    """The time of day a text says and nothing besides: ``4:05 PM``, ``16:05``, ``16.05``."""
    found = _TIME.fullmatch(re.sub(r"^(\d{1,2})\.(\d{2})$", r"\1:\2", plain(text).casefold()))
    return None if found is None else _time(found)


def plain(text: str) -> str:
    """Without what cannot be seen: blanks around it and at line ends, kinds of blanks and line ends."""
    text = re.sub(r"\r\n?", "\n", re.sub("[\u00a0\u202f\u2009]", " ", text))
    text = re.sub("[\u200b\u200e\u200f\u2060\ufeff]", "", text)
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))


def _entered(text: str, page: Conventions) -> tuple[Decimal, str] | None:
    """As it is entered: plain figures mean the same everywhere."""
    if re.fullmatch(r"[-+]?\d+(\.\d+)?", text) and not re.match(r"[-+]?0\d", text):
        return Decimal(text), ""
    return _amount(text, page)


def _amount(text: str, page: Conventions) -> tuple[Decimal, str] | None:
    """The number, and the unit or currency beside it."""
    found = _AMOUNT.fullmatch(text)
    if found is None or _INEXACT.search(text):
        return None
    before, after = found["before"], _NO_CENTS.sub("", found["after"])
    if not _is_currency(before) or not _is_unit(after, before):
        return None
    number = _decimal(found["digits"], page)
    if number is None:
        return None
    before, after = before.strip(), after.strip()
    in_parentheses = "(" in before and after.startswith(")")
    negative = before.startswith(_MINUS) or before.endswith(_MINUS) or after.startswith(_MINUS) or in_parentheses
    unit = re.sub(r"[\s()\-−–+.,:]", "", before + after).casefold()
    return -number if negative else number, unit


def _is_currency(before: str) -> bool:
    words = re.findall(r"[^\W\d_]+", before.casefold())
    if re.search(r"(?<![^\W\d_])[^\W\d_]$", before):
        return False  # a letter stuck to the digits
    return all(word in _LETTERS_BEFORE for word in words) and not (len(words) > 1 or re.search(r"[:;=/@]", before))


def _is_unit(after: str, before: str) -> bool:
    words = re.findall(r"[^\W\d_]+", after)
    if any(len(word) > 4 for word in words) or len(words) > 2:
        return False
    if any(word.casefold() in _MANY or word in ("M", "B") for word in words) or (before.strip() and "m" in words):
        return False
    return not re.match(r"[^\W\d_]\b", after) or after[0].casefold() in _GLUED_AFTER


def _unit_kept(wanted: str, shown: str) -> bool:
    """A currency or percent sign may stand beside the field; another one must not have come in its place."""
    return wanted in ("", shown) or (not shown and (not wanted.isalpha() or wanted in _LETTERS_BEFORE))


def _decimal(digits: str, page: Conventions) -> Decimal | None:
    if re.fullmatch(r"\d+\.(?:\d{1,2}|\d{4,})|\d{4,}\.\d+", digits):
        whole, _, fraction = digits.partition(".")
    else:
        whole, found, fraction = digits.partition(page.decimal)
        if found and not fraction.isdigit():
            return None
    marks = set(re.sub(r"\d", "", whole))
    group = plain(page.group) or (" " if page.group else "")
    if len(marks) > 1 or not marks <= {group, "'", "’", " "}:
        return None
    parts = re.split(r"\D", whole)
    if len(parts) > 1:
        inner = {len(part) for part in parts[1:-1]}
        if len(parts[-1]) != 3 or not (inner <= {3} or inner == {2}) or not 1 <= len(parts[0]) <= 3:
            return None
    whole = "".join(parts)
    if len(whole) > 1 and whole.startswith("0"):
        return None
    return Decimal(f"{whole}.{fraction or 0}")


def _moment(text: str, page: Conventions, *, others: int) -> tuple[dt.date, dt.time | None] | None:
    """The date, and the time of day if one stands beside it; with at most so many ``others`` among its words."""
    text = text.casefold()
    times = list(_TIME.finditer(text))
    time = None
    if len(times) == 1:
        time = _time(times[0])
        start, end = times[0].span()
        text = f"{_BEFORE_TIME.sub('', text[:start].removesuffix('t'))} {text[end:]}".strip(" ,")
    elif times:
        return None
    date = _date_alone(text, page, others)
    return None if date is None else (date, time)


def _time(found: re.Match[str]) -> dt.time | None:
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + (12 if found["half"] == "p" else 0)
    try:
        return dt.time(hour, int(found["minute"]), int(found["second"] or 0))
    except ValueError:
        return None


def _date_alone(text: str, page: Conventions, others: int) -> dt.date | None:
    iso = re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", text)
    asian = re.fullmatch(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?\s*(?:\(?\w{1,3}\)?)?", text)
    if (plain := iso or asian) is not None:
        return _date(plain[1], plain[2], plain[3])
    weekday = r"(?:(?P<day>[^\W\d_]{2,12})\.?,?\s+)?"
    figures = re.fullmatch(weekday + r"(\d{1,4})\s*(?P<mark>[./\-])\s*(\d{1,2})\s*(?P=mark)\s*(\d{1,4})\.?", text)
    if figures is not None:
        if figures["day"] and not others and figures["day"] not in _IN_DATES:
            return None
        return _in_order((figures[2], figures[4], figures[5]), page.order)
    return _with_a_name(text, page, others)


def _in_order(parts: tuple[str, str, str], order: str) -> dt.date | None:
    if len(parts[0]) == _YEAR_DIGITS:
        order = "ymd"
    elif len(parts[2]) == _YEAR_DIGITS and order.startswith("y"):
        readings = {_date(parts[2], parts[0], parts[1]), _date(parts[2], parts[1], parts[0])} - {None}
        return readings.pop() if len(readings) == 1 else None
    found = dict(zip(order, parts, strict=True))
    return _date(found["y"], found["m"], found["d"])


def _with_a_name(text: str, page: Conventions, others: int) -> dt.date | None:
    words = re.findall(r"[^\W\d_]+|\d+", text)
    figures = [word for word in words if word.isdigit()]
    names = [word for word in words if not word.isdigit()]
    found = _months_named(names, page.months) or _months_named(names, _MONTHS)
    if not found or len(figures) != 2:
        return None
    place, month = found[-1]  # a weekday that is spelled like a month stands before it
    rest = [name for at, name in enumerate(names) if at != place and name not in _IN_DATES]
    years = [figure for figure in figures if len(figure) == _YEAR_DIGITS]
    if len(years) != 1 or len(rest) > others:
        return None
    figures.remove(years[0])
    return _date(years[0], str(month), figures[0])


def _months_named(words: list[str], months: tuple[tuple[str, ...], ...]) -> list[tuple[int, int]]:
    """Place of the word and number of the month, for every word that is one."""
    numbers = {name.rstrip("."): number for number, names in enumerate(months, start=1) for name in names}
    return [(place, numbers[word]) for place, word in enumerate(words) if word in numbers]


def _date(year: str, month: str, day: str) -> dt.date | None:
    if len(year) not in (2, _YEAR_DIGITS):
        return None
    number = int(year)
    if len(year) == 2:
        number += 2000 if number < 70 else 1900
    try:
        return dt.date(number, int(month), int(day))
    except ValueError:
        return None


def _same_under_a_mask(wanted: str, shown: str) -> bool:
    """``5551234567`` shown as ``(555) 123-4567``. Signs that are not of a mask must be the same; text has no mask."""
    bare_wanted, bare_shown = _MASK.sub("", wanted).casefold(), _MASK.sub("", shown).casefold()
    if not bare_wanted or bare_wanted != bare_shown or not re.search(r"\d", bare_wanted):
        return False
    if bare_wanted == wanted.casefold():
        return True
    code = re.fullmatch(r"[A-Z\d \-]+", wanted) is not None
    return len(bare_wanted) >= _SHORTEST_MASKED and (code or bare_wanted.isdigit())
