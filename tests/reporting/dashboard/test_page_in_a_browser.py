"""The dashboard in a real browser, from disk: on a wide and on a narrow screen, light and dark."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import pytest

from sopbench.reporting.dashboard.page import dashboard_page
from tests.reporting.dashboard.test_page import NOW, facts_of, with_coverage

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Browser

    from sopbench.reporting.dashboard.facts import DashboardFacts

CONDITIONS = {"clean": 0.985, "slow-network": 0.96, "signed-out": 0.9, "server-down": 0.5, "tab-crash": 0.8}
CONDITIONS |= {f"a-condition-with-a-long-name-{n}": 0.95 for n in range(6)}
OUTSIDE = """() => [...document.querySelectorAll('svg')].flatMap(svg => {
    const frame = svg.getBoundingClientRect()
    if (!frame.width) return []
    return [...svg.querySelectorAll('text')].filter(text => {
        const box = text.getBoundingClientRect()
        return box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1
    }).map(text => text.textContent)
})"""
OVERLAPPING = """() => [...document.querySelectorAll('svg.chart')].flatMap(svg => {
    const texts = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()])
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom
    return texts.flatMap(([name, a], n) =>
        texts.slice(n + 1).filter(([_, b]) => a.width && meet(a, b)).map(([other]) => [name, other]))
})"""


def full() -> DashboardFacts:
    return with_coverage(facts_of(number=40, trials=6, conditions=CONDITIONS, silent=0.2), never="D1_signed_in → yes")


def none() -> DashboardFacts:
    return replace(facts_of(number=0), made=NOW)


def one() -> DashboardFacts:
    return with_coverage(facts_of(number=1, trials=1))


@pytest.mark.parametrize(
    ("made", "scheme"),
    [(full, "light"), (full, "dark"), (none, "light"), (one, "dark")],
    ids=["full-light", "full-dark", "none-light", "one-dark"],
)
@pytest.mark.parametrize("width", [1280, 390])
async def test_it_fits_the_screen_without_an_error_or_a_request(
    chromium: Browser, tmp_path: Path, width: int, scheme: Literal["light", "dark"], made: Any
) -> None:
    page_file = tmp_path / "index.html"
    page_file.write_text(dashboard_page(made()), encoding="utf-8")
    said: list[str] = []
    asked: list[str] = []
    context = await chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = await context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))

    await page.goto(page_file.as_uri())
    for graph in await page.locator("details").all():
        await graph.evaluate("element => { element.open = true }")
    shot = await page.screenshot(full_page=True, path=tmp_path / f"{width}-{scheme}.png")
    scroll = await page.evaluate("document.documentElement.scrollWidth")
    outside = await page.evaluate(OUTSIDE)
    overlapping = await page.evaluate(OVERLAPPING)
    background = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    await context.close()

    assert said == []
    assert asked == [page_file.as_uri()]
    assert scroll <= width
    assert outside == []
    assert overlapping == []
    assert (background == "rgb(15, 19, 23)") == (scheme == "dark")
    assert len(shot) > 10_000
