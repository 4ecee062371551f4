"""Filters for what pages show: dates, numbers, loose text. See templates.py for the list with examples.

All raise ValueError with a message that names the text; templates.py makes TemplateFailed of it.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from dateutil import parser as dates

from sopbench.sop.limits import MAX_CHARS, MAX_REGEX_CHARS, MAX_SEARCHED_CHARS

_REQUIRED: Any = object()
_IN_PARENTHESES = re.compile(r"\([^()]*\)")
_YEAR_FIRST = re.compile(r"\d{4}\b")
_NUMBER = re.compile(r"^([-+−]?)\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?$")
_AROUND_NUMBER = re.compile(r"^(?:[A-Z]{3}\s+|[$€£¥]\s*)?(.*?)(?:\s*[$€£¥%]|\s+[A-Z]{3})?$")
_DIRECTIVE = re.compile(r"%(-?)([A-Za-z%])")


def date(
    value: Any,
    format: str = "%Y-%m-%d",  # noqa: A002 - named in documents
    default: Any = None,
    day_first: bool | None = None,
    since: Any = None,
) -> str:
    """A date as pages show it, in another format. ``%-m`` and ``%-d`` leave out leading zeros on every system.

    Year, month and day that the text does not name come from ``default``, another date; without it, that is an error:
    nothing here knows what day it is. So is a date in figures that can be read in two ways (2/6/2025), unless
    ``day_first`` says in which, or only one of them is not before ``since``, another date. One that is before it is an
    error, too.
    """
    readings = _readings(value, default, day_first)
    if since is not None:
        first = _readings(since, None, day_first)[0].date()
        readings = [each for each in readings if each.date() >= first]
        if not readings:
            raise ValueError(f"{str(value)[:80]!r} is before {first}")
    if len({each.date() for each in readings}) > 1:
        says = " or ".join(f"{each:%B} {each.day}" for each in readings)
        raise ValueError(f"{str(value)[:80]!r} can be {says}; say which: date(…, day_first=true), or false")

    def written(match: re.Match[str]) -> str:
        text = readings[0].strftime("%" + match[2])
        return (text.lstrip("0") or "0") if match[1] else text

    return _DIRECTIVE.sub(written, format)


def _readings(value: Any, default: Any, day_first: bool | None) -> list[dt.datetime]:
    """What a date can mean: one moment, or two where its figures do not say which is the month."""
    if isinstance(value, dt.datetime):
        return [value]
    if isinstance(value, dt.date):
        return [dt.datetime(value.year, value.month, value.day)]  # noqa: DTZ001 - what a page shows has no zone
    text = squeeze(_IN_PARENTHESES.sub(" ", str(value)[:200]))
    if _YEAR_FIRST.match(text):
        return [_moment(text, default, day_first=False)]
    if day_first is not None:
        return [_moment(text, default, day_first=day_first)]
    return [_moment(text, default, day_first=each) for each in (False, True)]


def _moment(text: str, default: Any, *, day_first: bool) -> dt.datetime:
    first, second = (_parsed(text, base, day_first) for base in ((2000, 1, 1), (2004, 2, 2)))
    if first.date() == second.date():
        return first
    if default is None:
        raise ValueError(f"{text!r} does not say which year, month and day; give the missing ones: date(…, default=…)")
    base = _readings(default, None, day_first)[0]
    return _parsed(text, (base.year, base.month, base.day), day_first)


def _parsed(text: str, base: tuple[int, int, int], day_first: bool) -> dt.datetime:
    try:
        return dates.parse(text, default=dt.datetime(*base), dayfirst=day_first, ignoretz=True)  # noqa: DTZ001
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{text!r} is not a date") from error


def number(value: Any) -> int | float:
    """``1,500,000`` → 1500000, ``$ 2.5`` → 2.5. Commas group thousands, a point parts decimals."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = squeeze(str(value)[:200])
    bare = _AROUND_NUMBER.match(text)
    match = _NUMBER.match(bare[1]) if bare else None
    if match is None:
        raise ValueError(f"{text!r} is not a number")
    sign, whole, fraction = match.groups()
    digits = ("-" if sign in {"-", "−"} else "") + whole.replace(",", "")
    return float(digits + fraction) if fraction else int(digits)


def regex_search(value: Any, pattern: str, group: int | str = 0, default: Any = _REQUIRED) -> Any:
    """The first match of ``pattern``, or one of its groups. No match gives ``default``, or else is an error."""
    match = _regex(pattern).search(_searchable(value))
    if match is not None:
        try:
            return match[group] if match[group] is not None else ""
        except IndexError as error:
            raise ValueError(f"the pattern {pattern!r} has no group {group!r}") from error
    if default is _REQUIRED:
        raise ValueError(f"nothing in {shorten(squeeze(value), 80)!r} matches {pattern!r}; or give default=…")
    return default


