"""What the browser tells of a page when something failed on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from sopbench.adapters.playwright_session import PlaywrightSession

from .acting import Acting
from .plain_server import PlainServer, answer, serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = """<title>Orders</title><h1>Orders</h1><h2 hidden>Never seen</h2>
<button aria-label="Account: Dana (dana@northwind.example)">D</button><button>Mail to dana@northwind.example</button>
<dialog open>Your session will end soon</dialog><p role=alert style="display:none">Old alert</p>
<table><tr><th>Name</th><th>Last Contact</th></tr></table>
<label>Search <input></label><input type=password aria-label="Secret"><p>Twelve orders</p>"""


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[PlainServer]:
    async with serving() as plain:
        yield plain


async def test_the_page_is_told_by_what_can_be_seen_of_it(acting: Acting) -> None:
    await acting.show(PAGE)

    facts = await acting.session.browser.facts()

    assert (facts.title, facts.headings, facts.notices) == ("Orders", ("Orders",), ("Your session will end soon",))
    assert (facts.columns, facts.fields) == (("Name", "Last Contact"), ("Search", "Secret"))
    assert facts.accounts == ("Account: Dana (dana@northwind.example)",)
    assert facts.asks_password
    assert "Twelve orders" in facts.text
    assert "Never seen" not in facts.text


async def test_a_plain_page_has_nothing_to_tell_of(acting: Acting) -> None:
    await acting.show("<p>Hello")

    facts = await acting.session.browser.facts()

    assert not facts.asks_password
    assert (facts.notices, facts.accounts, facts.troubles, facts.complaints) == ((), (), (), ())


async def test_what_the_page_asked_for_in_vain_is_told_and_what_came_is_not(
    session: PlaywrightSession, server: PlainServer
) -> None:
    said = {b"/busy": "503 Service Unavailable", b"/gone": "404 Not Found", b"/fine": "200 OK", b"/page": "200 OK"}

    def says(asked: bytes) -> list[bytes | asyncio.Event | None]:
        path = asked.split(b" ")[1].partition(b"?")[0]
        return [answer(b"<p>page", said[path], "text/html") if path in said else None]

    server.says = says
    page = session.context.pages[0]
    await page.goto(f"{server.url}/page")
    for path in ("busy", "gone", "fine", "cut"):
        async with page.expect_event("requestfailed" if path == "cut" else "requestfinished"):
            await page.evaluate("url => fetch(url).then(r => r.text(), () => 0)", f"{server.url}/{path}?token=1")

    facts = await session.browser.facts()

    told = {(each.url.removeprefix(server.url), each.outcome, each.status) for each in facts.troubles}
    assert told == {
        ("/busy", "answered 503", 503),
        ("/gone", "answered 404", 404),
        ("/cut", "ERR_EMPTY_RESPONSE", None),
    }


async def test_an_answer_that_takes_long_is_told_while_it_is_awaited(
    session: PlaywrightSession, server: PlainServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    never, asked = asyncio.Event(), asyncio.Event()

    def says(head: bytes) -> list[bytes | asyncio.Event | None]:
        if b"/slow" not in head:
            return [answer(b"<p>page", kind="text/html")]
        asked.set()
        return [never]

    server.says = says
    monkeypatch.setattr("sopbench.adapters.playwright_facts._SLOW_S", 0.0)
    page = session.context.pages[0]
    await page.goto(f"{server.url}/page")
    await page.evaluate("url => { fetch(url) }", f"{server.url}/slow")
    await asked.wait()

    facts = await session.browser.facts()

    assert ("no answer yet", None) in {(each.outcome, each.status) for each in facts.troubles}


async def test_what_scripts_did_not_expect_is_told(session: PlaywrightSession) -> None:
    page = session.context.pages[0]
    await page.set_content("<p>Hello")
    async with page.expect_event("pageerror"):
        await page.evaluate("() => { setTimeout(() => JSON.parse('[1, 2')) }")

    facts = await session.browser.facts()

    assert len(facts.complaints) == 1
    assert "JSON" in facts.complaints[0]
