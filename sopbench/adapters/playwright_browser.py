"""The browser port through Playwright."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sopbench.adapters import playwright_looking, playwright_reading
from sopbench.adapters.playwright_locators import locate
from sopbench.errors import BrowserLost, NavigationFailed, NetworkFailed, StepError, TargetNotFound
from sopbench.events.unicode import well_formed
from sopbench.sop.actions import (
    BrowserAction,
    Click,
    Fill,
    Hover,
    Navigate,
    Press,
    Reload,
    Select,
    SetChecked,
    SwitchTab,
    Type,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator
    from pathlib import Path

    from playwright.async_api import BrowserContext, Locator, Page, Response

    from sopbench.ports.browser import Seen
    from sopbench.sop.actions import Extract
    from sopbench.sop.targets import PageExpectation, Target

OnElement = Click | Hover | Fill | Type | Press | SetChecked | Select

_LOST = ("Target closed", "has been closed", "Target crashed", "Page crashed", "Connection closed", "Browser closed")
_ABOUT_TO_ACT = ("performing", "done scrolling")
_FOUND = "resolved to"
_TRYING_AGAIN = "retrying"


class PlaywrightBrowser:
    """One Playwright context; its tabs have names."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self._context = context
        self._page = page
        self._tabs: dict[str, Page] = {}
        self._failed_tab: Page | None = None
        """Opened for a tab whose page did not load; the next try takes it."""

    async def perform(self, action: BrowserAction, *, timeout_s: float) -> None:
        timeout_ms = timeout_s * 1000
        match action:
            case Navigate(url=url):
                await _load(url, self._page.goto(url, timeout=timeout_ms), timeout_ms)
            case SwitchTab():
                await self._switch_tab(action, timeout_ms)
            case Reload():
                await _load(self._page.url, self._page.reload(timeout=timeout_ms), timeout_ms)
            case Press() if action.target is None:
                with translated("the keyboard"):
                    await self._page.keyboard.press(action.key)
            case Press():
                await self._on_element(action, cast("Target", action.target), timeout_ms)
            case _:
                await self._on_element(action, action.target, timeout_ms)

    async def look(self, expectation: PageExpectation, *, timeout_s: float) -> Seen:
        with translated(str(expectation)):
            return await playwright_looking.look(self._page, expectation, timeout_s=timeout_s)

    async def extract(self, action: Extract, *, timeout_s: float) -> Any:
        with translated(str(action.each or action.target)):
            return well_formed(await playwright_reading.read(self._page, action, timeout_ms=timeout_s * 1000))

    async def matches(self, target: Target) -> list[str]:
        with translated(str(target)):
            return [well_formed(text) for text in await locate(self._page, target).all_inner_texts()]

    async def visible_text(self) -> str:
        with translated("the page"):
            return str(well_formed(await self._page.locator("body").inner_text()))

    async def screenshot(self, path: Path) -> None:
        with translated("the page"):
            await self._page.screenshot(path=path, type="jpeg", quality=50)

    async def _on_element(self, action: OnElement, target: Target, timeout_ms: float) -> None:
        locator = locate(self._page, target).filter(visible=True)
        try:
            await _act(action, locator, timeout_ms)
        except PlaywrightTimeout as error:
            raise await _not_actionable(action, target, locator, error) from error
        except Error as error:
            raise _translate(error, str(target)) from error

    async def _switch_tab(self, action: SwitchTab, timeout_ms: float) -> None:
        page = self._tabs.get(action.tab)
        if page is None or page.is_closed():
            if action.url is None:
                raise TargetNotFound(
                    f"no tab {action.tab!r} is open, and no url says where to open it", performed=False
                )
            await self._open_tab(action.tab, action.url, timeout_ms)
            return
        self._page = page
        with translated(f"tab {action.tab!r}"):
            await page.bring_to_front()

    async def _open_tab(self, tab: str, url: str, timeout_ms: float) -> None:
        """The tab has its name only once its page is there: a further try shall load it, not just show it."""
        at = self._page
        unused = at is self._failed_tab or (at.url == "about:blank" and at not in self._tabs.values())
        with translated(f"tab {tab!r}"):
            self._page = at if unused else await self._context.new_page()
        self._failed_tab = self._page
        await _load(url, self._page.goto(url, timeout=timeout_ms), timeout_ms)
        self._tabs[tab], self._failed_tab = self._page, None


async def _act(action: OnElement, locator: Locator, timeout_ms: float) -> None:
    match action:
        case Click(double=False):
            await locator.click(timeout=timeout_ms)
        case Click():
            await locator.dblclick(timeout=timeout_ms)
        case Hover():
            await locator.hover(timeout=timeout_ms)
        case Fill(value=value):
            await locator.fill(value, timeout=timeout_ms)
        case Type(text=text):
            await locator.press_sequentially(text, timeout=timeout_ms)
        case Press(key=key):
            await locator.press(key, timeout=timeout_ms)
        case SetChecked(checked=checked):
            await locator.set_checked(bool(checked), timeout=timeout_ms)
        case Select(option=option):
            await locator.select_option(label=option, timeout=timeout_ms)


async def _not_actionable(
    action: OnElement, target: Target, locator: Locator, error: PlaywrightTimeout
) -> TargetNotFound:
    performed = None if _may_have_acted(action, error.message) else False
    try:
        count = await locator.count()
    except Error:
        count = 0
    if count == 0:
        return TargetNotFound(f"no element fits {target}", performed=performed)
    log = [line.strip(" -") for line in error.message.splitlines() if line.strip().startswith("-")]
    reason = next((line for line in reversed(log) if "not " in line or "intercepts" in line), "it was not ready")
    return TargetNotFound(f"{target} is there but cannot take the action: {reason}", performed=performed)


def _may_have_acted(action: OnElement, log: str) -> bool:
    """Read from Playwright's own log of what it did until its time was over.

    A pointer that met something else on its way was stopped, and is tried again. Keys are not.
    """
    if isinstance(action, Type | Press):
        return _FOUND in log
    last_try = log.rpartition(_TRYING_AGAIN)[2]
    return "intercepts" not in last_try and any(sign in last_try for sign in _ABOUT_TO_ACT)


async def _load(url: str, loading: Awaitable[Response | None], timeout_ms: float) -> None:
    try:
        response = await loading
    except PlaywrightTimeout as error:
        raise NetworkFailed(f"{url} did not load within {timeout_ms / 1000:g} s", performed=None) from error
    except Error as error:
        if "net::" in error.message:
            reason = error.message.split("net::", 1)[1].split()[0]
            raise NetworkFailed(f"{url} cannot be reached: {reason}", performed=False) from error
        raise _translate(error, url) from error
    if response is not None and response.status >= 400:
        kind = NetworkFailed if response.status >= 500 else NavigationFailed
        raise kind(f"{url} answered {response.status} {response.status_text}".rstrip(), performed=True)


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Turn the driver's errors into ours; ``what`` is it was about. Raises: StepError."""
    try:
        yield
    except Error as error:
        raise _translate(error, what) from error


def _translate(error: Error, what: str) -> StepError:
    message = error.message
    if any(sign in message for sign in _LOST):
        return BrowserLost(f"the browser or its page is gone: {message.splitlines()[0]}", performed=None)
    if "strict mode violation" in message:
        count = message.split("resolved to ", 1)[-1].split()[0]
        return TargetNotFound(f"{count} elements fit {what}; say which one is meant", performed=False)
    if isinstance(error, PlaywrightTimeout):
        return TargetNotFound(f"no element fits {what}", performed=False)
    return StepError(f"{what}: {message.splitlines()[0]}", performed=None)
