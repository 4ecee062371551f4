"""What an element is like now, and what a click on it would set going."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.adapters.playwright_session import PlaywrightSession

pytestmark = pytest.mark.asyncio(loop_scope="session")

HOST = "https://app.test"
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "a link": ("<a href='/x?a=1#b'>x</a>", {"leads_to": f"{HOST}/x?a=1#b"}),
    "a link in a new window": ("<a href=/x target=_blank>x</a>", {"leads_to": f"{HOST}/x", "new_window": True}),
    "a link with a script": ("<a href=/x onclick='f()'>x</a>", {"leads_to": f"{HOST}/x", "scripted": True}),
    "a link to nowhere": ("<a href='#'>x</a>", {"leads_to": f"{HOST}/#", "scripted": True}),
    "a script as a link": ("<a href='javascript:f()'>x</a>", {"leads_to": "javascript:f()"}),
    "a file": ("<a href=/x download>x</a>", {"leads_to": f"{HOST}/x", "downloads": True}),
    "a field": ("<input value='  March  2026 '>", {"value": "March 2026"}),
    "a password": ("<input type=password value=secret>", {"secret": True}),
    "a box": ("<input type=checkbox checked>", {"checked": True}),
    "a made box": ("<div role=checkbox tabindex=0 aria-checked=false>x</div>", {"checked": False}),
    "a drop-down": (
        "<select><option>a<option selected>b</select>",
        {"value": "b", "options": ["a", "b"]},
    ),
    "an editor": ("<div contenteditable>some text</div>", {"value": "some text"}),
    "a menu's button": (
        "<button aria-haspopup=true aria-expanded=false>x</button>",
        {"opens": "menu", "expanded": False},
    ),
    "what controls something": ("<button aria-controls=y>x</button>", {"opens": "region"}),
    "a disclosure": ("<details open><summary>x</summary>y</details>", {"expanded": True}),
    "a tab": ("<div role=tab tabindex=0 aria-selected=true>x</div>", {"selected": True}),
    "a button that sends": (
        "<form method=post action=/go><button>x</button></form>",
        {"submits": True, "form": {"method": "post", "action": f"{HOST}/go", "search": False}},
    ),
    "a button with a way of its own": (
        "<form method=post action=/go><button formmethod=get formaction=https://evil.test/>x</button></form>",
        {"submits": True, "form": {"method": "get", "action": "https://evil.test/", "search": False}},
    ),
    "a button that sends nothing": (
        "<form method=post action=/go><button type=button>x</button></form>",
        {"form": {"method": "post", "action": f"{HOST}/go", "search": False}},
    ),
    "a field for searching": (
        "<form action=/find><input name=q placeholder='Search mail'></form>",
        {"value": "", "form": {"method": "get", "action": f"{HOST}/find", "search": True}},
    ),
    "a label beside its box": ("<label>x <input type=checkbox></label>", {"label_of": True}),
}


async def show(session: PlaywrightSession, body: str) -> None:
    page = session.context.pages[0]
    await page.route("**/*", lambda route: route.fulfill(body=f"<!doctype html>{body}", content_type="text/html"))
    await page.goto(HOST)


@pytest.mark.parametrize("case", CASES)
async def test_what_it_says(case: str, session: PlaywrightSession) -> None:
    body, expected = CASES[case]
    await show(session, body)
    found = await session.browser.candidates("click")

    [first, *_] = await found.states([0])

    assert first == {"origin": HOST, "in_sight": True, **expected}


async def test_what_is_further_down_is_not_in_sight(session: PlaywrightSession) -> None:
    await show(session, "<button>a</button><div style='height: 3000px'></div><button>b</button>")
    found = await session.browser.candidates("click")

    assert [each["in_sight"] for each in await found.states([0, 1])] == [True, False]


async def test_of_what_is_gone_nothing_is_said(session: PlaywrightSession) -> None:
    await show(session, "<button>a</button><button>b</button>")
    found = await session.browser.candidates("click")
    await session.context.pages[0].evaluate("document.querySelector('button').remove()")

    first, second = await found.states([0, 1])

    assert (first, second["in_sight"]) == ({}, True)


async def test_a_frame_has_an_origin_of_its_own(session: PlaywrightSession) -> None:
    await show(
        session, "<iframe srcdoc='<button>a</button>'></iframe><iframe sandbox srcdoc='<button>b</button>'></iframe>"
    )
    await session.context.pages[0].frames[-1].wait_for_selector("button")
    found = await session.browser.candidates("click")

    assert [each["origin"] for each in await found.states([0, 1])] == [HOST, "null"]
