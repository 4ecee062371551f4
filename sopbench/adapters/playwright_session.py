"""Browsers and browser sessions through Playwright: launched with what was found, traced, closed whatever happens."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from playwright.async_api import Error, async_playwright

from sopbench.adapters import playwright_dialogs
from sopbench.adapters.carried_through import carried_through
from sopbench.adapters.playwright_browser import PlaywrightBrowser
from sopbench.errors import BrowserMissing
from sopbench.events.masking import MASK
from sopbench.records.folder import TRACE_NAME

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager

    from playwright.async_api import Browser, BrowserContext

    from sopbench.events.masking import Masker

Tracing = Literal["on", "off", "unless-clean"]

_HERE = Path()
_CREDENTIALS = ("cookie", "set-cookie", "authorization", "proxy-authorization", "x-api-key")
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
    prepare: Callable[[BrowserContext], Awaitable[None]] | None = None,
    launch_again: Callable[[], AbstractAsyncContextManager[Browser]] | None = None,
) -> AsyncIterator[PlaywrightSession]:
    """A fresh context with one page. Its trace is written to ``folder`` when it is to be kept, secrets masked.

    ``options`` are Playwright's own for a new context. Relative paths of uploads begin at ``files``. Contexts of
    further sessions are opened when a procedure asks for them, with the same options, and closed with this one.
    ``prepare`` is given each context before it has a page. ``launch_again`` starts another browser where this one is
    gone and the run is to go on.
    """
    context_options = {"viewport": VIEWPORT, "locale": "en-US", **(options or {})}
    stack, kept = AsyncExitStack(), KeptTraces(tracing, folder, masker)

    running = browser

    async def make_context(name: str | None) -> BrowserContext:
        nonlocal running
        if launch_again is not None and not running.is_connected():
            running = await stack.enter_async_context(launch_again())
        context = await running.new_context(**(context_options if name is None else _signed_out(context_options)))
        stack.push_async_callback(_closed, context)
        await playwright_dialogs.ask_once(context)
        if prepare is not None:
            await prepare(context)
        await kept.start(context, TRACE_NAME if name is None else f"trace-{name}.zip")
        return context

    async def open_context(name: str | None) -> BrowserContext:
        return await carried_through(make_context(name))

    keep_trace = True
    try:
        context = await open_context(None)
        page = await context.new_page()
        driven = PlaywrightBrowser(context, page, artifacts=folder, files=files, open_session=open_context)
        session = PlaywrightSession(driven, context)
        try:
            yield session
        finally:
            keep_trace = session.keep_trace
    finally:
        await carried_through(_close(stack, kept, keep_trace=keep_trace))


async def _close(contexts: AsyncExitStack, kept: KeptTraces, *, keep_trace: bool) -> None:
    try:
        await kept.stop(keep=keep_trace)
    finally:
        await contexts.aclose()


async def _closed(context: BrowserContext) -> None:
    """Close a context; one whose browser is gone is closed already."""
    with suppress(Error):
        await context.close()


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
                self._masker.zip_file(path, without_credentials)


def without_credentials(name: str, content: bytes) -> bytes:
    """An entry of a trace; in its record of requests no cookie is left, and nothing that signs in to a web API."""
    if not name.endswith(".network"):
        return content
    lines = [json.loads(line) for line in content.splitlines() if line.strip()]
    for line in lines:
        exchange = line.get("snapshot", {})
        for side in (exchange.get("request", {}), exchange.get("response", {})):
            for cookie in side.get("cookies", ()):
                cookie["value"] = MASK
            for header in side.get("headers", ()):
                if header["name"].lower() in _CREDENTIALS:
                    header["value"] = MASK
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
