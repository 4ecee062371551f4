"""What the engine costs over a script written by hand.

usage: python benchmarks/overhead.py [--rounds N] [--json OUT]

Both sides do the same actions with the same waits on the same mock sites with the same seed, in turn, in one run: a
Playwright script written by hand (`by_hand.py`), the engine with screenshots and trace off, and with both on. The
figures are medians of the ratios of neighbouring runs, so that a machine that changes its speed does not change them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from by_hand import Answers, by_hand
from playwright.async_api import Browser

from sopbench import wiring
from sopbench.adapters.playwright_session import PlaywrightSession, opened
from sopbench.adapters.vcr_cassettes import Cassette
from sopbench.events.log import EventLog
from sopbench.events.types import DecisionMade, Event, IterationStarted, VariableSet
from sopbench.sites.host import SiteHost
from sopbench.sop.loader import Loaded, load
from sopbench.trials.case import Case, load_case
from sopbench.wiring import Settings

ROOT = Path(__file__).resolve().parent.parent
SCENARIO = ROOT / "scenarios" / "gmail_airtable"
SEED = 1


class Bench:
    """The world in which both sides run."""

    def __init__(self, browser: Browser, host: SiteHost, case: Case, procedure: Loaded, scratch: Path) -> None:
        self._browser = browser
        self._host = host
        self._case = case
        self._procedure = procedure
        self._scratch = scratch
        self._runs = 0
        self.answers: Answers = {}

    async def engine(self, settings: Settings) -> float:
        """One run by the engine; seconds. The first one tells the script by hand what the model answered."""
        told: list[Event] = []
        cassette = Cassette(SCENARIO / "cassettes" / f"{self._case.name}.json", "replay")
        model = wiring.model(settings, cassette)
        model.prepare()
        engine = wiring.engine(settings, model, wiring.operator(settings))
        env = wiring.environment(settings, self._case)
        values, masker = wiring.variables(self._procedure, self._case, settings, env)

        async def run(session: PlaywrightSession, folder: Path) -> None:
            log = folder / "events.jsonl"
            with EventLog(log, now=engine.clock.now, masker=masker, listeners=[told.append]) as events:
                result = await engine.run(
                    self._procedure.sop,
                    browser=session.browser,
                    log=events,
                    variables=values,
                    folder=folder,
                )
            if not result.completed:
                raise SystemExit(f"the engine's run did not complete: {result.reason}")

        seconds = await self._timed(run, settings)
        await model.aclose()
        self.answers = answers_in(told)
        return seconds

    async def script(self) -> float:
        """One run by hand; seconds."""

        async def run(session: PlaywrightSession, _: Path) -> None:
            await by_hand(session.context.pages[0], self._case, self.answers)

        return await self._timed(run, Settings(tracing="off"))

    async def _timed(self, run: Callable[[PlaywrightSession, Path], Awaitable[None]], settings: Settings) -> float:
        sites = wiring.mock_sites(None, self._case, SEED)
        self._host.mount(sites)
        self._runs += 1
        folder = self._scratch / str(self._runs)
        folder.mkdir()
        _, masker = wiring.variables(self._procedure, self._case, settings, wiring.environment(settings, self._case))
        options = {"ignore_https_errors": True}
        async with opened(self._browser, folder, masker=masker, tracing=settings.tracing, options=options) as session:
            started = time.perf_counter()
            await run(session, folder)
            seconds = time.perf_counter() - started
        outcomes = [oracle.outcome() for oracle in wiring.mock_oracles(sites, self._case, self._host).values()]
        if not all(outcome.as_expected for outcome in outcomes):
            raise SystemExit(f"a side did not do the work: {outcomes}")
        return seconds


def answers_in(events: list[Event]) -> Answers:
    """What was decided and read of each thread, for the script by hand to repeat."""
    answers: Answers = {}
    thread = ""
    for event in events:
        match event:
            case IterationStarted():
                thread = event.item["thread_id"]
                answers[thread] = {}
            case DecisionMade(by="model"):
                answers[thread]["investor"] = event.branch == "yes"
            case VariableSet() if thread:
                answers[thread][event.name] = event.value
            case _:
                pass
    return answers


async def measure(case_name: str, rounds: int) -> dict[str, object]:
    """Run all sides in turn and give the figures."""
    case = load_case(ROOT / "fixtures" / "cases" / case_name)
    procedure = load(SCENARIO / "gmail_airtable.sop.json")
    off = Settings(screenshots="off", tracing="off")
    on = replace(off, screenshots="steps", tracing="on")
    sides: dict[str, list[float]] = {"script": [], "off": [], "on": []}
    with SiteHost() as host, tempfile.TemporaryDirectory() as scratch:
        async with wiring.browser_process(off, host) as browser:
            bench = Bench(browser, host, case, procedure, Path(scratch))
            await bench.engine(off)
            await bench.script()
            for number in range(rounds):
                sides["script"].append(await bench.script())
                sides["off"].append(await bench.engine(off))
                sides["on"].append(await bench.engine(on))
                last = ", ".join(f"{name} {seconds[-1]:.2f} s" for name, seconds in sides.items())
                print(f"round {number + 1} of {rounds}: {last}", flush=True)
    pairs = {
        name: [engine / script for engine, script in zip(sides[name], sides["script"], strict=True)]
        for name in ("off", "on")
    }
    return {
        "case": case_name,
        "rounds": rounds,
        "ratio_off": round(statistics.median(pairs["off"]), 4),
        "ratio_on": round(statistics.median(pairs["on"]), 4),
        "seconds": {name: round(statistics.median(values), 3) for name, values in sides.items()},
        "ratios": {name: [round(ratio, 4) for ratio in ratios] for name, ratios in pairs.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--case", default="short_day")
    parser.add_argument("--json", type=Path, metavar="OUT")
    arguments = parser.parse_args()
    figures = asyncio.run(measure(arguments.case, arguments.rounds))
    print(json.dumps(figures, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
