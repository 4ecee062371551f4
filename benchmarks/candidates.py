"""What a look at a large page for candidates costs.

usage: python benchmarks/candidates.py [--rounds N] [--elements N] [--json OUT]

The page is made here: navigation, cards, fields, a table with buttons and a tick box in each row. Each round looks once
for every kind of element and, in turn, walks the same tree with one plain `evaluate` that reads nothing; figures are
medians, the ratios those of neighbouring looks, so that a machine that changes its speed does not change them. A look
includes the transfer to Python and the reading of it there; the score is that of a stale button among what was found.
Clicks on an element that its target fits are done by the engine's hands and by a plain Playwright locator, in turn.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from pathlib import Path
from typing import get_args

from playwright.async_api import Browser, CDPSession, Page

from sopbench.adapters.browser_finder import find_browser, launch_arguments
from sopbench.adapters.playwright_candidates import look_for
from sopbench.adapters.playwright_session import launched, opened
from sopbench.events.masking import Masker
from sopbench.sop.fingerprint import Box, Fingerprint
from sopbench.sop.targets import Target
from sopbench.sop.verbs.base import ElementKind
from sopbench.sop.verbs.pointer import Click
from sopbench.targeting.scoring import rank

WALK = """() => {
  let count = 0
  const walk = root => {
    for (let node = root.firstChild; node; node = node.nextSibling) {
      if (node.nodeType !== 1) continue
      count++
      if (node.shadowRoot) walk(node.shadowRoot)
      walk(node)
    }
  }
  walk(document)
  return count
}"""
STYLE = """body { font: 14px sans-serif } .card { cursor: pointer; border: 1px solid #ccc; padding: 4px }
.off { display: none } .more { cursor: pointer }
table { border-collapse: collapse } td { padding: 2px 6px } nav a { margin: 4px }"""
WORDS = (
    *("invoice", "order", "customer", "annual", "report", "pending", "shipment", "contract", "payment", "draft"),
    *("archive", "northern", "region", "delivery", "quarter", "meeting", "notes", "review", "budget", "supplier"),
)
STALE = Fingerprint(
    role="button",
    name="Remove 77",
    tag="button",
    type="button",
    classes=("btn",),
    title="Remove 77",
    text="x",
    near="Edit",
    heading="Table",
    container=("row 'Item 77'", "table", "main"),
    path="/html/body/main[1]/table[1]/tbody[1]/tr[78]/td[5]/button[2]",
    box=Box(x=400, y=30000, width=24, height=20),
    index=155,
    of=830,
)


def words(number: int, count: int) -> str:
    return " ".join(WORDS[(number * 7 + each * 3) % len(WORDS)] for each in range(count))


def row(number: int) -> str:
    """Twelve elements."""
    return (
        f'<tr id="row-{number}" class="line is-even"><td><input type="checkbox" aria-label="Pick {number}"></td>'
        f'<td><a class="link css-1x{number % 9}y2z" href="/item/{number}">Item {number} {words(number, 2)}</a></td>'
        f"<td><span>{words(number, 6)}</span></td><td>{number * 37 % 1000}.50</td>"
        f'<td><button class="btn btn-small" type="button">Edit</button> <button class="btn" title="Delete {number}">'
        f'<svg width="12" height="12"><path d="M0 0h12v12z"/></svg></button></td></tr>'
    )


def card(number: int) -> str:
    """Ten elements."""
    return (
        f'<div class="card"><h3>{words(number, 2)} {number}</h3><p>{words(number, 12)} <b>{words(number, 1)}</b></p>'
        f'<div class="meta"><span>{number} days</span><span class="off">hidden {number}</span></div>'
        f'<label>Note {number} <input name="note{number}" placeholder="Write here"></label>'
        f'<span class="more" data-testid="more-{number}">More</span></div>'
    )


def page_of(elements: int) -> str:
    """A page of about so many elements: half in rows, half in cards."""
    rows = "".join(row(number) for number in range(elements // 2 // 12))
    cards = "".join(card(number) for number in range(elements // 2 // 10))
    menu = "".join(f'<li><a href="/menu/{number}">{words(number, 1)} {number}</a></li>' for number in range(20))
    return (
        f"<!doctype html><title>Large</title><style>{STYLE}</style>"
        f"<header><nav aria-label=Main><ul>{menu}</ul></nav></header>"
        f"<main><h1>Everything</h1><section aria-label=Cards>{cards}</section><h2>Table</h2>"
        f"<table><thead><tr><th>Pick<th>Name<th>About<th>Sum<th>Do</tr></thead><tbody>{rows}</tbody></table></main>"
    )


async def timed_walk(page: Page) -> float:
    started = time.perf_counter()
    await page.evaluate(WALK)
    return (time.perf_counter() - started) * 1000


async def timed_look(page: Page, kind: ElementKind) -> tuple[float, float, int]:
    """Milliseconds of the look and of the score, and how many candidates were looked at closely."""
    started = time.perf_counter()
    found = await look_for(page, kind, STALE)
    looked = time.perf_counter()
    rank(STALE, found.elements)
    return (looked - started) * 1000, (time.perf_counter() - looked) * 1000, len(found.elements)


async def timed_clicks(browser: Browser, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of a click by the hands, and by a plain locator."""
    hands, plain = [], []
    async with opened(browser, None, masker=Masker(), tracing="off") as session:
        page = session.context.pages[0]
        await page.set_content(page_of(200))
        for number in range(rounds + 1):
            name = f"Delete {number % 8}"
            started = time.perf_counter()
            await page.get_by_role("button", name=name, exact=True).click()
            clicked = time.perf_counter()
            target = Target(role="button", name=name, exact=True, fingerprint=STALE)
            await session.browser.perform(Click(target=target), timeout_s=5)
            if number:
                plain.append((clicked - started) * 1000)
                hands.append((time.perf_counter() - clicked) * 1000)
    return hands, plain


async def busy_ms(devtools: CDPSession) -> float:
    """Processor time so far of the page's main thread and of this process: other work on the machine is not in it."""
    metrics = (await devtools.send("Performance.getMetrics"))["metrics"]
    page_s = next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")
    return (page_s + time.process_time()) * 1000


async def timed_targets(page: Page, count: int) -> list[float]:
    """What it takes to find the plainest target of elements all over the page, each."""
    found = await look_for(page, "click")
    took = []
    for number in range(0, len(found.elements), max(len(found.elements) // count, 1)):
        started = time.perf_counter()
        await found.target(number)
        took.append((time.perf_counter() - started) * 1000)
    return took


async def measure(elements: int, rounds: int) -> dict[str, object]:
    """Look at the page for all kinds in turn and give the figures."""
    kinds = get_args(ElementKind)
    looks: dict[str, list[float]] = {kind: [] for kind in kinds}
    scores: dict[str, list[float]] = {kind: [] for kind in kinds}
    walks: dict[str, list[float]] = {kind: [] for kind in kinds}
    busy: dict[str, list[float]] = {kind: [] for kind in kinds}
    counts: dict[str, int] = {}
    choice = find_browser(None, headed=False)
    async with launched(executable=choice.executable, arguments=launch_arguments()) as browser:
        page = await browser.new_page()
        await page.set_content(page_of(elements))
        on_page = await page.evaluate(WALK)
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        for kind in kinds:
            await timed_look(page, kind)
        for _ in range(rounds):
            for kind in kinds:
                walks[kind].append(await timed_walk(page))
                before = await busy_ms(devtools)
                took, scored, counts[kind] = await timed_look(page, kind)
                busy[kind].append(await busy_ms(devtools) - before)
                looks[kind].append(took)
                scores[kind].append(scored)
        targets = await timed_targets(page, 12)
        hands, plain = await timed_clicks(browser, rounds)
    return {
        "elements": on_page,
        "rounds": rounds,
        "target_ms": round(statistics.median(targets), 1),
        "click_ms": {"hands": round(statistics.median(hands), 1), "plain": round(statistics.median(plain), 1)},
        "click_over_plain_ms": round(statistics.median(h - p for h, p in zip(hands, plain, strict=True)), 1),
        "kinds": {
            kind: {
                "candidates": counts[kind],
                "look_ms": round(statistics.median(looks[kind]), 1),
                "fastest_look_ms": round(min(looks[kind]), 1),
                "score_ms": round(statistics.median(scores[kind]), 1),
                "processor_ms": round(statistics.median(busy[kind]), 1),
                "walk_ms": round(statistics.median(walks[kind]), 1),
                "ratio": round(
                    statistics.median(look / walk for look, walk in zip(looks[kind], walks[kind], strict=True)), 1
                ),
            }
            for kind in kinds
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--elements", type=int, default=10_000)
    parser.add_argument("--json", type=Path, metavar="OUT")
    arguments = parser.parse_args()
    figures = asyncio.run(measure(arguments.elements, arguments.rounds))
    print(json.dumps(figures, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
