"""Goals on the mock Gmail and Airtable, reached another way than was recorded."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Page

from sopbench import wiring
from sopbench.adapters.playwright_session import opened
from sopbench.events.masking import Masker
from sopbench.ports.browser import Browser
from sopbench.sites.host import SiteHost
from sopbench.sop.verbs.pages import Navigate
from sopbench.trials.case import SiteCase, load_case
from sopbench.wiring import Settings

Json = dict[str, Any]
CASE = Path(__file__).parents[1] / "fixtures" / "cases" / "ordinary_day"


@dataclass(frozen=True)
class MockTask:
    """One goal on a mock site."""

    kind: str
    name: str
    goal: str
    done_when: Json
    recorded: Json
    site: str
    max_steps: int = 12
    allowed: tuple[str, ...] = ()


def mock_tasks() -> list[MockTask]:
    """All of them, always in the same order."""
    link = {"role": "link", "exact": True}
    diligence = "Starting due diligence on Northwind"
    metrics = {"role": "tab", "name": "Metrics", "css": "[aria-selected=true]"}
    return [
        MockTask(
            "gmail", "label", "Show the mail with the label 'Processed'", {"url": "*#label/Processed*"},
            {**link, "name": "Done"}, "gmail",
        ),
        MockTask(
            "gmail", "sent", "Show the mail that was sent", {"url": "*#sent*"}, {**link, "name": "Outbox"}, "gmail",
        ),
        MockTask(
            "gmail", "a mail", f"Open the mail '{diligence}'", {"visible": {"role": "heading", "name": diligence}},
            {**link, "name": "Due diligence"}, "gmail",
        ),
        MockTask(
            "gmail", "a search", "Search for mail from 'gvane@kestrelvane.example'", {"url": "*#search/*gvane*"},
            {"role": "button", "name": "Find", "exact": True}, "gmail",
        ),
        MockTask(
            "airtable", "table", "Show the table 'Metrics'", {"visible": metrics}, {**link, "name": "Metrics"},
            "airtable",
        ),
        MockTask(
            "airtable", "find", "Find the investor 'Thistle' with the search of the view",
            {"value": "Thistle", "of": {"placeholder": "Find in view"}}, {"placeholder": "Search all"}, "airtable",
        ),
    ]  # fmt: skip


@asynccontextmanager
async def opened_mock() -> AsyncIterator[Callable[[MockTask], AbstractAsyncContextManager[Browser]]]:
    """The mock sites in a browser of their own; each task has them anew, and is signed in."""
    case = load_case(CASE)
    assert isinstance(case, SiteCase)
    with SiteHost() as host:
        async with wiring.browser_process(Settings(site="mock"), host) as process:

            @asynccontextmanager
            async def open_task(task: MockTask) -> AsyncIterator[Browser]:
                host.mount(wiring.mock_sites(["gmail", "airtable"], case, 1))
                options = {"ignore_https_errors": True}
                async with opened(process, None, masker=Masker(), tracing="off", options=options) as session:
                    page = session.context.pages[0]
                    if task.site == "gmail":
                        await _sign_in(page, case)
                    else:
                        base = Navigate(url=f"https://airtable.com/{case.base.id}")
                        await session.browser.perform(base, timeout_s=20)
                        await page.get_by_role("tab", name="Investors").wait_for()
                    yield session.browser

            yield open_task


async def _sign_in(page: Page, case: SiteCase) -> None:
    await page.goto("https://mail.google.com/")
    await page.get_by_label("Email or phone").fill(case.account.email)
    await page.get_by_role("button", name="Next", exact=True).click()
    await page.get_by_label("Enter your password").fill(case.account.password)
    await page.get_by_role("button", name="Next", exact=True).click()
    await page.get_by_role("textbox", name="Search mail").wait_for()
    await page.get_by_role("row").first.wait_for()
