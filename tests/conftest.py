"""What tests of all folders share: one browser for the whole session."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from sopbench.adapters.browser_finder import find_browser, launch_arguments
from sopbench.adapters.playwright_session import launched
from sopbench.errors import BrowserMissing


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """A Chromium, started once; open contexts of your own in it, and close them."""
    try:
        choice = find_browser(None, headed=False)
    except BrowserMissing as error:
        pytest.skip(str(error))
    async with launched(executable=choice.executable, arguments=launch_arguments()) as browser:
        yield browser
