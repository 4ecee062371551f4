"""One element, one verb."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sopbench.adapters.in_page_scripts import script
from sopbench.adapters.playwright_choosing import select
from sopbench.adapters.playwright_clipboard import copy, mark, paste
from sopbench.adapters.playwright_dates import pick_date
from sopbench.adapters.playwright_explaining import has_clicked, is_covered, may_have_acted
from sopbench.adapters.playwright_files import Downloads, upload
from sopbench.adapters.playwright_filling import clear, fill
from sopbench.adapters.playwright_focus import take_focus
from sopbench.adapters.playwright_pointing import drag, position
from sopbench.adapters.playwright_pressing import noticed
from sopbench.errors import StepError, ValueNotHeld
from sopbench.ports.browser import Done
from sopbench.sop.verbs.fields import (
    Clear,
    Copy,
    Fill,
    Paste,
    PickDate,
    Press,
    Select,
    SelectText,
    SetChecked,
    Type,
    Upload,
)
from sopbench.sop.verbs.pointer import Click, Drag, Hover
from sopbench.sop.verbs.reading import Download

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page, Position

    from sopbench.adapters.playwright_waiting import Requests
    from sopbench.sop.actions import ElementAction

_TIME_FOR_THE_MIDDLE = 0.8
_SLOW_PAGE = "the page it leads to had not come when its time was over"
_FREE_PLACE = script("free_place")


@dataclass
class Hands:
    """What acting on elements needs besides the page."""

    downloads: Downloads
    files: Path
    """Where relative paths of uploads begin."""
    copied: str | None = None
    """By the last ``copy`` of the run."""

    async def act(  # noqa: C901 - one case per verb
        self, page: Page, action: ElementAction | Press, locator: Locator, requests: Requests, timeout_ms: float
    ) -> Done:
        """Raises: StepError, and Playwright's own errors."""
        match action:
            case Click():
                async with noticed(action, locator, requests, timeout_ms):
                    return Done(remark=await _click(action, locator, timeout_ms))
            case Hover(at=at):
                await locator.hover(position=position(at), timeout=timeout_ms)
            case Drag():
                await drag(page, locator, action, timeout_ms)
            case Fill():
                return Done(remark=await fill(locator, action, timeout_ms))
            case Clear():
                return Done(remark=await clear(locator, action, timeout_ms))
            case Type(text=text):
                await _type(page, locator, text, timeout_ms)
            case Press(key=key, times=times):
                for _ in range(int(times)):
                    await locator.press(key, timeout=timeout_ms)
            case SetChecked():
                await _set_checked(action, locator, timeout_ms)
            case Select():
                await select(locator, action, timeout_ms)
            case PickDate():
                return Done(remark=await pick_date(page, locator, action, timeout_ms))
            case Upload():
                return Done(remark=await upload(page, locator, action, self.files, timeout_ms))
            case SelectText():
                await mark(locator, action, timeout_ms)
            case Copy():
                self.copied = await copy(locator, action, timeout_ms)
                return Done(value=self.copied)
            case Paste():
                await paste(locator, action, self.copied, timeout_ms)
            case Download():
                return await self._download(action, locator, timeout_ms)
        return Done()

    async def _download(self, action: Download, locator: Locator, timeout_ms: float) -> Done:
        begun = self.downloads.begun
        deadline = asyncio.get_running_loop().time() + timeout_ms / 1000
        await locator.click(timeout=timeout_ms)
        left = deadline - asyncio.get_running_loop().time()
        kept = await self.downloads.next(begun, max(left, 1.0), str(action.target))
        value: dict[str, Any] = {"name": kept.name, "path": kept.path, "bytes": kept.size, "sha256": kept.sha256}
        return Done(value=value, artifact=kept)


async def _type(page: Page, locator: Locator, text: str, timeout_ms: float) -> None:
    """Into the element, or the field that the page has for what is typed there."""
    if await take_focus(locator, timeout_ms):
        await locator.press_sequentially(text, timeout=timeout_ms)
    else:
        await page.keyboard.type(text)


async def _click(action: Click, locator: Locator, timeout_ms: float) -> str:
    """In the middle; if something else lies there for most of the time, wherever the element itself shows.

    A click that may have been performed is never made again.
    """
    first_ms = timeout_ms if action.at is not None else timeout_ms * _TIME_FOR_THE_MIDDLE
    try:
        await _click_at(action, locator, position(action.at), first_ms)
    except PlaywrightTimeout as error:
        if has_clicked(error.message):
            return _SLOW_PAGE
        covered = not may_have_acted(action, error.message) and is_covered(error.message)
        free: Position | None = (await locator.evaluate_all(_FREE_PLACE) or [None])[0] if covered else None
        if free is None:
            raise
        await _click_at(action, locator, free, timeout_ms - first_ms)
        return "not in its middle: something else lies there"
    return ""


async def _click_at(action: Click, locator: Locator, at: Position | None, timeout_ms: float) -> None:
    click = locator.dblclick if action.double else locator.click
    await click(button=action.button, modifiers=list(action.modifiers), position=at, timeout=timeout_ms)


async def _set_checked(action: SetChecked, locator: Locator, timeout_ms: float) -> None:
    """Raises: ValueNotHeld when it does not show the state afterwards; StepError when it has no such state."""
    try:
        await locator.set_checked(bool(action.checked), timeout=timeout_ms)
    except Error as error:
        if "did not change its state" in error.message:
            raise ValueNotHeld(f"{action.target} does not keep its new state", performed=True) from error
        if "Not a checkbox or radio button" in error.message:
            message = f"{action.target} is no checkbox, switch or radio button that can be set"
            raise StepError(message, performed=False) from error
        raise
