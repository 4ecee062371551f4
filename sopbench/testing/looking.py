"""What a fake page shows: expectations looked at once, and values read from it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sopbench.errors import TargetNotFound
from sopbench.ports.browser import Seen
from sopbench.sop.targets import CheckedIs, CountIs, Downloaded, Hidden, TextIs, UrlIs, ValueIs, Visible
from sopbench.testing.page import Element, find, is_visible

if TYPE_CHECKING:
    from sopbench.sop.targets import PageExpectation
    from sopbench.sop.verbs.reading import Extract, Source


def look(expectation: PageExpectation, address: str, root: Element) -> Seen:
    """Whether it holds now, and what is there instead."""
    match expectation:
        case UrlIs(url=url):
            pattern = ".*".join(re.escape(part) for part in url.split("*"))
            return _seen(bool(re.fullmatch(pattern, address)), f"address is {address}")
        case Visible(visible=target):
            there = find(target, root)
            holds = any(is_visible(each, root) for each in there)
            return _seen(holds, f"{len(there)} such elements, none to be seen" if there else "none")
        case Hidden(hidden=target):
            count = sum(is_visible(each, root) for each in find(target, root))
            return _seen(count == 0, f"{count} to be seen")
        case TextIs(text=text, target=target):
            where = [root] if target is None else find(target, root)
            return _of_one(where, lambda each: _plain(text) in _plain(each.all_text()), Element.all_text)
        case ValueIs(value=value, target=target):
            return _of_one(find(target, root), lambda each: _held(each) == value.strip(), _held)
        case CheckedIs(checked=target, state=state):
            return _of_one(find(target, root), lambda each: each.checked is bool(state), lambda each: str(each.checked))
        case CountIs(count=target):
            number = len(find(target, root))
            return _seen(expectation.fits(number), str(number))
        case Downloaded():
            return _seen(False, "no file: a FakeBrowser downloads nothing")


def read(action: Extract, root: Element) -> Any:
    """One value, a list of values, or a list of records. Raises: TargetNotFound."""
    if action.each is None:
        found = _found(action, root)
        if action.all:
            return [_value(each, action.attribute) for each in found]
        if not found and action.optional:
            return None
        return _value(_only(found, str(action.target)), action.attribute)
    records: list[dict[str, Any]] = []
    for index, row in enumerate(find(action.each, root)):
        records.append({name: _field(source, row, f"{name!r} of record {index}") for name, source in _fields(action)})
    return records


def _fields(action: Extract) -> list[tuple[str, Source]]:
    return list(action.fields.items())


def _field(source: Source, row: Element, which: str) -> Any:
    found = _found(source, row)
    if source.all:
        return [_value(each, source.attribute) for each in found]
    if not found and source.optional:
        return None
    if len(found) != 1:
        count = f"{len(found)} elements fit" if found else "no element fits"
        raise TargetNotFound(f"field {which}: {count} {source.target}", performed=False)
    return _value(found[0], source.attribute)


def _found(source: Source, start: Element) -> list[Element]:
    return [start] if source.target is None else find(source.target, start)


def _only(found: list[Element], what: str) -> Element:
    if not found:
        raise TargetNotFound(f"no element fits {what}", performed=False, target=str(what), count=0)
    if len(found) > 1:
        message = f"{len(found)} elements fit {what}; say which one is meant"
        raise TargetNotFound(message, performed=False, target=str(what), count=len(found))
    return found[0]


def _value(element: Element, attribute: str | None) -> Any:
    match attribute:
        case None:
            return element.all_text()
        case "value":
            return element.value
        case "checked":
            return bool(element.checked)
        case _:
            return element.attributes.get(attribute)


def _of_one(found: list[Element], holds: Any, says: Any) -> Seen:
    if len(found) != 1:
        return _seen(False, f"{len(found)} such elements" if found else "no such element")
    return _seen(holds(found[0]), repr(says(found[0])))


def _seen(holds: bool, instead: str) -> Seen:
    return Seen(holds=holds, found="as expected" if holds else instead)


def _held(element: Element) -> str:
    return (element.value or "").strip()


def _plain(text: str) -> str:
    return " ".join(text.split())
