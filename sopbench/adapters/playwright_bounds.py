"""Keeping a browser to some origins: nothing is opened, and nothing sent, anywhere else.

Three nets. Playwright's routes see every request of a context before it leaves, also the first of a new window, but not
where a server redirects it to; Chromium's own interception sees every hop, but not what a page sends while it is being
left; that the page is kept from by a script of its own.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error

from sopbench.adapters.in_page_scripts import script
from sopbench.adapters.playwright_errors import translated
from sopbench.sop.approval_rules import origin_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from playwright.async_api import BrowserContext, CDPSession, Download, Page, Route

_OWN = ("about:", "data:", "blob:", "chrome-error:")
"""What has no server."""
_KEEP_HOME = script("keep_home")
_READS = ("GET", "HEAD", "OPTIONS")
_SENDING = {"patterns": [{"urlPattern": "*", "resourceType": kind} for kind in ("Document", "XHR", "Fetch", "Ping")]}


@asynccontextmanager
async def kept_to(
    contexts: Sequence[BrowserContext], origins: Sequence[str], *, downloads: bool
) -> AsyncIterator[list[str]]:
    """While the block lasts, refuse what would open a page or send something outside; gives the refused addresses.

    Without ``downloads`` every file that begins to come is cancelled, and counts as refused. Raises: BrowserLost.
    """
    bounds = _Bounds(frozenset(origins), downloads=downloads)
    try:
        with translated("the page"):
            for context in contexts:
                await bounds.close(context)
        yield bounds.refused
    except asyncio.CancelledError:
        bounds.lift_later()  # who stops a run does not wait for this
        raise
    except BaseException:
        await bounds.lift()
        raise
    await bounds.lift()


class _Bounds:
    def __init__(self, origins: frozenset[str], *, downloads: bool) -> None:
        self._origins = origins
        self._downloads = downloads
        self.refused: list[str] = []
        self._contexts: list[BrowserContext] = []
        self._sessions: list[CDPSession] = []
        self._answering: set[asyncio.Task[None]] = set()

    async def close(self, context: BrowserContext) -> None:
        await context.route("**/*", self._route)
        self._contexts.append(context)
        context.on("page", self._opened)
        for page in context.pages:
            self._watch(page)
            await self._keep_home(page)
        if context.browser is None or not context.pages:
            return
        mine = await _id_of(context)
        session = await context.browser.new_browser_cdp_session()
        alone = len(context.browser.contexts) == len(self._contexts)
        session.on("Fetch.requestPaused", lambda event: self._later(self._hop(session, event, mine, alone=alone)))
        self._sessions.append(session)
        await session.send("Fetch.enable", _SENDING)

    async def lift(self) -> None:
        """A browser that is gone needs nothing lifted."""
        for context in self._contexts:
            context.remove_listener("page", self._opened)
            for page in context.pages if not self._downloads else ():
                page.remove_listener("download", self._cancel)
            with suppress(Error):
                await context.unroute("**/*", self._route)
        for session in self._sessions:
            with suppress(Error):
                await session.detach()

    def lift_later(self) -> None:
        """Begin to, and do not wait for it."""
        self._later(self.lift())

    def _opened(self, page: Page) -> None:
        self._watch(page)
        self._later(self._keep_home(page))

    async def _keep_home(self, page: Page) -> None:
        """As long as its session lasts, and no longer."""
        with suppress(Error):  # it is gone again
            devtools = await page.context.new_cdp_session(page)
            self._sessions.append(devtools)
            await devtools.send("Page.enable")
            source = f"({_KEEP_HOME})({json.dumps(sorted(self._origins))})"
            await devtools.send("Page.addScriptToEvaluateOnNewDocument", {"source": source, "runImmediately": True})

    def _watch(self, page: Page) -> None:
        if not self._downloads:
            page.on("download", self._cancel)

    def _cancel(self, download: Download) -> None:
        self.refused.append(download.url)
        self._later(_cancelled(download))

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    def _is_allowed(self, url: str) -> bool:
        return url.startswith(_OWN) or origin_of(url) in self._origins

    async def _route(self, route: Route) -> None:
        request = route.request
        harmless = request.resource_type != "document" and request.method in _READS
        with suppress(Error):  # its page is gone
            if harmless or self._is_allowed(request.url):
                await route.fallback()
            else:
                self.refused.append(request.url)
                await route.abort("aborted")

    async def _hop(self, session: CDPSession, event: dict[str, Any], mine: str, *, alone: bool) -> None:
        request, url = event["requestId"], event["request"]["url"]
        harmless = event["resourceType"] != "Document" and event["request"]["method"] in _READS
        seen_by_routes = "redirectedRequestId" not in event
        with suppress(Error):
            fine = seen_by_routes or harmless or self._is_allowed(url)
            if fine or not await _is_of(session, event["frameId"], mine, alone):
                await session.send("Fetch.continueRequest", {"requestId": request})
            else:
                self.refused.append(url)
                await session.send("Fetch.failRequest", {"requestId": request, "errorReason": "Aborted"})


async def _cancelled(download: Download) -> None:
    with suppress(Error):
        await download.cancel()


async def _id_of(context: BrowserContext) -> str:
    """What Chromium calls it."""
    devtools = await context.new_cdp_session(context.pages[0])
    told = await devtools.send("Target.getTargetInfo")
    await devtools.detach()
    return str(told["targetInfo"].get("browserContextId", ""))


async def _is_of(session: CDPSession, frame: str, mine: str, alone: bool) -> bool:
    """Whether a frame is of that context; one that is no page by itself can be told only where there is no other."""
    try:
        told = await session.send("Target.getTargetInfo", {"targetId": frame})
    except Error:
        return alone
    return str(told["targetInfo"].get("browserContextId", "")) == mine
