"""Faults of the browser and its machine."""

from __future__ import annotations

from statistics import median

import playwright.async_api as driver
import pytest

from sopbench.adapters.browser_finder import find_browser, launch_arguments
from sopbench.adapters.playwright_session import launched
from sopbench.errors import BrowserLost
from sopbench.sop.targets import Target
from sopbench.sop.verbs.pages import Navigate
from sopbench.sop.verbs.pointer import Click

from .conftest import MakeWorld, planned

SAVE = Click(target=Target(role="button", name="Save"))
SECOND = {"once": True, "from_action": 2}


async def test_a_crashed_tab_is_lost_and_the_browser_is_not(world: MakeWorld, chromium: driver.Browser) -> None:
    under = await world(planned("browser.tab_crash", when=SECOND))
    await under.open()

    with pytest.raises(BrowserLost):
        await under.do(SAVE, timeout_s=2)

    assert chromium.is_connected()
    assert [strike.action for strike in under.strikes] == [2]


async def test_a_killed_browser_is_lost_and_its_session_still_closes(world: MakeWorld) -> None:
    executable = find_browser(None, headed=False).executable
    async with launched(executable=executable, arguments=launch_arguments()) as own:
        under = await world(planned("browser.killed", when=SECOND), browser=own)
        await under.open()

        with pytest.raises(BrowserLost):
            await under.do(SAVE, timeout_s=2)

        assert under.disturbance.needs_own_browser
        assert not own.is_connected()


async def test_a_blocked_download_is_not_saved(world: MakeWorld) -> None:
    under = await world(planned("browser.no_downloads"))
    await under.open()

    async with under.page.expect_download() as coming:
        await under.page.click("a")
    download = await coming.value

    assert await download.failure() is not None
    assert under.strikes[0].what == "orders.csv was not saved"


async def test_the_clock_of_a_page_is_wrong_and_runs_on(world: MakeWorld) -> None:
    under, right = await world(planned("browser.clock", ahead_s=86400)), await world()
    await under.open()
    await right.open()
    told = "[Date.now(), new Date().getTime(), new Date(0).getTime(), new Date() instanceof Date]"

    [now, made, begin, is_date], [true_now, *_] = await under.page.evaluate(told), await right.page.evaluate(told)

    assert 86_400_000 - 1 <= now - true_now + 60_000 < 86_400_000 + 120_000
    assert abs(made - now) < 1000
    assert (begin, is_date) == (0, True)


async def test_the_window_is_of_the_given_size(world: MakeWorld) -> None:
    under = await world(planned("browser.window", width=400, height=300))
    await under.open()

    assert await under.page.evaluate("[innerWidth, innerHeight]") == [400, 300]
    assert under.strikes[0].what == "the window is 400 × 300"


TAKEN_MS = """(() => {
  const began = performance.now()
  let x = 0
  for (let i = 0; i < 4e6; i++) x += i % 7
  return performance.now() - began
})()"""


async def test_a_busy_machine_is_slower(world: MakeWorld) -> None:
    under, idle = await world(planned("browser.slow_cpu", times=10)), await world()
    for each in (under, idle):
        await each.do(Navigate(url=f"{each.url}/"), timeout_s=30)

    ratios = [await under.page.evaluate(TAKEN_MS) / await idle.page.evaluate(TAKEN_MS) for _ in range(9)]

    assert median(ratios) > 1.5


async def test_every_new_page_is_reached(world: MakeWorld) -> None:
    under = await world(planned("browser.slow_cpu", times=2))
    await under.open()
    await under.context.new_page()

    await under.open()

    assert len(under.strikes) == 2
