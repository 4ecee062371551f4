"""What an action waits for: seen from beside it while it waits, and measured.

Playwright itself waits until an element can take an action; it does not say what it waited for. An action that takes
longer than a moment is watched, and what stands in its way is noted. One that is done at once costs nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from playwright.async_api import Error

from sopbench.adapters.in_page_scripts import script

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Locator, Page, Request

_STATE = script("state")
_A_MOMENT_S = 0.25
_LOOK_EVERY_S = 0.1

_REPLACES_CONTENT = frozenset({"document", "xhr", "fetch", "script"})
_ONLY_ASKS = frozenset({"GET", "HEAD", "OPTIONS"})
_STILL_AWAITED_S = 2.0
"""A request that takes longer than this is not one a person would wait for: it is a stream, or polls."""
_SETTLES_WITHIN_S = 2.0
_SAVES = frozenset({"xhr", "fetch"})
_MOST_SAVES = 20
_TOLD_WITHIN_S = 0.25
"""The browser tells of a request once it holds it; a page's script may be answered before that, on a busy machine."""
_REFUSED = 400
_TAKES_BACK_WITHIN_S = 5.0
_QUIET = script("quiet")


class Waited:
    """What an action waited for → seconds."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.last = ""
        """The obstacle seen last; '' when there was none."""

    def add(self, what: str, seconds: float) -> None:
        self.seconds[what] = round(self.seconds.get(what, 0.0) + seconds, 3)


@asynccontextmanager
async def watched(locator: Locator, what: str, waited: Waited) -> AsyncIterator[None]:
    """While the block lasts, note what keeps ``locator`` from taking an action."""
    watching = asyncio.create_task(_watch(locator, what, waited))
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def _watch(locator: Locator, what: str, waited: Waited) -> None:
    since = time.monotonic()
    await asyncio.sleep(_A_MOMENT_S)
    while True:
        try:
            waited.last = await locator.evaluate_all(_STATE)
        except Error:
            waited.last = ""  # the page is on its way to another one
        now = time.monotonic()
        if waited.last:
            waited.add(f"{what} {waited.last}", now - since)
        since = now
        await asyncio.sleep(_LOOK_EVERY_S)


class Requests:
    """What a page is asking for, and may replace what it shows.

    Pages read by POST, too; but what they post after an entry is the entry, and they do not wait for it either.
    """

    def __init__(self) -> None:
        self._pending: dict[Request, float] = {}
        self.after_entry = False
        """Whether the last thing done to the page was an entry into a field."""
        self._saves: deque[Request] = deque(maxlen=_MOST_SAVES)
        self._saves_begun = asyncio.Event()
        """Whether the page saves something since the last action."""
        self.sent = 0
        """How often the page sent something that may change the world: all but what only asks."""

    def listen(self, page: Page) -> None:
        page.on("request", self._begun)
        page.on("websocket", lambda socket: socket.on("framesent", self._told))
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)

    def before_action(self, *, entry: bool) -> None:
        """An action is about to be done, and whether it is an entry into a field."""
        self.after_entry = entry
        self._saves_begun.clear()

    def _told(self, _: object) -> None:
        self.sent += 1

    def _begun(self, request: Request) -> None:
        self.sent += request.method not in _ONLY_ASKS or request.resource_type == "document"
        saves = self.after_entry and request.method != "GET" and request.resource_type != "document"
        if request.method not in _ONLY_ASKS and request.resource_type in _SAVES:
            self._saves.append(request)
            self._saves_begun.set()
        if request.resource_type in _REPLACES_CONTENT and not saves:
            self._pending[request] = time.monotonic()

    def _ended(self, request: Request) -> None:
        self._pending.pop(request, None)

    def awaited(self, *, whole_pages: bool = False) -> bool:
        """Whether something is under way that a person would wait for; ``whole_pages`` counts only those."""
        if not self._pending:
            return False
        now = time.monotonic()
        return any(
            now - begun < _STILL_AWAITED_S and (not whole_pages or request.resource_type == "document")
            for request, begun in self._pending.items()
        )

    async def settle(self, page: Page, waited: Waited, *, whole_pages: bool = False) -> None:
        """Wait until what is under way has come and is drawn, at most two seconds."""
        if not self.awaited(whole_pages=whole_pages):
            return
        started = time.monotonic()
        until = started + _SETTLES_WITHIN_S
        while self.awaited(whole_pages=whole_pages) and time.monotonic() < until:  # noqa: ASYNC110 - time ends it, too
            await asyncio.sleep(0.01)
        with suppress(Error):
            await page.evaluate(_QUIET)
        waited.add("what the page was loading", time.monotonic() - started)

    async def were_refused(self) -> bool:
        """Whether some of what was sent to be saved since this was last asked is refused: waits for the answers, and
        then until all is idle. What is not answered in time counts as not refused. Where nothing was sent since the
        last action, the browser may only not have told of it yet: that is waited for, too.

        Raises: Playwright's own errors.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(_TOLD_WITHIN_S):
                await self._saves_begun.wait()
        sent, self._saves = self._saves, deque(maxlen=_MOST_SAVES)
        try:
            async with asyncio.timeout(_SETTLES_WITHIN_S):
                refused = any(await asyncio.gather(*map(_is_refused, sent)))
        except TimeoutError:
            return False
        if refused:
            with suppress(TimeoutError):
                async with asyncio.timeout(_TAKES_BACK_WITHIN_S):
                    await self.idle()
        return refused

    async def idle(self, quiet_s: float = 0.5) -> None:
        """Wait until nothing was under way for ``quiet_s``. Cancel it when it takes too long."""
        since = time.monotonic()
        while time.monotonic() - since < quiet_s:
            if self._pending:
                since = time.monotonic()
            await asyncio.sleep(0.02)


async def _is_refused(request: Request) -> bool:
    """Whether it was answered with an error, or not at all. Waits for the answer."""
    response = await request.response()
    return response is None or response.status >= _REFUSED
