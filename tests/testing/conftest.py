"""The same small shop in a real browser and in a fake one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import playwright.async_api as driver
import pytest
import pytest_asyncio

from sopbench.adapters.playwright_session import opened
from sopbench.events.masking import Masker
from sopbench.ports.browser import Browser
from sopbench.sop.verbs.pages import Navigate

from .shop import Server, fake_shop


@dataclass
class Shop:
    """A browser that shows the shop."""

    browser: Browser
    url: str
    """Of the server, without a slash at its end."""


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    serving = Server()
    yield serving
    serving.stop()


KINDS = ["playwright", "fake"]


@pytest_asyncio.fixture(params=KINDS, loop_scope="session")
async def shop(request: pytest.FixtureRequest, server: Server, chromium: driver.Browser) -> AsyncIterator[Shop]:
    """The shop is open; once in Chromium, once in a FakeBrowser."""
    async with _open(str(request.param), server, chromium) as opened_shop:
        yield opened_shop


@pytest_asyncio.fixture(params=KINDS, scope="session", loop_scope="session")
async def window(request: pytest.FixtureRequest, server: Server, chromium: driver.Browser) -> AsyncIterator[Shop]:
    """The same, for tests that only look: they share it."""
    async with _open(str(request.param), server, chromium) as opened_shop:
        yield opened_shop


@asynccontextmanager
async def _open(kind: str, server: Server, chromium: driver.Browser) -> AsyncIterator[Shop]:
    if kind == "fake":
        fake = fake_shop(server.url)
        await fake.perform(Navigate(url=f"{server.url}/"), timeout_s=1)
        yield Shop(fake, server.url)
        return
    async with opened(chromium, None, masker=Masker(), tracing="off") as session:
        await session.browser.perform(Navigate(url=f"{server.url}/"), timeout_s=20)
        yield Shop(session.browser, server.url)
