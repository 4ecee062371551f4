"""Browsers and browser sessions through Playwright: launched with what was found, traced, closed whatever happens."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
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

_HERE = Path()
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
    files: Path = _HERE,
) -> AsyncIterator[PlaywrightSession]:
    """A fresh context with one page. Its trace is written to ``folder`` when it is to be kept, secrets masked.

    ``options`` are Playwright's own for a new context. Relative paths of uploads begin at ``files``. Contexts of
    further sessions are opened when a procedure asks for them, with the same options, and closed with this one.
    """
    context_options = {"viewport": VIEWPORT, "locale": "en-US", **(options or {})}
    async with AsyncExitStack() as stack:
        kept = KeptTraces(tracing, folder, masker)

        async def open_context(name: str | None) -> BrowserContext:
            context = await browser.new_context(**(context_options if name is None else _signed_out(context_options)))
            stack.push_async_callback(context.close)
            await kept.start(context, TRACE_NAME if name is None else f"trace-{name}.zip")
            return context

        context = await open_context(None)
        page = await context.new_page()
        driven = PlaywrightBrowser(context, page, artifacts=folder, files=files, open_session=open_context)
        session = PlaywrightSession(driven, context)
        try:
            yield session
        finally:
            await kept.stop(keep=session.keep_trace)


def _signed_out(options: Mapping[str, Any]) -> dict[str, Any]:
    """A session of its own does not share the saved sign-ins."""
    return {name: value for name, value in options.items() if name != "storage_state"}


class KeptTraces:
    """The traces of a run's contexts."""

    def __init__(self, tracing: Tracing, folder: Path | None, masker: Masker) -> None:
        self._tracing = tracing
        self._folder = folder
        self._masker = masker
        self._started: list[tuple[BrowserContext, str]] = []

    async def start(self, context: BrowserContext, name: str) -> None:
        if self._tracing != "off" and self._folder is not None:
            await context.tracing.start(screenshots=False, snapshots=True, sources=False)
            self._started.append((context, name))

    async def stop(self, *, keep: bool) -> None:
        for context, name in self._started:
            path = self._folder / name if self._folder and (keep or self._tracing == "on") else None
            try:
                await (context.tracing.stop() if path is None else context.tracing.stop(path=path))
            except Error:
                continue  # the browser is gone, and its trace with it; the log tells why
            if path is not None:
                self._masker.zip_file(path)
