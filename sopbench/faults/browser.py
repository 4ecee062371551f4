"""Faults of the browser and the machine it runs on."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from importlib import resources
from typing import TYPE_CHECKING, Any, ClassVar

from playwright.async_api import Error
from pydantic import Field

from sopbench.faults.pages import AtPages
from sopbench.trials.fault import Cause, Fault, Strikes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import BrowserContext, CDPSession, Page

_GONE_S = 10.0
"""How long a browser or a page may take to go."""


class TabCrash(Fault):
    """The page in front crashes."""

    cause: ClassVar[Cause] = "browser"

    async def action_begins(self, pages: Sequence[Page], strikes: Strikes) -> None:
        if not pages or not strikes.due("action"):
            return
        page = pages[0]
        session = await page.context.new_cdp_session(page)
        address = page.url
        async with asyncio.timeout(_GONE_S), page.expect_event("crash"):
            crashing = asyncio.ensure_future(_sent(session, "Page.crash"))
        crashing.cancel()
        strikes.note(f"the tab with {address} crashed")


class Killed(Fault):
    """The browser's process ends."""

    cause: ClassVar[Cause] = "browser"
    own_browser: ClassVar[bool] = True

    async def action_begins(self, pages: Sequence[Page], strikes: Strikes) -> None:
        if not pages or not strikes.due("action"):
            return
        browser = pages[0].context.browser
        if browser is None:
            strikes.missed()
            return
        gone = asyncio.Event()
        browser.on("disconnected", lambda _: gone.set())
        session = await browser.new_browser_cdp_session()
        ending = asyncio.ensure_future(_sent(session, "Browser.crash"))
        async with asyncio.timeout(_GONE_S):
            await gone.wait()
        ending.cancel()
        strikes.note("the browser was killed")


class NoDownloads(Fault):
    """No file is saved."""

    cause: ClassVar[Cause] = "browser"

    def context_options(self, strikes: Strikes) -> dict[str, Any]:
        return {"accept_downloads": False}

    async def context_opened(self, context: BrowserContext, strikes: Strikes) -> None:
        def listen(page: Page) -> None:
            page.on("download", lambda download: strikes.note(f"{download.suggested_filename} was not saved"))

        context.on("page", listen)


class Clock(Fault):
    """The pages' clock is wrong."""

    cause: ClassVar[Cause] = "browser"
    ahead_s: float
    """Negative for a clock that is behind."""

    async def context_opened(self, context: BrowserContext, strikes: Strikes) -> None:
        source = resources.files("sopbench.faults").joinpath("in_page", "clock.js").read_text("utf-8")
        await context.add_init_script(f"({source})({json.dumps(self.ahead_s * 1000)})")

    async def action_begins(self, pages: Sequence[Page], strikes: Strikes) -> None:
        if not strikes.count and strikes.due("run"):
            strikes.note(f"the pages' clock is {abs(self.ahead_s):g} s {'ahead' if self.ahead_s > 0 else 'behind'}")


class Window(Fault):
    """The window is of another size, from the start."""

    cause: ClassVar[Cause] = "target"
    width: int = Field(ge=100)
    height: int = Field(ge=100)

    def context_options(self, strikes: Strikes) -> dict[str, Any]:
        return {"viewport": {"width": self.width, "height": self.height}}

    async def action_begins(self, pages: Sequence[Page], strikes: Strikes) -> None:
        if not strikes.count and strikes.due("run"):
            strikes.note(f"the window is {self.width} × {self.height}")


class SlowCpu(AtPages):
    """The machine is busy: pages get only a part of it."""

    cause: ClassVar[Cause] = "timing"
    times: float = Field(gt=1)
    """How many times slower."""

    async def reach(self, page: Page, session: CDPSession, strikes: Strikes) -> None:
        await session.send("Emulation.setCPUThrottlingRate", {"rate": self.times})
        strikes.note(f"a page is {self.times:g} times slower")


async def _sent(session: CDPSession, command: str) -> None:
    """Send what is never answered."""
    with suppress(Error):
        await session.send(command)


FAULTS = {
    "clock": Clock,
    "killed": Killed,
    "no_downloads": NoDownloads,
    "slow_cpu": SlowCpu,
    "tab_crash": TabCrash,
    "window": Window,
}
