"""A blank page in a real browser, and a browser port that looks at it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import playwright.async_api as driver
import pytest
import pytest_asyncio

from sopbench.adapters.playwright_session import PlaywrightSession, opened
from sopbench.events.masking import Masker

from .acting import Acting


@pytest_asyncio.fixture(loop_scope="session")
async def session(chromium: driver.Browser) -> AsyncIterator[PlaywrightSession]:
    """One tab of its own for the test."""
    async with opened(chromium, None, masker=Masker(), tracing="off") as opened_session:
        yield opened_session


@pytest.fixture
def acting(session: PlaywrightSession) -> Acting:
    return Acting(session)
