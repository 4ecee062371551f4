"""The browser port through Playwright."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast
from weakref import WeakKeyDictionary

from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sopbench.adapters import playwright_looking, playwright_reading
from sopbench.adapters.playwright_acting import Hands
from sopbench.adapters.playwright_bounds import kept_to
from sopbench.adapters.playwright_candidates import fingerprint_of, look_for
from sopbench.adapters.playwright_dialogs import Dialogs
from sopbench.adapters.playwright_errors import load, translate, translated, unless_stuck
from sopbench.adapters.playwright_explaining import instead, not_actionable
from sopbench.adapters.playwright_facts import Traffic, facts_of
from sopbench.adapters.playwright_files import Downloads
from sopbench.adapters.playwright_filling import holds
from sopbench.adapters.playwright_locators import locate, require_one_place
from sopbench.adapters.playwright_pointing import scroll
from sopbench.adapters.playwright_tabs import OpenSession, Tabs
from sopbench.adapters.playwright_unfolding import opener
from sopbench.adapters.playwright_waiting import Waited, watched
from sopbench.errors import BrowserLost, NavigationFailed, StepError, TargetNotFound
from sopbench.ports.browser import Done
from sopbench.sop.actions import Entry
from sopbench.sop.unicode import well_formed
from sopbench.sop.verbs.fields import Press, Upload
from sopbench.sop.verbs.pages import Back, CloseTab, Navigate, Reload, Screenshot, SwitchTab, WaitFor
from sopbench.sop.verbs.pointer import Click, Scroll
from sopbench.sop.verbs.reading import Download, Extract

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractAsyncContextManager

    from playwright.async_api import BrowserContext, Page

    from sopbench.ports.browser import Candidates, PageFacts, Seen
    from sopbench.sop.actions import BrowserAction, ElementAction
    from sopbench.sop.fingerprint import Fingerprint
    from sopbench.sop.targets import PageExpectation, Target
    from sopbench.sop.verbs.base import ElementKind

_HERE = Path()
_CLOSES_WITHIN_MS = 500
_QUESTIONS = 3
"""How many that take all their time one action may ask."""


class PlaywrightBrowser:
    """One Playwright context and the sessions beside it; their tabs have names.

    ``artifacts`` is the run's folder, where files are kept; ``files`` is where relative paths of uploads begin.
    """

    def __init__(
        self,
        context: BrowserContext,
        page: Page,
        *,
        artifacts: Path | None = None,
        files: Path = _HERE,
        open_session: OpenSession | None = None,
    ) -> None:
        self._dialogs = Dialogs()
        self._downloads = Downloads(artifacts)
        self._hands = Hands(self._downloads, files)
        self._traffic: WeakKeyDictionary[Page, Traffic] = WeakKeyDictionary()
        self._tabs = Tabs(context, page, open_session, self._listen)

    async def perform(self, action: BrowserAction, *, timeout_s: float) -> Done:
        timeout_ms = timeout_s * 1000
        waited = Waited()
        page = self._page
        before = self._tabs.pages()
        dialog = action.dialog if isinstance(action, Click | Press | Download) else None
        async with self._dialogs.answered(dialog) as said:
            done = await self._in_time(action, timeout_ms, waited)
        if isinstance(action, Click) and action.opens is not None:
            await self._tabs.take_opened(action.opens, before, timeout_ms)
        elif page.is_closed() and not isinstance(action, CloseTab):
            said.append("the page closed its window")
        if not said and not waited.seconds:
            return done
        remark = "; ".join([done.remark, *said] if done.remark else said)
        return Done(done.value, remark, waited.seconds, done.artifact)

    async def look(self, expectation: PageExpectation, *, timeout_s: float) -> Seen:
        page = self._page
        try:
            async with unless_stuck(str(expectation), timeout_s):
                return await playwright_looking.look(
                    page, expectation, timeout_s=timeout_s, downloads=self._downloads.kept
                )
        except BrowserLost:
            if self._page is page:
                raise
            return await self.look(expectation, timeout_s=timeout_s)  # its window closed itself

    async def settle(self) -> bool:
        async with unless_stuck("the page"):
            return await self._tabs.current.requests.were_refused()

    async def holds_value(self, target: Target, value: str) -> bool:
        async with unless_stuck(str(target)):
            field = locate(self._page, target)
            return await field.count() == 1 and (await holds(field, value))[0]

    async def matches(self, target: Target) -> list[str]:
        async with unless_stuck(str(target)):
            return [well_formed(text) for text in await locate(self._page, target).all_inner_texts()]

    async def fingerprint(self, target: Target, kind: ElementKind) -> Fingerprint | None:
        async with unless_stuck(str(target)):
            return await fingerprint_of(self._page, target, kind)

    async def opener(self, target: Target) -> Target | None:
        async with unless_stuck(str(target)):
            return await opener(self._page, target)

    async def candidates(
        self, kind: ElementKind, like: Fingerprint | None = None, within: Target | None = None
    ) -> Candidates:
        async with unless_stuck("the page"):
            return await look_for(self._page, kind, like, within)

    async def visible_text(self) -> str:
        async with unless_stuck("the page"):
            return str(well_formed(await self._page.locator("body").inner_text()))

    async def where(self) -> str:
        async with unless_stuck("the page"):
            return self._page.url

    async def title(self) -> str:
        async with unless_stuck("the page"):
            return str(well_formed(await self._page.title()))

    async def facts(self) -> PageFacts:
        async with unless_stuck("the page"):
            return await facts_of(self._page, self._traffic.get(self._page))

    def kept_to(self, origins: Sequence[str], *, downloads: bool) -> AbstractAsyncContextManager[Sequence[str]]:
        return kept_to(self._tabs.contexts, origins, downloads=downloads)

    async def renew(self) -> None:
        await self._tabs.renew()

    async def screenshot(self, path: Path) -> None:
        async with unless_stuck("the page"):
            _write(path, await self._tabs.current.picture())

    @property
    def _page(self) -> Page:
        return self._tabs.page

    def _listen(self, page: Page) -> None:
        self._dialogs.listen(page)
        self._downloads.listen(page)
        self._traffic[page] = Traffic(page)

    async def _in_time(self, action: BrowserAction, timeout_ms: float, waited: Waited) -> Done:
        """Most verbs ask the page several things, each with a time of its own; a list takes as long as it is."""
        if isinstance(action, Extract | Download):
            return await self._do(action, timeout_ms, waited)
        async with unless_stuck(str(action), _QUESTIONS * timeout_ms / 1000):
            return await self._do(action, timeout_ms, waited)

    async def _do(  # noqa: C901 - one case per verb
        self, action: BrowserAction, timeout_ms: float, waited: Waited
    ) -> Done:
        page = self._page
        match action:
            case Navigate(url=url):
                await load(url, page.goto(url, timeout=timeout_ms), timeout_ms)
            case Reload():
                await load(page.url, page.reload(timeout=timeout_ms), timeout_ms)
            case Back():
                await self._back(timeout_ms)
            case SwitchTab():
                await self._tabs.switch(action, timeout_ms)
            case CloseTab(tab=tab):
                await self._tabs.close(tab)
            case Screenshot():
                return await self._keep_picture(action)
            case WaitFor():
                await self._until_idle(timeout_ms)
            case Scroll():
                with translated(str(action.target or "the page")):
                    await scroll(page, action, timeout_ms)
            case Extract():
                return await self._extract(action, timeout_ms, waited)
            case Press() if action.target is None:
                with translated("the keyboard"):
                    for _ in range(int(action.times)):
                        await page.keyboard.press(action.key)
            case _:
                return await self._on_element(action, cast("Target", action.target), timeout_ms, waited)
        return Done()

    async def _on_element(
        self, action: ElementAction | Press, target: Target, timeout_ms: float, waited: Waited
    ) -> Done:
        page = self._page
        locator = locate(page, target, only_seen=not isinstance(action, Upload))
        requests = self._tabs.current.requests
        await requests.settle(page, waited, whole_pages=not isinstance(action, Click))
        requests.before_action(entry=isinstance(action, Entry))
        try:
            await require_one_place(page, target)
            async with watched(locator, str(target), waited):
                return await self._hands.act(page, action, locator, requests, timeout_ms)
        except PlaywrightTimeout as error:
            raise await not_actionable(action, target, locator, waited.last, error) from error
        except Error as error:
            failed = translate(error, str(target))
            if (
                isinstance(failed, BrowserLost)
                and isinstance(action, Click | Press)
                and await self._closed_itself(page)
            ):
                return Done()
            raise failed from error

    async def _closed_itself(self, page: Page) -> bool:
        """Whether the page closed its window, and gave way to the tab before it: the driver then lost sight of it."""
        if not page.is_closed():
            with suppress(Error):
                await page.wait_for_event("close", timeout=_CLOSES_WITHIN_MS)
        return page.is_closed() and self._page is not page

    async def _extract(self, action: Extract, timeout_ms: float, waited: Waited) -> Done:
        page, requests = self._page, self._tabs.current.requests
        if action.more is not None:
            requests.after_entry = False  # what is posted from now on brings the rest of the list
            await requests.settle(page, waited)
        what = cast("Target", action.each or action.table or action.definitions or action.target)
        try:
            return Done(value=well_formed(await playwright_reading.read(page, action, requests, timeout_ms=timeout_ms)))
        except PlaywrightTimeout as error:
            message = f"no element fits {what}{await instead(page, what)}"
            raise TargetNotFound(message, performed=False, target=str(what), count=0) from error
        except Error as error:
            raise translate(error, str(what)) from error

    async def _back(self, timeout_ms: float) -> None:
        address = self._page.url
        response = await load("the page before", self._page.go_back(timeout=timeout_ms), timeout_ms)
        if response is None and self._page.url == address:
            raise NavigationFailed(f"there is no page before {address}", performed=False)

    async def _until_idle(self, timeout_ms: float) -> None:
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                await self._tabs.current.requests.idle()
        except TimeoutError as error:
            raise StepError(f"the network was not idle within {timeout_ms / 1000:g} s", performed=True) from error

    async def _keep_picture(self, action: Screenshot) -> Done:
        path = self._downloads.path_for(f"{action.name}.png")
        with translated("the page"):
            await self._page.screenshot(path=path, full_page=action.full_page)
        return Done(artifact=self._downloads.artifact(path.name, path))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