def regex_find_all(value: Any, pattern: str, group: int | str = 0) -> list[str]:
    """All matches of ``pattern`` from left to right, or one of their groups each; none gives an empty list."""
    found = _regex(pattern).finditer(_searchable(value))
    try:
        return [match[group] or "" for match in found]
    except IndexError as error:
        raise ValueError(f"the pattern {pattern!r} has no group {group!r}") from error


def regex_replace(value: Any, pattern: str, by: str = "") -> str:
    r"""All matches of ``pattern`` replaced; ``\1`` stands for the first group."""
    if len(by) > MAX_REGEX_CHARS:
        raise ValueError(f"the replacement has more than {MAX_REGEX_CHARS} characters")
    return _regex(pattern).sub(by, _searchable(value))


def replace(value: Any, old: str, new: str) -> str:
    """Every ``old`` replaced by ``new``."""
    text = str(value)
    return text.replace(old, bounded(new, len(text) + text.count(old) * len(new)))


def join(value: Iterable[Any], by: str = "", attribute: str | None = None) -> str:
    """The texts of a list, with ``by`` in between."""
    parts, size = [], 0
    for each in value:
        parts.append(str(each if attribute is None else each[attribute]))
        size += len(parts[-1]) + len(by)
        bounded("", size)
    return by.join(parts)


def total(value: Iterable[Any], attribute: str | None = None, start: float = 0) -> float:
    """The sum of numbers."""
    return sum((number(each if attribute is None else each[attribute]) for each in value), start)


def rounded(value: Any, digits: int = 0) -> float:
    """Rounded to at most 15 digits after the point."""
    return round(float(number(value)), max(-15, min(digits, 15)))


def squeeze(value: Any) -> str:
    """White space collapsed to single blanks, and none at the ends."""
    return " ".join(str(value).split())


def shorten(value: Any, length: int = 100) -> str:
    """At most ``length`` characters, cut between words; ``…`` shows the cut."""
    text = str(value)
    if len(text) <= length:
        return text
    cut = text[: max(length - 1, 0)]
    between = cut.rstrip() if text[len(cut)].isspace() else cut.rpartition(" ")[0].rstrip()
    return (between or cut) + "…" if length > 0 else ""


def as_json(value: Any, indent: int | None = None) -> str:
    """As JSON text."""
    text = json.dumps(value, ensure_ascii=False, indent=min(indent, 8) if indent is not None else None)
    return bounded(text, len(text))


def bounded(text: str, size: int) -> str:
    """``text``, if ``size`` characters are still allowed."""
    if size > MAX_CHARS:
        raise ValueError(f"the text would have more than {MAX_CHARS:,} characters")
    return text


def _searchable(value: Any) -> str:
    text = str(value)
    if len(text) > MAX_SEARCHED_CHARS:
        raise ValueError(f"a text of {len(text):,} characters is too long to be searched ({MAX_SEARCHED_CHARS:,})")
    return text


@lru_cache(maxsize=512)
def _regex(pattern: str) -> re.Pattern[str]:
    """Compiled, unless it could take for ever: one repetition within another, or of alternatives."""
    if len(pattern) > MAX_REGEX_CHARS:
        raise ValueError(f"the pattern has more than {MAX_REGEX_CHARS} characters")
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is not a regular expression: {error}") from error
    if _can_explode(pattern):
        raise ValueError(f"{pattern!r} repeats something that repeats or has alternatives: that can take for ever")
    return compiled


_SIGNIFICANT = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"  # escapes and character classes: their signs mean nothing here
    r"|(?P<open>\()|(?P<alternative>\|)|(?P<close>\))?(?P<repeat>[*+]|\{\d*,\}|\{(?:\d+,)?\d{3,}\})?",
    re.DOTALL,
)


def _can_explode(pattern: str) -> bool:
    """Whether a group that repeats, or has alternatives, is itself repeated without a limit."""
    varying = [False]  # one flag for each open group
    for match in _SIGNIFICANT.finditer(pattern):
        if match["open"]:
            varying.append(False)
        closed = bool(match["close"]) and len(varying) > 1 and varying.pop()
        if closed and match["repeat"]:
            return True
        varying[-1] |= bool(closed or match["repeat"] or match["alternative"])
    return False


FILTERS: dict[str, Callable[..., Any]] = {
    "date": date, "number": number, "regex_search": regex_search, "regex_find_all": regex_find_all,
    "regex_replace": regex_replace, "replace": replace, "join": join, "sum": total, "round": rounded,
    "squeeze": squeeze, "shorten": shorten, "json": as_json,
}  # fmt: skip
