"""The tabs of a session: which one is current, what they are called, and what the page opened by itself."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sopbench.adapters.playwright_errors import load, translated
from sopbench.adapters.playwright_locators import address_pattern
from sopbench.adapters.playwright_waiting import Requests
from sopbench.errors import NavigationFailed, TargetNotFound

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page

    from sopbench.sop.verbs.pages import SwitchTab

_PICTURE = {"format": "jpeg", "quality": 50, "optimizeForSpeed": True}

OpenSession = Callable[[str | None], Awaitable["BrowserContext"]]
"""Makes the context of a session of its own, given its name; None for the run's own."""
_CLOSED_S = 5.0
"""How long a tab may take to close before it is left to itself."""
Listen = Callable[["Page"], None]
"""Attaches what listens to a page."""


@dataclass(eq=False)
class Tab:
    """One tab or window."""

    page: Page
    requests: Requests = field(default_factory=Requests)
    name: str | None = None
    """Once its page is there."""
    wanted: str | None = None
    """What it was opened as."""
    _devtools: CDPSession | None = None

    async def picture(self) -> bytes:
        """What is in sight, as JPEG. Asked of Chromium itself: a quarter faster than Playwright's own way."""
        if self._devtools is None:
            self._devtools = await self.page.context.new_cdp_session(self.page)
        answer = await self._devtools.send("Page.captureScreenshot", _PICTURE)
        return base64.b64decode(answer["data"])

    @property
    def is_open(self) -> bool:
        return not self.page.is_closed()

    @property
    def has_failed(self) -> bool:
        """Opened for a page that did not load; the next try takes it."""
        return self.wanted is not None and self.name is None

    def __str__(self) -> str:
        return repr(self.name) if self.name else self.page.url


