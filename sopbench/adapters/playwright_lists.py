"""Reading lists that do not show whole: scrolled, or page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.adapters.playwright_list_state import ListState
from sopbench.adapters.playwright_locators import locate
from sopbench.adapters.playwright_scrolling import scrolled
from sopbench.errors import DataInvalid, StepError, TargetNotFound

if TYPE_CHECKING:
    from playwright.async_api import Page

    from sopbench.adapters.playwright_list_state import Read, Record
    from sopbench.adapters.playwright_waiting import Requests
    from sopbench.sop.verbs.reading import More

_IS_LAST = """element => {
    const barred = each => /(^|[-_ ])disabled([-_ ]|$)|[a-z]-?Disabled/.test(each?.getAttribute('class') ?? '')
    return element.disabled || Boolean(element.closest('[aria-disabled=true], fieldset:disabled')) || barred(element)
        || barred(element.parentElement) || getComputedStyle(element).pointerEvents === 'none'
}"""


async def read_whole(page: Page, more: More, read: Read, requests: Requests, timeout_ms: float) -> list[Record]:
    """All records of a list, in order; ``read`` gives those that are there now. ``timeout_ms`` is for each turn.

    Raises: StepError when it cannot be turned or has no end; DataInvalid when it was not read whole.
    """
    seen = ListState(page, more, read, timeout_ms / 1000, requests)
    records = await (_turned(seen) if more.next is not None else scrolled(seen))
    if more.total is not None:
        total = await seen.total()
        if total != len(records):
            raise DataInvalid(f"{len(records)} records were read, and the page says {total}", performed=False)
    return records


async def _turned(seen: ListState) -> list[Record]:
    """Page by page, until ``next`` is gone or disabled."""
    more = seen.more
    assert more.next is not None  # noqa: S101 - asked only then
    next_page = locate(seen.page, more.next).filter(visible=True)
    shown = await seen.begun()
    found = dict(shown)
    for number in range(1, more.pages + 1):
        if await next_page.count() == 0 or await next_page.evaluate(_IS_LAST):
            return list(found.values())
        if number == more.pages:
            break
        await next_page.click(timeout=seen.timeout_s * 1000)
        shown = await _next_page(seen, shown, number, len(found))
        for key, record in shown.items():
            if key in found:
                advice = "" if more.key else ", or two of its records are alike: name a 'key' that tells them apart"
                message = f"page {number + 1} shows {seen.named(record)} again: the list changed while it was read"
                raise DataInvalid(f"{message}{advice}; {len(found)} records were read before", performed=True)
        found |= shown
    message = f"the list has more than {more.pages} pages, the most that 'pages' allows; {len(found)} records were read"
    raise StepError(message, performed=True)


async def _next_page(seen: ListState, shown: dict[str, Record], number: int, count: int) -> dict[str, Record]:
    try:
        return await seen.settled(unlike=shown)
    except (TargetNotFound, DataInvalid):
        raise
    except StepError as error:
        message = f"the page did not turn: after {seen.more.next} page {number} is still there, {len(shown)} records"
        raise StepError(f"{message}; {count} were read", performed=True) from error
