"""Reading a list that is scrolled: window by window, until nothing new comes."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sopbench.adapters.in_page_scripts import script
from sopbench.adapters.playwright_list_state import LOOK_EVERY_S, QUIET_S, short
from sopbench.adapters.playwright_locators import locate
from sopbench.errors import DataInvalid, StepError

if TYPE_CHECKING:
    from playwright.async_api import JSHandle

    from sopbench.adapters.playwright_list_state import ListState, Record

_SCROLLER = script("scroller")
_SCROLL_TO = script("scroll_to")
_STEP = 0.8
"""Of what is in view."""
_SMALLEST_STEP_PX = 8
_AT_END_PX = 2


@dataclass
class _Window:
    """Records as they came into sight, in order."""

    seen: ListState
    found: dict[str, Record] = field(default_factory=dict)
    last: dict[str, Record] = field(default_factory=dict)
    """Those in sight at the last look."""

    def joins(self, shown: dict[str, Record]) -> bool:
        """Whether the last one that was in sight before still is: no gap lies between."""
        return not self.last or not shown or next(reversed(self.last)) in shown

    def add(self, shown: dict[str, Record]) -> None:
        """Raises: DataInvalid when one that is known says something else now."""
        for key, record in shown.items():
            known = self.found.setdefault(key, record)
            if known != record:
                message = f"{self.seen.named(record)} stands twice: {short(known)} and {short(record)}"
                raise DataInvalid(message, performed=True)
        if shown:
            self.last = shown


async def scrolled(seen: ListState) -> list[Record]:
    """From the top down, window by window, each overlapping the one before, until nothing new comes."""
    scroller = await _scroller(seen)
    place = await _scroll(scroller, 0)
    window = _Window(seen)
    window.add(await seen.begun())
    top, step, steps = place["top"], place["view"] * _STEP, 0
    while True:
        if _is_at_end(place):
            grown = await _grown(seen, window, scroller, place)
            if grown is None:
                return list(window.found.values())
            place = grown
        steps += 1
        if steps > seen.more.pages:
            message = f"the list has no end after {seen.more.pages} scrolls, the most that 'pages' allows"
            raise StepError(f"{message}; {len(window.found)} records were read", performed=True)
        place = await _scroll(scroller, top + step)
        shown = await seen.settled()
        if not window.joins(shown):
            step /= 2
            if step < _SMALLEST_STEP_PX:
                raise _gap(window)
            place = await _scroll(scroller, top)
            window.add(await seen.settled())
            continue
        keeps_all = window.found.keys() <= shown.keys()
        window.add(shown)
        top = place["top"]
        step = place["height"] if keeps_all and steps > 1 else place["view"] * _STEP


def _is_at_end(place: dict[str, Any]) -> bool:
    return bool(place["top"] + place["view"] >= place["height"] - _AT_END_PX)


def _gap(window: _Window) -> DataInvalid:
    message = f"there is a gap in the list after {len(window.found)} records: no window shows what is between"
    return DataInvalid(message, performed=True)


async def _scroller(seen: ListState) -> JSHandle:
    target = seen.more.scroll
    if target is None or target == "page":
        return await seen.page.evaluate_handle(_SCROLLER, None)
    return await locate(seen.page, target).evaluate_handle(_SCROLLER, timeout=seen.timeout_s * 1000)


async def _scroll(scroller: JSHandle, top: float | None) -> dict[str, Any]:
    place: dict[str, Any] = await scroller.evaluate(_SCROLL_TO, top)
    if not place["connected"]:
        raise StepError("what scrolls the list was drawn anew while it was read", performed=True)
    return place


async def _grown(seen: ListState, window: _Window, scroller: JSHandle, place: dict[str, Any]) -> dict[str, Any] | None:
    """Where the end is, once more of the list has come; None if nothing more comes.

    What is being loaded is waited for, and so is the total that the page says; at most the time-out.
    """
    started = quiet_since = time.monotonic()
    total = await seen.total() if seen.more.total is not None else None
    while True:
        now = await _scroll(scroller, None)
        if now["height"] <= place["height"] and not _is_at_end(now):
            now = await _scroll(scroller, place["top"])  # it has lost its place
        shown = await seen.settled()
        if _is_new(window, shown, now) or (now["height"] > place["height"] and not _is_at_end(now)):
            return now
        if total is not None and len(window.found) == total:
            return None
        loading = seen.requests.awaited() or now["busy"]
        if loading:
            quiet_since = time.monotonic()
        if time.monotonic() - started > seen.timeout_s:
            if not loading:
                return None
            message = f"more of the list was still being loaded after {seen.timeout_s:g} s"
            raise StepError(f"{message}; {len(window.found)} records were read", performed=True)
        if time.monotonic() - quiet_since > QUIET_S and (total is None or len(window.found) > total):
            return None
        await asyncio.sleep(LOOK_EVERY_S)


def _is_new(window: _Window, shown: dict[str, Record], place: dict[str, Any]) -> bool:
    """Whether something came that was not known; it is added. Raises: DataInvalid."""
    if shown.keys() <= window.found.keys():
        return False
    if window.joins(shown):
        window.add(shown)
    elif _is_at_end(place):
        raise _gap(window)
    return True
