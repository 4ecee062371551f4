"""Looking whether an expectation holds: waiting for it in the browser, and saying what is there instead."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from playwright.async_api import Error, expect

from sopbench.adapters.playwright_locators import address_pattern, locate, value_pattern
from sopbench.ports.browser import Artifact, Seen
from sopbench.sop.targets import CheckedIs, CountIs, Downloaded, Hidden, TextIs, UrlIs, ValueIs, Visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import Locator, Page

    from sopbench.sop.targets import PageExpectation, Target

_ONCE_MS = 1.0
"""Playwright reads a time-out of 0 as *for ever*; it looks at least once in any time."""


async def look(
    page: Page, expectation: PageExpectation, *, timeout_s: float, downloads: Sequence[Artifact] = ()
) -> Seen:
    """Wait until it holds, at most ``timeout_s``; ``downloads`` grows while files come in.

    Raises: Playwright's own errors.
    """
    if isinstance(expectation, Downloaded):
        return await _file(expectation.download, downloads, timeout_s)
    timeout_ms = max(timeout_s * 1000, _ONCE_MS)
    try:
        await _wait(page, expectation, timeout_ms)
    except AssertionError:
        if page.is_closed():
            raise Error("Target page has been closed") from None  # it was not looked at
        return Seen(holds=False, found=await _describe(page, expectation))
    return Seen(holds=True, found="as expected")


async def _wait(page: Page, expectation: PageExpectation, timeout_ms: float) -> None:
    match expectation:
        case UrlIs(url=url):
            await expect(page).to_have_url(address_pattern(url), timeout=timeout_ms)
        case Visible(visible=target):
            await expect(_seen(page, target).first).to_be_visible(timeout=timeout_ms)
        case Hidden(hidden=target):
            await expect(_seen(page, target)).to_have_count(0, timeout=timeout_ms)
        case TextIs(text=text, target=target):
            where = locate(page, target) if target else page.locator("body")
            await expect(where).to_contain_text(text, use_inner_text=True, timeout=timeout_ms)
        case ValueIs(value=value, target=target):
            await expect(locate(page, target)).to_have_value(value_pattern(value), timeout=timeout_ms)
        case CheckedIs(checked=target, state=state):
            await expect(locate(page, target)).to_be_checked(checked=bool(state), timeout=timeout_ms)
        case CountIs():
            await _wait_for_count(page, expectation, timeout_ms)


async def _wait_for_count(page: Page, expectation: CountIs, timeout_ms: float) -> None:
    locator = locate(page, expectation.count)
    if expectation.exactly is not None:
        await expect(locator).to_have_count(expectation.exactly, timeout=timeout_ms)
    if expectation.minimum:
        await expect(locator.nth(expectation.minimum - 1)).to_be_attached(timeout=timeout_ms)
    if expectation.maximum is not None:
        await expect(locator.nth(expectation.maximum)).not_to_be_attached(timeout=timeout_ms)


async def _file(name: str, downloads: Sequence[Artifact], timeout_s: float) -> Seen:
    pattern = address_pattern(name)
    deadline = time.monotonic() + timeout_s
    while not any(pattern.match(kept.name) for kept in downloads):
        if time.monotonic() >= deadline:
            there = ", ".join(kept.name for kept in downloads)
            return Seen(holds=False, found=there or "no file")
        await asyncio.sleep(0.02)
    return Seen(holds=True, found="as expected")


def _seen(page: Page, target: Target) -> Locator:
    return locate(page, target).filter(visible=True)


async def _describe(page: Page, expectation: PageExpectation) -> str:  # noqa: C901 - one case per expectation
    """What is there instead, in a few words."""
    try:
        match expectation:
            case UrlIs():
                return f"address is {page.url}"
            case Visible(visible=target):
                count = await locate(page, target).count()
                return f"{count} such {'element' if count == 1 else 'elements'}, none to be seen" if count else "none"
            case Hidden(hidden=target):
                return f"{await _seen(page, target).count()} to be seen"
            case TextIs(target=target):
                where = locate(page, target) if target else page.locator("body")
                return f"{_short(await where.inner_text(timeout=500))!r}"
            case ValueIs(target=target):
                return f"{_short(await locate(page, target).input_value(timeout=500))!r}"
            case CheckedIs():
                return "the other state, or no such element"
            case CountIs(count=target):
                return f"{await locate(page, target).count()}"
            case Downloaded():
                return "no such file"
    except Error as error:
        if "crashed" in error.message:
            raise
        return f"no such element ({error.message.splitlines()[0][:120]})"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 200 else text[:199] + "…"
