"""Reading values and records from a page."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error

from sopbench.adapters.in_page_scripts import script
from sopbench.adapters.playwright_filling import conventions
from sopbench.adapters.playwright_lists import read_whole
from sopbench.adapters.playwright_locators import locate
from sopbench.errors import DataInvalid, TargetNotFound
from sopbench.sop import meaning

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

    from sopbench.adapters.playwright_waiting import Requests
    from sopbench.sop.meaning import Conventions
    from sopbench.sop.targets import Target
    from sopbench.sop.verbs.reading import Extract, Source, ValueType

_VALUE_OF = """(element, attribute) => {
    if (attribute === null) return (element.innerText ?? element.textContent ?? '').trim();
    if (attribute === 'value') return element.value ?? null;
    if (attribute === 'checked') return element.checked ?? element.getAttribute('aria-checked') === 'true';
    return element.getAttribute(attribute);
}"""
_FOR_MACHINES = """(element, attribute) => attribute === 'value' ? typeof element.value === 'number'
        || element.matches('data')
        || ['number', 'range', 'date', 'month', 'datetime-local'].includes(element.type)
    : /^(data-.*|datetime|min|max|step|content|aria-(value|row|col|set)(now|min|max|count|index|size))$/.test(attribute)
"""
_TYPED_VALUE_OF = f"""(element, attribute) =>
    [({_VALUE_OF})(element, attribute), attribute !== null && ({_FOR_MACHINES})(element, attribute)]"""
_TABLE = script("table")
_DEFINITIONS = script("definitions")
_ROWS = script("rows")
_FIELD = """(elements, [place, attribute]) => {
    const rows = document[Symbol.for(place)] ?? []
    const rowOf = element => {
        for (let at = element; at; at = at.getRootNode().host) {
            const found = rows.findIndex(row => row.contains(at))
            if (found >= 0) return found
        }
        return -1
    }
    return elements.map(element => [rowOf(element), (VALUE_OF)(element, attribute)])
}"""
_PLACE = "sopbench rows"


async def read(page: Page, action: Extract, requests: Requests, *, timeout_ms: float) -> Any:
    """One value, a list of values, a record, or a list of records.

    Raises: TargetNotFound; DataInvalid (a value is not of its type, a list was not read whole); StepError; Playwright's
    own errors.
    """
    if action.definitions is not None:
        return await _definitions(page, action.definitions, timeout_ms)
    if action.table is not None:
        read_now = partial(_table, page, action.table, timeout_ms)
    elif action.each is not None:
        read_now = partial(_records, page, action, _Types(locate(page, action.each)))
    else:
        return await _values(page, action, timeout_ms)
    return await (read_now() if action.more is None else read_whole(page, action.more, read_now, requests, timeout_ms))


async def _values(page: Page, action: Extract, timeout_ms: float) -> Any:
    assert action.target is not None  # noqa: S101 - the model of Extract sees to it
    locator = locate(page, action.target)
    how = _VALUE_OF if action.type == "string" else _TYPED_VALUE_OF
    if action.all:
        found = await locator.evaluate_all(_each(how), action.attribute)
        return await _Types(locator).of_all(found, action.type, f"{action.into} number {{}}")
    if action.optional and await locator.count() == 0:
        return None
    if action.type == "string":
        return await _text(locator, action.attribute, timeout_ms)
    value = await locator.evaluate(how, action.attribute, timeout=timeout_ms)
    return (await _Types(locator).of_all([value], action.type, action.into))[0]


async def _text(locator: Locator, attribute: str | None, timeout_ms: float) -> Any:
    """In one question where the driver has a word for it; a script takes three."""
    try:
        if attribute is None:
            return (await locator.inner_text(timeout=timeout_ms)).strip()
        if attribute == "value":
            return await locator.input_value(timeout=timeout_ms)
        if attribute != "checked":
            return await locator.get_attribute(attribute, timeout=timeout_ms)
    except Error as error:
        if "Node is not an" not in error.message:
            raise
    return await locator.evaluate(_VALUE_OF, attribute, timeout=timeout_ms)


def _each(function: str) -> str:
    return f"(elements, argument) => elements.map(element => ({function})(element, argument))"


async def _records(page: Page, action: Extract, types: _Types) -> list[dict[str, Any]]:
    """In document order; those of a list that is scrolled or turned: only what can be seen, from the top down."""
    assert action.each is not None  # noqa: S101 - as above
    each = locate(page, action.each)
    if action.more is not None:
        each = each.filter(visible=True)
    order: list[int] = await each.evaluate_all(_ROWS, [_PLACE, action.more is not None])
    records: list[dict[str, Any]] = [{} for _ in order]
    for name, source in action.fields.items():
        for record, value in zip(records, await _field(page, each, len(order), name, source, types), strict=True):
            record[name] = value
    return [records[at] for at in order]


async def _field(page: Page, each: Locator, count: int, name: str, source: Source, types: _Types) -> list[Any]:
    """The field's value for each row, in one question to the page.

    Raises: TargetNotFound when a row lacks it or has several, or the page was drawn anew in between; DataInvalid.
    """
    locator = each if source.target is None else locate(page, source.target, each)
    how = _FIELD.replace("VALUE_OF", _VALUE_OF if source.type == "string" else _TYPED_VALUE_OF)
    by_row: list[list[Any]] = [[] for _ in range(count)]
    for index, value in await locator.evaluate_all(how, [_PLACE, source.attribute]):
        if index < 0:
            raise TargetNotFound(f"the list was drawn anew while {name!r} was read from it", performed=False)
        by_row[index].append(value)
    if source.all:
        place = f"field {name!r} of record"
        return [await types.of_all(values, source.type, f"{place} {at}") for at, values in enumerate(by_row)]
    for index, values in enumerate(by_row):
        if len(values) > 1 or (not values and not source.optional):
            found = f"{len(values)} elements fit" if values else "no element fits"
            message = f"field {name!r} of record {index}: {found} {source.target}"
            raise TargetNotFound(message, performed=False)
    found_values = [values[0] if values else None for values in by_row]
    return await types.of_all(found_values, source.type, f"field {name!r} of record {{}}")


async def _table(page: Page, target: Target, timeout_ms: float) -> list[dict[str, Any]]:
    found = await locate(page, target).evaluate(_TABLE, timeout=timeout_ms)
    if "problem" in found:
        raise TargetNotFound(f"{target} is no table: {found['problem']}", performed=False)
    return [dict(zip(found["names"], row, strict=True)) for row in found["rows"]]


async def _definitions(page: Page, target: Target, timeout_ms: float) -> dict[str, str]:
    found = await locate(page, target).evaluate(_DEFINITIONS, timeout=timeout_ms)
    if "problem" in found:
        raise TargetNotFound(f"{target} holds no terms and values: {found['problem']}", performed=False)
    record: dict[str, str] = {}
    for term, value in found["pairs"]:
        name, times = term, 1
        while name in record:
            times += 1
            name = f"{term} ({times})"
        record[name] = value
    return record


@dataclass
class _Types:
    """Turns texts into values by the page's conventions, which are asked for at most once."""

    locator: Locator
    page: Conventions | None = None

    async def of_all(self, found: list[Any], kind: ValueType, where: str) -> list[Any]:
        """``where`` names the value for an error; ``{}`` in it stands for its number. Raises: DataInvalid."""
        if kind == "string":
            return found
        if self.page is None and any(isinstance(one[0], str) and one[0].strip() for one in found if one is not None):
            self.page = await conventions(self.locator)
        return [
            None
            if one is None
            else _typed(one[0], kind, self.page or meaning.ENGLISH, where.format(at), machine=one[1])
            for at, one in enumerate(found)
        ]


def _typed(value: Any, kind: ValueType, page: Conventions, where: str, *, machine: bool) -> Any:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, bool) and kind == "boolean":
        return value
    text = str(value)
    converted = _converted(text, kind, meaning.MACHINE) if machine else None
    if converted is None:
        converted = _converted(text, kind, page)
    if converted is None:
        shown = " ".join(text.split())[:200]
        raise DataInvalid(f"{where} is no {kind}: the page says {shown!r}", performed=False)
    return converted


def _converted(text: str, kind: ValueType, page: Conventions) -> Any:
    """None when the text says no such value, or one that a number here cannot hold."""
    if kind == "boolean":
        return meaning.boolean_in(text)
    if kind == "date":
        date = meaning.date_in(text, page)
        return None if date is None else date.isoformat()
    if kind == "integer":
        return meaning.integer_in(text, page)
    number = meaning.number_in(text, page)
    if number is None or number == number.to_integral_value():
        return None if number is None else int(number)
    return float(number) if Decimal(repr(float(number))) == number else None
