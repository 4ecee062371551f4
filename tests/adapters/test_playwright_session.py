"""A session is closed whatever happens, also when a run is stopped just then."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import playwright.async_api as driver
import pytest

from sopbench.adapters.browser_finder import find_browser, launch_arguments
from sopbench.adapters.playwright_session import KeptTraces, launched, opened
from sopbench.errors import BrowserLost
from sopbench.events.masking import Masker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("moment", ["start", "stop"])
async def test_a_session_that_is_stopped_while_it_opens_or_closes_is_closed(
    moment: str, chromium: driver.Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, may_go_on = asyncio.Event(), asyncio.Event()

    async def slowly(*_: object, **__: object) -> None:
        reached.set()
        await may_go_on.wait()

    async def use() -> None:
        async with opened(chromium, None, masker=Masker(), tracing="off"):
            pass

    monkeypatch.setattr(KeptTraces, moment, slowly)
    before = len(chromium.contexts)
    using = asyncio.create_task(use())
    await reached.wait()
    while_open = len(chromium.contexts)

    using.cancel()
    await asyncio.sleep(0)
    monkeypatch.undo()
    may_go_on.set()

    with pytest.raises(asyncio.CancelledError):
        await using
    assert (while_open, len(chromium.contexts)) == (before + 1, before)


def another() -> AbstractAsyncContextManager[driver.Browser]:
    executable = find_browser(None, headed=False).executable
    return launched(executable=executable, arguments=launch_arguments())


async def test_a_tab_that_crashed_gives_way_to_an_empty_one(chromium: driver.Browser) -> None:
    async with opened(chromium, None, masker=Masker(), tracing="off") as session:
        page = session.context.pages[0]
        devtools = await session.context.new_cdp_session(page)
        async with page.expect_event("crash"):
            crashing = asyncio.ensure_future(devtools.send("Page.crash"))
        crashing.cancel()
        with pytest.raises(BrowserLost):
            await session.browser.visible_text()

        await session.browser.renew()

        assert await session.browser.visible_text() == ""
        assert [each is page for each in session.context.pages] == [False]


async def test_a_browser_that_was_killed_is_started_again_and_closed_in_the_end() -> None:
    async with another() as first:
        started = []

        @asynccontextmanager
        async def noted() -> AsyncIterator[driver.Browser]:
            async with another() as second:
                started.append(second)
                yield second

        async with opened(first, None, masker=Masker(), tracing="off", launch_again=noted) as session:
            await first.close()
            with pytest.raises(BrowserLost):
                await session.browser.visible_text()

            await session.browser.renew()

            assert await session.browser.visible_text() == ""
            assert len(started) == 1
        assert not started[0].is_connected()


async def test_without_another_browser_a_session_that_is_gone_stays_gone() -> None:
    async with another() as only, opened(only, None, masker=Masker(), tracing="off") as session:
        await only.close()

        with pytest.raises(BrowserLost):
            await session.browser.renew()


async def test_a_renewed_session_is_still_signed_in(chromium: driver.Browser) -> None:
    async with opened(chromium, None, masker=Masker(), tracing="off") as session:
        await session.context.add_cookies([{"name": "session", "value": "s", "url": "https://app.test"}])

        await session.browser.renew()

        assert [each["name"] for each in await session.context.cookies()] == ["session"]
