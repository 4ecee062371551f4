"""The page that leads to all reports, in a real browser."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from sopbench.reliability.answers import Answer
from sopbench.reporting.site import KNOWN, make_site

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Browser

NOW = datetime(2026, 11, 22, tzinfo=UTC)


@pytest.mark.parametrize("width", [1280, 390])
async def test_it_fits_the_screen_and_its_links_lead_somewhere(chromium: Browser, tmp_path: Path, width: int) -> None:
    for name in KNOWN:
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(f"<title>{name}</title>", encoding="utf-8")
    answer = Answer(outcome="fail", text="gmail_airtable: 2 <silent> failures.", claims=(), more_trials=0)
    (tmp_path / "gate.json").write_text(answer.model_dump_json(), encoding="utf-8")
    made = make_site(tmp_path, NOW)
    said: list[str] = []
    context = await chromium.new_context(viewport={"width": width, "height": 800})
    page = await context.new_page()
    page.on("console", lambda message: said.append(message.text))

    await page.goto(made.page.as_uri())
    text = await page.inner_text("main")
    scroll = await page.evaluate("document.documentElement.scrollWidth")
    links = [await link.get_attribute("href") for link in await page.locator("a").all()]
    await page.get_by_role("link", name="Dashboard").click()
    title = await page.title()
    await context.close()

    assert "gmail_airtable: 2 <silent> failures." in text
    assert scroll <= width
    assert links == [f"{name}/index.html" for name in KNOWN]
    assert title == "dashboard"
    assert said == []
