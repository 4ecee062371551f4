"""The states of the mock sites in which the procedure of `scenarios/gmail_airtable` acts, and the ways to them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.async_api import Page as Tab
from playwright.async_api import expect

from benchmarks.by_hand import CRM, FIND_MS, MAIL, QUERY, SAVE_MS, open_thread, results, sign_in
from sopbench import wiring
from sopbench.sites.host import SiteHost
from sopbench.trials.case import SiteCase, load_case

_CASE = Path(__file__).resolve().parents[2] / "fixtures" / "cases" / "short_day"
_SEED = 1


class Sites:
    """Mock Gmail and mock Airtable, as new before each case."""

    def __init__(self, host: SiteHost) -> None:
        self._host = host
        case = load_case(_CASE)
        assert isinstance(case, SiteCase)
        self.case = case

    def renew(self) -> None:
        self._host.mount(wiring.mock_sites(None, self.case, _SEED))


@contextmanager
def hosted() -> Iterator[tuple[Sites, SiteHost]]:
    """The sites, and the host that the browser must know of."""
    with SiteHost() as host:
        yield Sites(host), host


async def gmail_sign_in(tab: Tab, _: SiteCase) -> None:
    await tab.goto(MAIL)
    await expect(tab.get_by_label("Email or phone")).to_be_visible(timeout=FIND_MS)


async def gmail_password(tab: Tab, case: SiteCase) -> None:
    await gmail_sign_in(tab, case)
    await tab.get_by_label("Email or phone").fill(case.account.email)
    await tab.get_by_role("button", name="Next", exact=True).click()
    await expect(tab.get_by_label("Enter your password")).to_be_visible(timeout=FIND_MS)


async def gmail_results(tab: Tab, case: SiteCase) -> None:
    await sign_in(tab, case)
    search = tab.get_by_role("textbox", name="Search mail")
    await search.fill(QUERY)
    await search.press("Enter")
    await expect(results(tab)).to_be_visible(timeout=FIND_MS)


async def gmail_thread(tab: Tab, case: SiteCase) -> None:
    await gmail_results(tab, case)
    first = tab.get_by_role("main").locator("tr[role=row] [data-legacy-thread-id]").first
    await open_thread(tab, await first.get_attribute("data-legacy-thread-id") or "")


async def gmail_labels(tab: Tab, case: SiteCase) -> None:
    await gmail_thread(tab, case)
    await tab.get_by_role("button", name="Labels", exact=True).click()
    await expect(tab.get_by_role("menuitemcheckbox", name="Processed", exact=True)).to_be_visible(timeout=FIND_MS)


async def airtable_grid(tab: Tab, _: SiteCase) -> None:
    await tab.goto(CRM)
    await expect(tab.get_by_role("row").and_(tab.locator("[data-rowid]")).nth(0)).to_be_visible(timeout=SAVE_MS)


async def airtable_search(tab: Tab, case: SiteCase) -> None:
    await airtable_grid(tab, case)
    await tab.get_by_role("button", name="toggle view search input", exact=True).click()
    await expect(tab.get_by_placeholder("Find in view")).to_be_visible(timeout=FIND_MS)


async def airtable_record(tab: Tab, case: SiteCase) -> None:
    await airtable_grid(tab, case)
    await tab.locator(".cell, [role=gridcell]").first.click()
    row = tab.locator("[role=row]:has([aria-label='Expand record'])").first
    await row.get_by_role("button", name="Expand record", exact=True).click()
    await expect(tab.get_by_role("dialog")).to_be_visible(timeout=FIND_MS)


WAYS: dict[str, Callable[[Tab, SiteCase], Awaitable[None]]] = {
    "gmail_sign_in": gmail_sign_in,
    "gmail_password": gmail_password,
    "gmail_results": gmail_results,
    "gmail_thread": gmail_thread,
    "gmail_labels": gmail_labels,
    "airtable_grid": airtable_grid,
    "airtable_search": airtable_search,
    "airtable_record": airtable_record,
}
