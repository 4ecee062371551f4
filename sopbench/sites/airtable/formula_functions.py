"""The values and functions of formulas.

A value is None (blank), str, bool, a number, or a datetime (dates are midnights in UTC). A function that cannot be
carried out raises FormulaFault, which Airtable shows as ``#ERROR!``.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

FormulaValue: TypeAlias = "str | bool | int | float | datetime | None"
Node: TypeAlias = "Callable[[Scope], FormulaValue]"

_ANY = 1_000


class FormulaFault(ValueError):
    """The formula has no value for this record."""


@dataclass(frozen=True)
class Scope:
    """The record a formula is evaluated for. ``cells``: values by field name and by field id."""

    cells: Mapping[str, FormulaValue]
    record_id: str
    now: datetime
    created: datetime


@dataclass(frozen=True)
class Function:
    """A function and how many arguments it takes."""

    least: int
    most: int
    bind: Callable[[Sequence[Node]], Node]


def number(value: FormulaValue) -> float:
    """The value as a number; blank is 0.

    Raises: FormulaFault.
    """
    if value is None:
        return 0
    if isinstance(value, datetime):
        raise FormulaFault("a date is not a number")
    try:
        return float(value)
    except ValueError:
        raise FormulaFault(f"not a number: {value}") from None


def text(value: FormulaValue) -> str:
    """The value as text; blank is empty, a date is its ISO form with milliseconds."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() else repr(value)


def moment(value: FormulaValue) -> datetime:
    """The value as a date.

    Raises: FormulaFault.
    """
    if isinstance(value, datetime):
        return value
    try:
        parsed = datetime.fromisoformat(text(value))
    except ValueError:
        raise FormulaFault(f"not a date: {value}") from None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def compare(mark: str, left: FormulaValue, right: FormulaValue) -> bool:
    """Compare as Airtable does: blank equals nothing, "" and 0; numbers with numbers, dates with dates, else texts."""
    if mark in ("=", "!="):
        return _equal(left, right) == (mark == "=")
    order = _ORDER[mark]
    if isinstance(left, datetime) or isinstance(right, datetime):
        if left is None or right is None:
            return False
        return order(moment(left), moment(right))
    if isinstance(left, str) and isinstance(right, str):
        return order(left, right)
    return order(number(left), number(right))


def _equal(left: FormulaValue, right: FormulaValue) -> bool:
    if left is None or right is None:
        return (left or None) is None and (right or None) is None
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right
    if isinstance(left, datetime) and isinstance(right, datetime):
        return left == right
    return text(left) == text(right)


def _find(needle: FormulaValue, hay: FormulaValue, start: FormulaValue = None) -> int:
    return text(hay).find(text(needle), max(0, int(number(start)) - 1)) + 1


def _search(needle: FormulaValue, hay: FormulaValue, start: FormulaValue = None) -> int | None:
    place = text(hay).lower().find(text(needle).lower(), max(0, int(number(start)) - 1)) + 1
    return place or None


_UNITS = {
    "years": "%Y",
    "months": "%Y-%m",
    "weeks": "%G-%V",
    "days": "%Y-%m-%d",
    "hours": "%Y-%m-%dT%H",
    "minutes": "%Y-%m-%dT%H:%M",
    "seconds": "%Y-%m-%dT%H:%M:%S",
}


def _same(left: FormulaValue, right: FormulaValue, unit: FormulaValue = None) -> bool:
    if left is None or right is None:
        return False
    if unit is None:
        return moment(left) == moment(right)
    pattern = _UNITS.get(text(unit).lower().rstrip("s") + "s")
    if pattern is None:
        raise FormulaFault(f"no such unit: {unit}")
    return moment(left).strftime(pattern) == moment(right).strftime(pattern)


def _date_text(value: FormulaValue) -> str:
    return moment(value).strftime("%Y-%m-%d")


def _parse_date(value: FormulaValue, *_: FormulaValue) -> datetime | None:
    return None if value is None else moment(value)


def _plain(least: int, most: int, function: Callable[..., FormulaValue]) -> Function:
    def bind(arguments: Sequence[Node]) -> Node:
        return lambda scope: function(*(argument(scope) for argument in arguments))

    return Function(least, most, bind)


def _scoped(function: Callable[[Scope], FormulaValue]) -> Function:
    return Function(0, 0, lambda _: function)


def _bind_if(arguments: Sequence[Node]) -> Node:
    test, then, *rest = arguments
    return lambda scope: then(scope) if test(scope) else (rest[0](scope) if rest else None)


def _bind_and(arguments: Sequence[Node]) -> Node:
    return lambda scope: all(argument(scope) for argument in arguments)


def _bind_or(arguments: Sequence[Node]) -> Node:
    return lambda scope: any(argument(scope) for argument in arguments)


def _midnight(now: datetime) -> datetime:
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


FUNCTIONS: dict[str, Function] = {
    "AND": Function(1, _ANY, _bind_and),
    "OR": Function(1, _ANY, _bind_or),
    "IF": Function(2, 3, _bind_if),
    "NOT": _plain(1, 1, lambda value: not value),
    "XOR": _plain(1, _ANY, lambda *values: sum(map(bool, values)) % 2 == 1),
    "TRUE": _plain(0, 0, lambda: True),
    "FALSE": _plain(0, 0, lambda: False),
    "BLANK": _plain(0, 0, lambda: None),
    "SEARCH": _plain(2, 3, _search),
    "FIND": _plain(2, 3, _find),
    "LOWER": _plain(1, 1, lambda value: text(value).lower()),
    "UPPER": _plain(1, 1, lambda value: text(value).upper()),
    "TRIM": _plain(1, 1, lambda value: text(value).strip()),
    "LEN": _plain(1, 1, lambda value: len(text(value))),
    "LEFT": _plain(2, 2, lambda value, many: text(value)[: int(number(many))]),
    "CONCATENATE": _plain(1, _ANY, lambda *values: "".join(map(text, values))),
    "SUBSTITUTE": _plain(3, 3, lambda value, old, new: text(value).replace(text(old), text(new))),
    "VALUE": _plain(1, 1, number),
    "ABS": _plain(1, 1, lambda value: abs(number(value))),
    "DATESTR": _plain(1, 1, _date_text),
    "DATETIME_PARSE": _plain(1, 3, _parse_date),
    "IS_SAME": _plain(2, 3, _same),
    "IS_BEFORE": _plain(2, 2, lambda left, right: compare("<", _parse_date(left), _parse_date(right))),
    "IS_AFTER": _plain(2, 2, lambda left, right: compare(">", _parse_date(left), _parse_date(right))),
    "YEAR": _plain(1, 1, lambda value: moment(value).year),
    "MONTH": _plain(1, 1, lambda value: moment(value).month),
    "DAY": _plain(1, 1, lambda value: moment(value).day),
    "RECORD_ID": _scoped(lambda scope: scope.record_id),
    "CREATED_TIME": _scoped(lambda scope: scope.created),
    "NOW": _scoped(lambda scope: scope.now),
    "TODAY": _scoped(lambda scope: _midnight(scope.now)),
}
