"""A session is closed whatever happens, also when a run is stopped just then."""

from __future__ import annotations

import asyncio

import playwright.async_api as driver
import pytest

from sopbench.adapters.playwright_session import KeptTraces, opened
from sopbench.events.masking import Masker

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
