"""A browser without a browser: pages of elements, and whatever can go wrong with them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sopbench.errors import BrowserLost, NavigationFailed, NetworkFailed, StepError, TargetNotFound
from sopbench.ports.browser import Done, PageFacts
from sopbench.sop import meaning
from sopbench.sop.actions import BrowserAction
from sopbench.sop.approval_rules import origin_of
from sopbench.sop.fingerprint import Fingerprint
from sopbench.sop.targets import Target
from sopbench.sop.verbs.fields import Clear, Copy, Fill, Press, Select, SetChecked, Type
from sopbench.sop.verbs.pages import Back, CloseTab, Navigate, Reload, Screenshot, SwitchTab, WaitFor
from sopbench.sop.verbs.pointer import Click, Hover, Scroll
from sopbench.sop.verbs.reading import Extract
from sopbench.testing import looking
from sopbench.testing.candidates import candidates, facts
from sopbench.testing.clock import FakeClock
from sopbench.testing.page import Element, Page, find, is_visible

if TYPE_CHECKING:
    from sopbench.ports.browser import Candidates, Seen
    from sopbench.ports.clock import Clock
    from sopbench.sop.targets import PageExpectation
    from sopbench.sop.verbs.base import ElementKind

BLANK = "about:blank"
PAGE = "https://page.test/"
POLL_S = 0.1


@dataclass
class _Failure:
    error: StepError
    do: str | None
    after_doing: bool


class FakeBrowser:
    """Shows pages from a model, notes what is done to them, and fails where it was told to.

        saved = Element(role="status", text="Saved", visible=False)
        browser = FakeBrowser([Element(role="button", name="Save", on_click=saved.show), saved])

    Given a list of elements, that page is open already; given addresses with their pages, one has to navigate first.
    Waiting for something takes virtual time: with ``clock.after(2, saved.show)`` a page changes by itself.
    """

    def __init__(
        self, pages: Mapping[str, Page | list[Element]] | Sequence[Element] = (), *, clock: Clock | None = None
    ) -> None:
        opened = isinstance(pages, Mapping)
        given = pages if isinstance(pages, Mapping) else {PAGE: list(pages)}
        self.pages = {url: page if isinstance(page, Page) else Page(page) for url, page in given.items()}
        """Address → page. May be changed while a run goes on."""
        self.address = BLANK if opened else PAGE
        self.clock: Clock = clock or FakeClock()
        self.performed: list[BrowserAction] = []
        """What was done, in order, variables filled in; not what failed."""
        self.answers: Callable[[], bool] | None = None
        """What happens when what its pages sent is answered; False refuses it."""
        self.pictures: list[Path] = []
        self.hanging = asyncio.Event()
        """Set as soon as it hangs: a test can wait for that, and then cancel the run."""
        self._tabs: dict[str, str] = {}
        self._tab = ""
        self._failures: list[_Failure] = []
        self._hangs_on: str | None = None
        self._is_lost = self._for_good = False
        self._start = self.address
        self._origins: tuple[str, ...] | None = None
        self._refused: list[str] = []

    def fail_next(self, error: StepError, *, do: str | None = None, times: int = 1, after_doing: bool = False) -> None:
        """Let the next actions (of the verb ``do``) fail: instead of being done, or ``after_doing`` what they do."""
        self._failures += [_Failure(error, do, after_doing)] * times

    def hang_on(self, do: str | None) -> None:
        """Never come back from this verb (``click``, ``extract``, ``look`` …); None: from none."""
        self._hangs_on = do

    def lose(self, *, for_good: bool = False) -> None:
        """Be gone: whatever is asked from now on raises BrowserLost. Unless ``for_good``, a new one can be had."""
        self._is_lost, self._for_good = True, for_good

    def go(self, url: str) -> None:
        """Show another address, as a link or a redirect does."""
        if self._origins is not None and url != BLANK and origin_of(url) not in self._origins:
            self._refused.append(url)
            return
        self.address = url
        if self._tab:
            self._tabs[self._tab] = url

    async def perform(self, action: BrowserAction, *, timeout_s: float) -> Done:
        await self._ready(action.do)
        failure = self._failure(action.do)
        if failure is not None and not failure.after_doing:
            raise failure.error
        value = await self._do(action, timeout_s)
        self.performed.append(action)
        if failure is not None:
            raise failure.error
        return Done(value)

    async def _do(self, action: BrowserAction, timeout_s: float) -> Any:
        match action:
            case Navigate(url=url):
                self._open(url)
            case SwitchTab():
                self._switch_tab(action)
            case Reload():
                self._open(self.address)
            case Extract():
                return await self._extract(action, timeout_s)
            case Press(target=None) | WaitFor() | Screenshot() | Scroll(target=None):
                pass
            case Back() | CloseTab():
                raise StepError(f"a FakeBrowser cannot {action}", performed=False)
            case _:
                target = action.target
                assert target is not None  # noqa: S101 - that is the case above
                return _act(action, await self._actionable(target, timeout_s))
        return None

    async def look(self, expectation: PageExpectation, *, timeout_s: float) -> Seen:
        await self._ready("look")
        await self._until(lambda: looking.look(expectation, self.address, self._root()).holds, timeout_s)
        return looking.look(expectation, self.address, self._root())

    async def _extract(self, action: Extract, timeout_s: float) -> Any:
        if action.table is not None or action.definitions is not None or action.more is not None:
            raise StepError("a FakeBrowser reads no tables, definitions and longer lists", performed=False)
        wanted = action.target
        if wanted is not None and not action.all and not action.optional:
            await self._until(lambda: bool(find(wanted, self._root())), timeout_s)
        return looking.read(action, self._root())

    async def settle(self) -> bool:
        await self._ready("settle")
        return self.answers is not None and not self.answers()

    async def holds_value(self, target: Target, value: str) -> bool:
        await self._ready("holds_value")
        found = find(target, self._root())
        return len(found) == 1 and found[0].value is not None and meaning.same(value, found[0].value)

    async def matches(self, target: Target) -> list[str]:
        await self._ready("matches")
        return [each.all_text() for each in find(target, self._root())]

    async def fingerprint(self, target: Target, kind: ElementKind) -> Fingerprint | None:
        await self._ready("fingerprint")
        root = self._root()
        found = [each for each in find(target, root) if is_visible(each, root)]
        return Fingerprint.model_validate(facts(found[0], root)) if len(found) == 1 else None

    async def opener(self, target: Target) -> Target | None:
        """What has the id of something around the hidden element in its ``aria-controls``."""
        await self._ready("opener")
        root = self._root()
        hidden = [each for each in find(target, root) if not is_visible(each, root)]
        ids = {around.attributes.get("id") for each in hidden for around in root.below() if each in around.below()}
        openers = [each for each in root.below() if each.attributes.get("aria-controls") in ids - {None}]
        return (
            Target(role=openers[0].role, name=openers[0].name, exact=True) if len(hidden) == len(openers) == 1 else None
        )

    async def candidates(
        self, kind: ElementKind, like: Fingerprint | None = None, within: Target | None = None
    ) -> Candidates:
        await self._ready("candidates")
        return candidates(kind, self._root(), self.address, within)

    async def visible_text(self) -> str:
        await self._ready("visible_text")
        return self._root().all_text()

    async def where(self) -> str:
        await self._ready("where")
        return self.address

    async def title(self) -> str:
        await self._ready("title")
        return self.pages.get(self.address, Page()).title

    async def facts(self) -> PageFacts:
        """Its headings and dialogs by their roles; nothing that it had trouble loading."""
        await self._ready("facts")
        page, root = self.pages.get(self.address, Page()), self._root()
        seen = [each for each in root.below() if is_visible(each, root)]
        return PageFacts(
            url=self.address,
            title=page.title,
            headings=tuple(each.name or each.text for each in seen if each.role == "heading"),
            notices=tuple(each.all_text() for each in seen if each.role in ("dialog", "alertdialog", "alert")),
            columns=tuple(each.name or each.text for each in seen if each.role == "columnheader"),
            fields=tuple(each.label or each.name for each in seen if each.value is not None),
            text=root.all_text()[:600],
        )

    @asynccontextmanager
    async def kept_to(self, origins: Sequence[str], *, downloads: bool) -> AsyncIterator[Sequence[str]]:
        """Pages elsewhere are not gone to."""
        await self._ready("kept_to")
        before, self._origins, self._refused = (self._origins, self._refused), tuple(origins), []
        try:
            yield self._refused
        finally:
            self._origins, self._refused = before

    async def renew(self) -> None:
        """Begin as at the start. A browser that was lost is back, unless it was lost ``for_good``."""
        if self._is_lost and self._for_good:
            raise BrowserLost("the browser is gone, and cannot be started again", performed=None)
        self._is_lost = False
        self._tabs.clear()
        self._tab, self.address = "", self._start

    async def screenshot(self, path: Path) -> None:
        await self._ready("screenshot")
        self.pictures.append(path)

    async def _ready(self, do: str) -> None:
        await asyncio.sleep(0)
        if self._is_lost:
            raise BrowserLost("the browser or its page is gone: it was lost on purpose", performed=None)
        if self._hangs_on == do:
            self.hanging.set()
            await asyncio.Event().wait()

    def _failure(self, do: str) -> _Failure | None:
        for failure in self._failures:
            if failure.do in (None, do):
                self._failures.remove(failure)
                return failure
        return None

    def _root(self) -> Element:
        return self.pages.get(self.address, Page()).root

    def _open(self, url: str) -> None:
        page = self.pages.get(url, Page() if url == BLANK else None)
        if page is None:
            raise NetworkFailed(f"{url} cannot be reached: it is none of the fake pages", performed=False)
        self.go(url)
        if page.status >= 400:
            kind = NetworkFailed if page.status >= 500 else NavigationFailed
            raise kind(f"{url} answered {page.status}", performed=True)

    def _switch_tab(self, action: SwitchTab) -> None:
        known = self._tabs.get(action.tab)
        if known is None and action.url is None:
            raise TargetNotFound(f"no tab {action.tab!r} is open, and no url says where to open it", performed=False)
        if known is not None:
            self._tab, self.address = action.tab, known
            return
        before, self._tab = self._tab, ""
        try:
            self._open(str(action.url))
        except StepError:
            self._tab = before
            raise
        self._tab = action.tab
        self._tabs[action.tab] = self.address

    async def _actionable(self, target: Target, timeout_s: float) -> Element:
        def seen() -> list[Element]:
            root = self._root()
            return [each for each in find(target, root) if is_visible(each, root)]

        await self._until(lambda: len(seen()) > 1 or any(not _obstacle(each) for each in seen()), timeout_s)
        found = seen()
        if not found:
            raise TargetNotFound(f"no element fits {target}", performed=False, target=str(target), count=0)
        if len(found) > 1:
            message = f"{len(found)} elements fit {target}; say which one is meant"
            raise TargetNotFound(message, performed=False, target=str(target), count=len(found))
        if reason := _obstacle(found[0]):
            message = f"{target} is there but cannot take the action: {reason}"
            raise TargetNotFound(message, performed=False)
        return found[0]

    async def _until(self, holds: Callable[[], bool], timeout_s: float) -> None:
        deadline = self.clock.monotonic() + timeout_s
        while not holds() and self.clock.monotonic() < deadline:
            await self.clock.sleep(POLL_S)


def _obstacle(element: Element) -> str:
    if not element.enabled:
        return "element is not enabled"
    return f"{element.covered_by} intercepts pointer events" if element.covered_by else ""


def _act(action: BrowserAction, element: Element) -> str | None:  # noqa: C901 - one case per verb
    """What it copied, if that is what it does."""
    match action:
        case Click():
            _tell(element.on_click)
        case Fill(value=value):
            _set_value(element, value, action)
        case Clear():
            _set_value(element, "", action)
        case Copy():
            return element.value or element.all_text()
        case Type(text=text):
            _set_value(element, (element.value or "") + text, action)
        case Select():
            _set_value(element, _option(action, element), action)
        case SetChecked(checked=checked):
            if element.checked is not bool(checked):
                element.checked = bool(checked)
                _tell(element.on_change)
        case Press(key=key):
            if element.on_key is not None:
                element.on_key(key)
        case Hover() | Scroll():
            pass
        case _:
            raise StepError(f"a FakeBrowser cannot {action.do}", performed=False)
    return None


def _option(action: Select, element: Element) -> str:
    wanted = element.options[int(action.index)] if action.index is not None else action.option or action.value
    if wanted not in element.options:
        there = ", ".join(map(repr, element.options)) or "none"
        raise TargetNotFound(f"{action.target} has no option {wanted!r}; it has {there}", performed=False)
    return str(wanted)


def _set_value(element: Element, value: str, action: BrowserAction) -> None:
    if element.value is None:
        raise StepError(f"{action}: the element is no form field", performed=False)
    element.value = value
    _tell(element.on_change)


def _tell(happens: Callable[[], object] | None) -> None:
    if happens is not None:
        happens()
