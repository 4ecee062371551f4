"""Holding one cell against what it should be."""

from __future__ import annotations

import unicodedata
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from sopbench.trials.case import Compare

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sopbench.trials.case import Column, Table

_TRUE = {"true", "1", "yes", "checked", "x"}


def plain(column: Column, value: Any) -> str:
    """A cell as text, whichever way it was written: in a CSV file or by an API.

    Empty cells and unchecked boxes are the empty text; numbers lose separators and needless zeros.
    """
    if column.type == "checkbox":
        return "true" if str(value or "").strip().lower() in _TRUE else ""
    text = "" if value is None else str(value).replace("\r\n", "\n").strip()
    if column.type == "number" and text:
        try:
            return f"{Decimal(text.replace(',', '')).normalize():f}"
        except InvalidOperation:
            return text
    return text


def same_row(table: Table, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two records hold the same in every column that is judged."""
    return all(
        _same_cell(column, plain(column, one.get(name)), plain(column, other.get(name)))
        for name, column in table.columns.items()
        if column.compare is not Compare.IGNORE
    )


def _same_cell(column: Column, one: str, other: str) -> bool:
    return _members(one) == _members(other) if column.compare is Compare.SET else one == other


def cell_problem(column: Column, before: Any, expected: Any, found: Any) -> str:
    """What is wrong with the cell found, in words; empty when nothing is."""
    was, should, there = plain(column, before), plain(column, expected), plain(column, found)
    in_words = column.compare in (Compare.FACTS, Compare.HISTORY)
    if in_words and should == was:
        return "" if there == was else f"should have stayed {_short(was)!r}, and is {_short(there)!r}"
    match column.compare:
        case Compare.IGNORE:
            return ""
        case Compare.EXACT:
            return "" if there == should else f"is {there!r}, expected {should!r}"
        case Compare.SET:
            return "" if _members(there) == _members(should) else f"is {there!r}, expected the set {should!r}"
        case Compare.FACTS:
            return _facts_problem(should, there)
        case Compare.HISTORY:
            return _history_problem(was, should, there)


def _members(text: str) -> set[str]:
    return {member.strip() for member in text.split(",") if member.strip()}


def _history_problem(was: str, should: str, there: str) -> str:
    """Expected is the old text followed by the facts of what was to be added, or those facts alone."""
    if not there.startswith(was):
        return f"no longer begins with what was there: {_short(there)!r}, before {_short(was)!r}"
    facts = should[len(was) :] if was and should.startswith(was) else should
    return _facts_problem(facts, there[len(was) :])


def _facts_problem(facts: str, there: str) -> str:
    if not facts.strip():
        return "" if not there.strip() else f"is {_short(there)!r}, expected nothing"
    text = _folded(there)
    for fact in filter(None, (part.strip() for part in facts.split(";"))):
        forbidden = fact.startswith("!")
        mentioned = any(_folded(way) in text for way in fact.removeprefix("!").split("|") if way.strip())
        if mentioned == forbidden:
            return f"{'mentions' if forbidden else 'does not mention'} {fact.removeprefix('!')!r}: {_short(there)!r}"
    return ""


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 160 else f"{text[:80]} … {text[-70:]}"
