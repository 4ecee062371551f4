"""Browsers and browser sessions through Playwright: launched with what was found, traced, closed whatever happens."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from playwright.async_api import Error, async_playwright

from sopbench.adapters.playwright_browser import PlaywrightBrowser
from sopbench.errors import BrowserMissing
from sopbench.records.folder import TRACE_NAME

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from playwright.async_api import Browser, BrowserContext

    from sopbench.events.masking import Masker

Tracing = Literal["on", "off", "unless-clean"]

VIEWPORT = {"width": 1280, "height": 800}


@asynccontextmanager
async def launched(
    *,
    executable: Path | None,
    arguments: Sequence[str],
    headed: bool = False,
    slow_mo_ms: float = 0,
    channel: str | None = None,
) -> AsyncIterator[Browser]:
    """A Chromium for a whole session. Raises: BrowserMissing when it does not start."""
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(
                executable_path=executable,
                args=list(arguments),
                headless=not headed,
                slow_mo=slow_mo_ms,
                channel=channel,
            )
        except Error as error:
            reason = error.message.splitlines()[0]
            raise BrowserMissing(f"the browser does not start: {reason}; see --browser-executable") from error
        try:
            yield browser
        finally:
            await browser.close()


@dataclass
class PlaywrightSession:
    """One open context."""

    browser: PlaywrightBrowser
    context: BrowserContext
    keep_trace: bool = True


@asynccontextmanager
async def opened(
    browser: Browser,
    folder: Path | None,
    *,
    masker: Masker,
    tracing: Tracing = "unless-clean",
    options: Mapping[str, Any] | None = None,
) -> AsyncIterator[PlaywrightSession]:
    """A fresh context with one page. Its trace is written to ``folder`` when it is to be kept, secrets masked.

    ``options`` are Playwright's own for a new context.
    """
    context = await browser.new_context(**{"viewport": VIEWPORT, "locale": "en-US", **(options or {})})
    try:
        traced = tracing != "off" and folder is not None
        if traced:
            await context.tracing.start(screenshots=False, snapshots=True, sources=False)
        session = PlaywrightSession(PlaywrightBrowser(context, await context.new_page()), context)
        try:
            yield session
        finally:
            if traced and folder is not None:
                keep = tracing == "on" or session.keep_trace
                await _stop_tracing(context, folder / TRACE_NAME if keep else None, masker)
    finally:
        await context.close()


async def _stop_tracing(context: BrowserContext, path: Path | None, masker: Masker) -> None:
    try:
        if path is None:
            await context.tracing.stop()
            return
        await context.tracing.stop(path=path)
    except Error:
        return  # the browser is gone, and its trace with it; the log tells why
    masker.zip_file(path)
