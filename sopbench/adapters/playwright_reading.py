"""Reading values and records from a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sopbench.adapters.playwright_locators import locate
from sopbench.errors import TargetNotFound

if TYPE_CHECKING:
    from playwright.async_api import ElementHandle, Locator, Page

    from sopbench.sop.verbs.reading import Extract, Source

_VALUE_OF = """(element, attribute) => {
    if (attribute === null) return (element.innerText ?? element.textContent ?? '').trim();
    if (attribute === 'value') return element.value ?? null;
    if (attribute === 'checked') return element.checked ?? element.getAttribute('aria-checked') === 'true';
    return element.getAttribute(attribute);
}"""
_ALL_VALUES = f"(elements, attribute) => elements.map(element => ({_VALUE_OF})(element, attribute))"
_VALUES_BY_ROW = f"""(elements, [rows, attribute]) => elements.map(element =>
    [rows.findIndex(row => row.contains(element)), ({_VALUE_OF})(element, attribute)])"""


async def read(page: Page, action: Extract, *, timeout_ms: float) -> Any:
    """One value, a list of values, or a list of records. Raises: TargetNotFound, and Playwright's own errors."""
    if action.each is not None:
        return await _read_records(page, action)
    assert action.target is not None  # noqa: S101 - the model of Extract sees to it
    locator = locate(page, action.target)
    if action.all:
        return await locator.evaluate_all(_ALL_VALUES, action.attribute)
    if action.optional and await locator.count() == 0:
        return None
    return await locator.evaluate(_VALUE_OF, action.attribute, timeout=timeout_ms)


async def _read_records(page: Page, action: Extract) -> list[dict[str, Any]]:
    assert action.each is not None  # noqa: S101 - as above
    each = locate(page, action.each)
    rows = await each.element_handles()
    try:
        records: list[dict[str, Any]] = [{} for _ in rows]
        for name, source in action.fields.items():
            for record, value in zip(records, await _read_field(page, each, rows, name, source), strict=True):
                record[name] = value
    finally:
        for row in rows:
            await row.dispose()
    return records


async def _read_field(page: Page, each: Locator, rows: list[ElementHandle], name: str, source: Source) -> list[Any]:
    """The field's value for each row, in one question to the page.

    Raises: TargetNotFound when a row lacks it or has several, or the page was drawn anew in between.
    """
    locator = each if source.target is None else locate(page, source.target, each)
    by_row: list[list[Any]] = [[] for _ in rows]
    for index, value in await locator.evaluate_all(_VALUES_BY_ROW, [rows, source.attribute]):
        if index < 0:
            raise TargetNotFound(f"the list was drawn anew while {name!r} was read from it", performed=False)
        by_row[index].append(value)
    if source.all:
        return by_row
    for index, values in enumerate(by_row):
        if len(values) > 1 or (not values and not source.optional):
            found = f"{len(values)} elements fit" if values else "no element fits"
            message = f"field {name!r} of record {index}: {found} {source.target}"
            raise TargetNotFound(message, performed=False)
    return [values[0] if values else None for values in by_row]
