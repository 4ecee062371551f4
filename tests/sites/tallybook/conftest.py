"""A company's books of three weeks, the dashboard served from them, and a browser to look at it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from sopbench.sites.host import Server
from sopbench.sites.tallybook.site import TallybookSite
from sopbench.trials.case import Account, Base, Books, SiteCase

ENTRIES = """Week,Flow,Category,Amount
2025-05-19,in,Subscriptions,1000.00
2025-05-19,out,Payroll,400.00
2025-05-26,in,Subscriptions,1250.50
2025-05-26,in,Subscriptions,100.00
2025-05-26,out,Payroll,2000.00
2025-05-26,out,Rent of the office and both of the warehouses,300.25
2025-06-02,in,Subscriptions,75.00
"""
Serve = Callable[[TallybookSite], str]


@pytest.fixture
def make_case(tmp_path: Path) -> Callable[..., SiteCase]:
    """``make_case(entries, currency="EUR", locale="en-IE")``."""

    def make(entries: str = ENTRIES, **books: str) -> SiteCase:
        (tmp_path / "books.csv").write_text(entries, encoding="utf-8")
        given = {"company": "Acme Ltd.", "email": "dana@acme.test", "password": "abacus", "opening": "10000"}
        return SiteCase(
            path=tmp_path,
            title="three weeks",
            now=datetime.fromisoformat("2025-06-02T09:00:00+02:00"),
            account=Account(name="Dana Wells", email="dana@acme.test", password="correct horse"),
            base=Base(id="appTest", name="Test"),
            tables={},
            books=Books.model_validate(given | books),
        )

    return make


@pytest.fixture
def case(make_case: Callable[..., SiteCase]) -> SiteCase:
    """The books in dollars."""
    return make_case()


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves a site plainly until the test ends; gives its address."""
    servers = []

    def serve(site: TallybookSite) -> str:
        servers.append(Server(site))
        return f"http://127.0.0.1:{servers[-1].port}"

    yield serve
    for server in servers:
        server.close()


@pytest_asyncio.fixture(loop_scope="session")
async def window(chromium: Browser) -> AsyncIterator[Page]:
    """A fresh page in a far time zone; an error in a script of the site fails the test."""
    context = await chromium.new_context(viewport={"width": 1280, "height": 800}, timezone_id="Pacific/Auckland")
    page = await context.new_page()
    page.set_default_timeout(8000)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    await context.close()
    assert problems == []
