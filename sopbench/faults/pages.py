"""Faults that reach each page through Chromium's own protocol."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from playwright.async_api import Error

from sopbench.trials.fault import Fault, Strikes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import BrowserContext, CDPSession, Page


class AtPages(Fault):
    """Done once to each page, as soon as the fault may strike. An occasion is a page, unless ``at_every_page``."""

    at_every_page: ClassVar[bool] = False
    """Whether every page is prepared, and the occasions come later."""

    async def context_opened(self, context: BrowserContext, strikes: Strikes) -> None:
        context.on("page", lambda page: strikes.later(self._reach_once(page, strikes)))

    async def action_begins(self, pages: Sequence[Page], strikes: Strikes) -> None:
        for page in pages:
            await self._reach_once(page, strikes)

    async def reach(self, page: Page, session: CDPSession, strikes: Strikes) -> None:
        """Do it to one page."""
        raise NotImplementedError

    async def _reach_once(self, page: Page, strikes: Strikes) -> None:
        reached: dict[Page, asyncio.Future[None]] = strikes.memory.setdefault("reached", {})
        if page not in reached:
            if not (self.at_every_page or (strikes.is_open and strikes.due("page"))):
                return
            reached[page] = asyncio.ensure_future(self._prepare(page, strikes))
        await asyncio.shield(reached[page])

    async def _prepare(self, page: Page, strikes: Strikes) -> None:
        with suppress(Error):  # it is gone already
            await self.reach(page, await page.context.new_cdp_session(page), strikes)