class Tabs:
    """All tabs of a run, across its sessions; one of them is the current one."""

    def __init__(self, context: BrowserContext, page: Page, open_session: OpenSession | None, listen: Listen) -> None:
        """``open_session`` also makes the run's own context anew, asked with None, where the browser is gone."""
        self._listen = listen
        self._open_session = open_session
        self._contexts: dict[str | None, BrowserContext] = {None: context}
        self._tabs: list[Tab] = []
        context.on("page", self._opened)
        self._opened(page)
        self._current = self._tabs[0]
        self._history: list[Tab] = []

    @property
    def current(self) -> Tab:
        """A window that closed itself gives way to the tab it was opened from."""
        if not self._current.is_open and any(tab.is_open for tab in self._history):
            self._forget_closed()
        return self._current

    @property
    def page(self) -> Page:
        return self.current.page

    async def switch(self, action: SwitchTab, timeout_ms: float) -> None:
        """Raises: TargetNotFound when there is no such tab and nothing says where to open it; NavigationFailed."""
        tab = self._named(action.tab) or await self._showing(action, timeout_ms)
        if tab is None and action.url is None:
            tab = self._wanted(action.tab)
        if tab is not None:
            tab.name = action.tab
            self._go_to(tab)
            with translated(f"tab {action.tab!r}"):
                await tab.page.bring_to_front()
            return
        if action.url is None:
            known = ", ".join(str(each) for each in self._tabs if each.is_open)
            message = f"no tab {action.tab!r} is open, and no url says where to open it; there are {known}"
            raise TargetNotFound(message, performed=False)
        await self._open(action, action.url, timeout_ms)

    async def close(self, name: str | None) -> None:
        """Raises: TargetNotFound."""
        tab = self._current if name is None else self._named(name) or self._wanted(name)
        if tab is None:
            raise TargetNotFound(f"no tab {name!r} is open", performed=False)
        with translated(f"tab {tab}"):
            await tab.page.close()
        self._forget_closed()

    async def renew(self) -> None:
        """An empty tab in place of all others, in a new browser if the old one is gone. Raises: BrowserLost."""
        old, kept = list(self._tabs), self._contexts[None]
        with translated("the browser"):
            try:
                page = await kept.new_page()
            except Error:
                if self._open_session is None:
                    raise
                context = await self._open_session(None)
                context.on("page", self._opened)
                self._contexts = {None: context}
                page = await context.new_page()
        self._tabs = [tab for tab in self._tabs if tab.page is page]
        self._current, self._history = self._tabs[0], []
        for tab in old:
            with suppress(Error, TimeoutError):
                await asyncio.wait_for(tab.page.close(), _CLOSED_S)

    def _forget_closed(self) -> None:
        """A tab that is gone gives way to the one before it."""
        self._tabs = [tab for tab in self._tabs if tab.is_open]
        self._history = [tab for tab in self._history if tab.is_open]
        if not self._current.is_open and self._tabs:
            self._current = self._history.pop() if self._history else self._tabs[-1]

    async def take_opened(self, name: str, before: set[Page], timeout_ms: float) -> None:
        """Make the tab that was opened since ``before`` the current one. Raises: NavigationFailed."""
        deadline = asyncio.get_running_loop().time() + timeout_ms / 1000
        while not (new := [tab for tab in self._tabs if tab.page not in before and tab.is_open]):
            if asyncio.get_running_loop().time() > deadline:
                raise NavigationFailed(f"no tab {name!r} was opened", performed=True)
            await asyncio.sleep(0.01)
        new[0].name = name
        self._go_to(new[0])
        with translated(f"tab {name!r}"), suppress(PlaywrightTimeout):
            await new[0].page.wait_for_load_state("load", timeout=timeout_ms)

    def pages(self) -> set[Page]:
        return {tab.page for tab in self._tabs}

    @property
    def contexts(self) -> list[BrowserContext]:
        """Of the run, and of each session that was opened."""
        return list(self._contexts.values())

    def _opened(self, page: Page) -> None:
        tab = Tab(page)
        tab.requests.listen(page)
        self._listen(page)
        self._tabs.append(tab)

    def _named(self, name: str) -> Tab | None:
        return next((tab for tab in self._tabs if tab.name == name and tab.is_open), None)

    def _wanted(self, name: str) -> Tab | None:
        """One that was opened for it, though its page took too long: it may have come since."""
        return next((tab for tab in self._tabs if tab.wanted == name and tab.is_open), None)

    async def _showing(self, action: SwitchTab, timeout_ms: float) -> Tab | None:
        """A tab with such an address; waited for, unless it can be opened otherwise."""
        if action.shows is None:
            return None
        pattern = address_pattern(action.shows)
        deadline = asyncio.get_running_loop().time() + (0 if action.url else timeout_ms / 1000)
        while True:
            there = (tab for tab in reversed(self._tabs) if tab.is_open and pattern.match(tab.page.url))
            found = next(there, None)
            if found is not None or asyncio.get_running_loop().time() >= deadline:
                return found
            await asyncio.sleep(0.02)

    def _go_to(self, tab: Tab) -> None:
        if tab is not self._current:
            self._history.append(self._current)
        self._current = tab

    async def _open(self, action: SwitchTab, url: str, timeout_ms: float) -> None:
        """The tab has its name only once its page is there: a further try shall load it, not just show it."""
        at = self._current
        unused = action.session is None and (
            at.has_failed or (at.page.url == "about:blank" and at.name is None and at.is_open)
        )
        if not unused:
            with translated(f"tab {action.tab!r}"):
                page = await (await self._context(action.session)).new_page()
            self._go_to(next(tab for tab in self._tabs if tab.page is page))
        self._current.wanted = action.tab
        await load(url, self.page.goto(url, timeout=timeout_ms), timeout_ms)
        self._current.name = action.tab

    async def _context(self, session: str | None) -> BrowserContext:
        if session not in self._contexts:
            if self._open_session is None or session is None:
                raise TargetNotFound(f"session {session!r} cannot be opened here", performed=False)
            context = await self._open_session(session)
            context.on("page", self._opened)
            self._contexts[session] = context
        return self._contexts[session]
