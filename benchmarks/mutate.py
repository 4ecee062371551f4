"""What becomes of a procedure's targets when the page changes: healed right, healed wrong, left alone.

usage: python benchmarks/mutate.py [--page NAME …] [--kind KIND …] [--element ID …] [--targets recorded|sparse|both]
                                   [--sample N] [--json OUT] [--workers N]

Every element of the pages in `mutations/pages`, and of the mock sites in `mutations/scenario`, is recorded in a passing
run as `sopbench record-targets` does it. Then its page is loaded anew and changed, and a procedure of one action meets
it through the real engine: light autonomy, nobody to ask, no model, one attempt, the certainty that is asked of what
can be done again, and no expectation that could tell a wrong element. What received the action is heard on the page,
not told by the run. `recorded` targets carry their fingerprint, `sparse` ones are as a person wrote them. Shares have
exact 95 % intervals (Clopper–Pearson).
Exit code 1 when a bound is missed, 2 when a case could not be run at all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import Error
from rich.console import Console
from starlette.requests import ClientDisconnect

from benchmarks.mutations.catalog import Element, Page, pages
from benchmarks.mutations.figures import show, summary
from benchmarks.mutations.kinds import KINDS, MUTATIONS, Mutation
from benchmarks.mutations.running import Bench, Case, Kept
from benchmarks.mutations.staging import NotThere, served
from sopbench import wiring
from sopbench.errors import SopbenchError

Job = tuple[Page, Element, Mutation, Kept]
_SEED = 1


def _is_news(record: logging.LogRecord) -> bool:
    """Not that a browser was closed while it still sent something to a mock site."""
    return not (record.exc_info and isinstance(record.exc_info[1], ClientDisconnect))


async def measure(jobs: Sequence[Job], workers: int) -> tuple[list[Case], list[str]]:
    """All cases in the order of the jobs, and what could not be run."""
    cases: dict[int, Case] = {}
    broken: list[str] = []
    waiting = iter(enumerate(jobs))
    started = time.monotonic()

    async def work(bench: Bench) -> None:
        for number, (page, element, mutation, kept) in waiting:
            try:
                cases[number] = await bench.run(page, element, mutation, kept)
            except (NotThere, SopbenchError, AssertionError, TimeoutError, Error) as error:
                broken.append(f"{page.name}/{element.id} {mutation.name} ({kept}): {type(error).__name__}: {error}")
            over = len(cases) + len(broken)
            if over % 50 == 0 or over == len(jobs):
                took_s = time.monotonic() - started
                print(f"{over} of {len(jobs)} cases, {took_s:.0f} s", file=sys.stderr, flush=True)

    with served() as (world, host):
        async with wiring.browser_process(wiring.Settings(), host) as browser:
            bench = Bench(browser, world)
            await asyncio.gather(*(work(bench) for _ in range(workers)))
    return [cases[number] for number in sorted(cases)], broken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", action="append", choices=[page.name for page in pages()])
    parser.add_argument("--element", action="append")
    parser.add_argument("--kind", action="append", choices=[*KINDS, *(m.name for m in MUTATIONS if "." in m.name)])
    parser.add_argument("--targets", choices=["recorded", "sparse", "both"], default="both")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many cases, drawn evenly")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="OUT")
    arguments = parser.parse_args()
    kept: tuple[Kept, ...] = ("recorded", "sparse") if arguments.targets == "both" else (arguments.targets,)
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    jobs: list[Job] = [
        (page, element, mutation, each)
        for page in pages()
        for element in page.elements
        for mutation in MUTATIONS
        for each in kept
        if (not arguments.page or page.name in arguments.page)
        and (not arguments.element or element.id in arguments.element)
        and (not arguments.kind or mutation.kind in arguments.kind or mutation.name in arguments.kind)
    ]
    if arguments.sample is not None and arguments.sample < len(jobs):
        jobs = random.Random(_SEED).sample(jobs, arguments.sample)
    cases, broken = asyncio.run(measure(jobs, arguments.workers))
    figures = {**summary(cases), "broken": broken}
    show(figures, Console(width=160))
    for line in broken:
        print(f"could not be run: {line}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    missed = any(row["reached"] is False for kept in figures["targets"].values() for row in kept["kinds"].values())
    sys.exit(2 if broken else 1 if missed else 0)


if __name__ == "__main__":
    main()
