"""Explorations to test with: a small site where bills are behind a menu, beside what leads elsewhere and does harm."""

from __future__ import annotations

from typing import Any

from sopbench.engine.context import Autonomy
from sopbench.events.types import (
    ExplorationFinished,
)
from sopbench.sop.document import Sop
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.model import FakeModel
from sopbench.testing.page import Element, Page
from sopbench.testing.running import Ran, run_sop

from .procedures import Json, node, procedure

HOME, BILLS, OTHER = "https://app.test/", "https://app.test/bills", "https://evil.test/"
FOUND = {"visible": {"role": "heading", "name": "Bills"}}


def link(name: str, browser: FakeBrowser, to: str) -> Element:
    return Element(role="link", name=name, attributes={"href": to}, on_click=lambda: browser.go(to))


def heading(name: str) -> Element:
    return Element(role="heading", name=name, text=name)


def site() -> FakeBrowser:
    """A home page with a closed menu in which the bills are, beside what leads elsewhere and what does harm."""
    browser = FakeBrowser({HOME: [], BILLS: [heading("Bills")], OTHER: [heading("Bills")]})
    entry = link("Bills", browser, BILLS)
    entry.hide()
    menu = Element(role="button", name="Account", attributes={"aria-haspopup": "menu"}, on_click=entry.show)
    elements = [
        menu,
        entry,
        Element(role="button", name="Delete everything", on_click=browser.pages.clear),
        link("Free bills", browser, OTHER),
        Element(role="textbox", name="Search", value=""),
        Element(role="textbox", name="Password", value="", attributes={"type": "password"}),
    ]
    browser.pages[HOME] = Page(elements, title="Home")
    browser.go(HOME)
    return browser


def exploring(**more: Any) -> Sop:
    return procedure([node("find", "explore", **{"goal": "open the bills", "done_when": FOUND, **more})])


def does(do: str, element: int | str = "none", value: str = "", why: str = "because") -> Json:
    return {"element": str(element), "do": do, "value": value, "why": why}


class Lawless(FakeModel):
    """Answers what it likes, whatever the schema says."""

    def __init__(self, answers: Any) -> None:
        super().__init__()
        self._given = answers

    async def ask(self, request: Any) -> Any:
        request = request.__class__(**{**request.__dict__, "schema": {}})
        self._answer = lambda _: next(self._given)
        return await super().ask(request)


async def explore(browser: FakeBrowser, *answers: Any, sop: Sop | None = None, **more: Any) -> Ran:
    model = more.pop("model", None) or FakeModel({"explore": answers})
    return await run_sop(sop or exploring(), browser, model=model, autonomy=Autonomy.FULL, **more)


def the_end(ran: Ran) -> ExplorationFinished:
    [finished] = ran.of(ExplorationFinished)
    return finished
