"""The pointer's longer ways: dragging, and scrolling until something is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.adapters import playwright_looking
from sopbench.adapters.in_page_scripts import script
from sopbench.adapters.playwright_locators import locate
from sopbench.errors import ExpectationFailed, TargetNotFound

if TYPE_CHECKING:
    from playwright.async_api import FloatRect, Locator, Page, Position

    from sopbench.sop.verbs.pointer import Drag, Point, Scroll

_SCROLLER = script("scroller")
_SCROLL = """(it, by) => {
    const before = [it.scrollLeft, it.scrollTop]
    it.scrollBy({ left: by?.x ?? 0, top: by ? by.y : it.clientHeight * 0.8, behavior: 'instant' })
    const moved = it.scrollLeft !== before[0] || it.scrollTop !== before[1]
    return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(moved))))
}"""
_AT_THE_END = 3
_WAIT_AT_THE_END_MS = 250
_MOST_SCROLLS = 500


def position(at: Point | None) -> Position | None:
    """In Playwright's form."""
    return None if at is None else {"x": float(at.x), "y": float(at.y)}


async def drag(page: Page, locator: Locator, action: Drag, timeout_ms: float) -> None:
    """Press, move as a hand does, let go. Raises: TargetNotFound, and Playwright's own errors."""
    await locator.hover(position=position(action.at), timeout=timeout_ms)
    start = _place(await _box(locator, str(action.target), timeout_ms), action.at)
    if action.to is not None:
        to = locate(page, action.to, only_seen=True)
        await to.scroll_into_view_if_needed(timeout=timeout_ms)
        start = _place(await _box(locator, str(action.target), timeout_ms), action.at)
        end = _place(await _box(to, str(action.to), timeout_ms), action.to_at)
    else:
        assert action.by is not None  # noqa: S101 - the model of Drag sees to it
        end = (start[0] + float(action.by.x), start[1] + float(action.by.y))
    await page.mouse.move(*start)
    await page.mouse.down()
    try:
        await page.mouse.move(*end, steps=max(action.steps, 2))
        await page.mouse.move(*end)  # what lies there is told that something rests on it
    finally:
        await page.mouse.up()


async def scroll(page: Page, action: Scroll, timeout_ms: float) -> None:
    """Raises: ExpectationFailed when the end is reached before ``until`` holds; Playwright's own errors."""
    if action.target is not None and action.by is None and action.until is None:
        await locate(page, action.target).scroll_into_view_if_needed(timeout=timeout_ms)
        return
    what = page.locator("body") if action.target is None else locate(page, action.target)
    by = None if action.by is None else {"x": float(action.by.x), "y": float(action.by.y)}
    scroller = await what.evaluate_handle(_SCROLLER, timeout=timeout_ms)
    if action.until is None:
        await scroller.evaluate(_SCROLL, by)
        return
    still = 0
    for _ in range(_MOST_SCROLLS):
        seen = await playwright_looking.look(page, action.until, timeout_s=0)
        if seen.holds:
            return
        if still >= _AT_THE_END:
            message = (
                f"scrolled {action.target or 'the page'} to its end; expected: {action.until}; found: {seen.found}"
            )
            raise ExpectationFailed(message, performed=True)
        moved = await scroller.evaluate(_SCROLL, by)
        still = 0 if moved else still + 1
        if not moved:
            await page.wait_for_timeout(_WAIT_AT_THE_END_MS)  # more may be on its way
    raise ExpectationFailed(f"after {_MOST_SCROLLS} scrolls still not: {action.until}", performed=True)


async def _box(locator: Locator, what: str, timeout_ms: float) -> FloatRect:
    box = await locator.bounding_box(timeout=timeout_ms)
    if box is None:
        raise TargetNotFound(f"{what} cannot be seen", performed=False)
    return box


def _place(box: FloatRect, at: Point | None) -> tuple[float, float]:
    if at is None:
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return box["x"] + float(at.x), box["y"] + float(at.y)
