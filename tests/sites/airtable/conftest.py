"""A small base, the site served over plain HTTP, and a browser page on it."""

from __future__ import annotations

import csv
import shutil
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
import uvicorn
from playwright.async_api import async_playwright
from pyairtable import Api

from sopbench.sites.airtable.site import AirtableSite
from sopbench.trials.case import Account, Base, Column, SiteCase, SiteTable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from playwright.async_api import Browser, Page

BASE, TABLE, VIEW = "appFundraising001", "tblInvestors00001", "viwInvestors00001"
FORM = "pagAddInvestor0001"
STATUSES = ("New", "Contacted", "Interested", "Passed")
COLUMNS = {
    "Name": Column(),
    "Email": Column(type="email"),
    "Status": Column(type="singleSelect", options=STATUSES),
    "Commitment": Column(type="number"),
    "Last contact": Column(type="date"),
    "Accredited": Column(type="checkbox"),
    "Notes": Column(type="multilineText"),
    "City": Column(),
    "Source": Column(),
    "Owner": Column(),
}


@dataclass(frozen=True)
class Running:
    """A site and where it is served."""

    site: AirtableSite
    url: str

    def row(self, name: str) -> dict[str, str]:
        """The investor of that name, as texts."""
        return next(row for row in self.site.base.rows("Investors") if row["Name"] == name)

    def record_id(self, name: str) -> str:
        """Id of the investor of that name."""
        table = self.site.base.table("Investors")
        return next(r.id for r in table.records.values() if r.cells.get(table.fields[0].id) == name)

    @property
    def api(self) -> Api:
        """The real client, patient with the limit of requests per second."""
        return Api(self.site.base.token, endpoint_url=self.url)


def investor(number: int) -> dict[str, str]:
    """The row of one investor; each value follows from the number."""
    return {
        "Name": f"Investor {number:03}",
        "Email": f"investor{number}@fund.example",
        "Status": (*STATUSES, "")[number % 5],
        "Commitment": str(number * 25_000) if number else "",
        "Last contact": f"2026-05-{number % 28 + 1:02}",
        "Accredited": "true" if number % 2 else "",
        "Notes": "First call.\nSends the deck." if number % 3 else "",
        "City": "Lisbon" if number % 4 == 0 else "Oslo",
        "Source": "Event",
        "Owner": "Dana",
    }


def make_case(folder: Path, rows: int) -> SiteCase:
    """A case with that many investors and an empty table of meetings."""
    (folder / "before").mkdir(parents=True)
    with (folder / "before" / "Investors.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(COLUMNS))
        writer.writeheader()
        writer.writerows(investor(number) for number in range(rows))
    meetings = {"Title": Column(), "When": Column(type="date")}
    return SiteCase(
        path=folder,
        title="a day",
        now=datetime.fromisoformat("2026-06-02T09:00:00+02:00"),
        account=Account(name="Dana Fox", email="dana@fund.example", password="correct horse"),
        base=Base(id=BASE, name="Fundraising"),
        tables={
            "Investors": SiteTable(id=TABLE, view=VIEW, form=FORM, key="Name", columns=COLUMNS),
            "Meetings": SiteTable(id="tblMeetings000001", view="viwMeetings000001", key="Title", columns=meetings),
        },
    )


@contextmanager
def serve(site: AirtableSite) -> Iterator[Running]:
    """Serve the site from a thread on a free port of 127.0.0.1."""
    server = uvicorn.Server(
        uvicorn.Config(site, host="127.0.0.1", port=0, log_level="warning", ws="none", lifespan="off")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield Running(site, f"http://127.0.0.1:{port}")
    server.should_exit = server.force_exit = True
    thread.join()


@pytest.fixture
def case(tmp_path: Path) -> SiteCase:
    """24 investors."""
    return make_case(tmp_path / "day", 24)


@pytest.fixture
def running(case: SiteCase) -> Iterator[Running]:
    """The site of the case."""
    with serve(AirtableSite(case, seed=1)) as running:
        yield running


@pytest.fixture
def crowded(tmp_path: Path) -> Iterator[Running]:
    """A site with 500 investors."""
    with serve(AirtableSite(make_case(tmp_path / "crowd", 500), seed=1)) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One browser for all tests."""
    executable = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def sheet(chromium: Browser) -> AsyncIterator[Page]:
    """A page of its own context; a test fails on any error in the page's scripts."""
    context = await chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(5_000)
    page = await context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    await context.close()
    assert not errors
