"""How long it takes until a run that is stopped has ended, at random moments of every mode, and what it leaves behind.

``python benchmarks/stopping.py --stops 15 --json FILE`` stops that many runs of each mode in a real browser, at moments
drawn from the time that a whole run of it takes. Two times are told: until the run itself has ended, and until its
trace is written and its browser session closed. Left behind properly means: a log that ends with one ``run_finished``
that says cancelled, with no event missing; a trace that can be read; and no open session.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from exploration_planners import Searching
from exploration_servers import serving
from playwright.async_api import Browser

from sopbench.adapters.browser_finder import find_browser, launch_arguments
from sopbench.adapters.playwright_session import launched, opened
from sopbench.adapters.system_clock import SystemClock
from sopbench.adapters.unattended_operator import UnattendedOperator
from sopbench.engine.context import Autonomy
from sopbench.engine.run import Engine
from sopbench.events.log import LOG_NAME, EventLog, read_log
from sopbench.events.masking import Masker
from sopbench.events.types import RunFinished
from sopbench.ports.llm import ModelAnswer, ModelRequest
from sopbench.records.folder import TRACE_NAME
from sopbench.sop.document import Sop

Json = dict[str, Any]
THINKS_S = 0.6
OVER = "it was over already"
PAGE = """<!doctype html><title>Shop</title><h1>Shop</h1><label>Name <input></label>
<button type=button onclick="s.textContent = Date.now()">Show</button><p id=s role=status></p>
<details><summary>More</summary><a href=two>Opening hours by day</a></details>"""
TWO = "<!doctype html><title>Two</title><h1>Nothing here</h1><a href=/>Shop</a>"


class Slow:
    """A model that takes its time, and then says something that fits."""

    def __init__(self) -> None:
        self._planner = Searching()

    async def ask(self, request: ModelRequest) -> ModelAnswer:
        await asyncio.sleep(THINKS_S)
        if request.purpose == "explore":
            answer: ModelAnswer = await self._planner.ask(request)
            return answer
        properties = request.schema["properties"]
        value = {name: _plain(schema) for name, schema in properties.items()}
        return ModelAnswer(value, "slow", 1, 1, None, replayed=False)


def _plain(schema: Json) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    return {"string": "Hello", "array": [], "object": {}, "boolean": True}.get(schema.get("type", ""), 1)


@dataclass(frozen=True)
class Stop:
    """One run that was stopped."""

    mode: str
    after_s: float
    run_s: float
    """Until the run had ended."""
    all_s: float
    """Until its session was closed, with its trace written."""
    last: str
    """What had happened last before it."""
    wrong: tuple[str, ...] = ()


def modes(url: str) -> dict[str, Sop]:
    """A procedure of a second or two for each."""
    show: Json = {"do": "click", "target": {"role": "button", "name": "Show"}, "effect": "read"}
    fill: Json = {"do": "fill", "target": {"label": "Name"}, "value": "x" * 40}
    tasks: list[Json] = [
        {"do": "navigate", "url": url},
        *[fill, show] * 6,
        {"do": "wait_for", "seconds": 0.5},
        fill,
        show,
    ]
    choices = {"yes": {"means": "open", "then": "yes"}, "no": {"means": "closed", "then": "no"}}
    question = {"ask": "Is the shop open?", "choices": choices}
    ends: list[Json] = [{"id": name, "type": "end", "label": name} for name in choices]
    edges: list[Json] = [{"source": "d", "target": branch, "condition": branch} for branch in choices]
    return {
        "task": _sop([{"id": "n", "type": "task", "label": "n"}], tasks),
        "decision": _sop([_asking(question), *ends], [], edges),
        "generate": _sop([{"id": "g", "type": "generate", "label": "g", "instructions": "Greet", "into": "text"}], []),
        "wait": _sop([{"id": "w", "type": "wait", "label": "w", "seconds": 0.5,
                       "until": [{"visible": {"role": "dialog"}, "timeout_s": 1.5}]}], []),
        "loop": _sop([{"id": "l", "type": "loop", "label": "l", "items": "range(6)", "children": ["n"]},
                      {"id": "n", "type": "task", "label": "n"}], [fill, show]),
        "explore": _sop([{"id": "e", "type": "explore", "label": "e", "goal": "Open the opening hours", "max_steps": 5,
                          "done_when": {"visible": {"role": "heading", "name": "Opening hours"}}}], []),
    }  # fmt: skip


def _asking(question: Json) -> Json:
    return {"id": "d", "type": "decision", "label": "d", "criteria": {"question": question}}


def _sop(nodes: Sequence[Mapping[str, Any]], actions: Sequence[Json], edges: Sequence[Json] = ()) -> Sop:
    private: Json = {"limits": {"find_s": 1}}
    if actions:
        private["skills"] = [{"id": "s", "app": "app", "actions": list(actions)}]
        private["steps"] = [{"node_id": "n", "primary_skill": "s"}]
    meta = {"id": "stopping", "title": "Stopping", "version": "1.0.0", "goal": "g", "schema": "1.0"}
    public = {"nodes": list(nodes), "edges": list(edges)}
    return Sop.model_validate({"meta": meta, "public": public, "private": private})


async def run(browser: Browser, sop: Sop, url: str, folder: Path, ended: list[float], began: asyncio.Event) -> None:
    """Run it once with everything that a run leaves behind."""
    clock = SystemClock()
    engine = Engine(model=Slow(), operator=UnattendedOperator(), clock=clock, autonomy=Autonomy.FULL, capture="steps")
    async with opened(browser, folder, masker=Masker(), tracing="on") as session:
        await session.context.pages[0].goto(url)
        with EventLog(folder / LOG_NAME, now=clock.now, masker=Masker()) as log:
            began.set()
            try:
                await engine.run(sop, browser=session.browser, log=log, variables={}, folder=folder)
            finally:
                ended.append(time.perf_counter())


async def stop(browser: Browser, mode: str, sop: Sop, url: str, after_s: float, folder: Path) -> Stop:
    """Begin a run, cancel it after that time, and look at what it left."""
    ended: list[float] = []
    began = asyncio.Event()
    task = asyncio.create_task(run(browser, sop, url, folder, ended, began))
    await began.wait()
    await asyncio.sleep(after_s)
    was_over, was_closing = task.done(), bool(ended)
    cancelled = time.perf_counter()
    task.cancel()
    await asyncio.wait([task])
    over = time.perf_counter()
    wrong = () if was_over else tuple(_wrong(folder, browser, was_closing=was_closing))
    events = read_log(folder)
    last = OVER if was_over else "run_finished" if was_closing else events[-2].type
    return Stop(
        mode, round(after_s, 3), round(max(ended[0] - cancelled, 0), 4), round(over - cancelled, 4), last, wrong
    )


def _wrong(folder: Path, browser: Browser, *, was_closing: bool) -> list[str]:
    """``was_closing`` is a run that had ended by itself, and whose session was being closed."""
    found = []
    events = read_log(folder)
    end = events[-1]
    if not (isinstance(end, RunFinished) and (was_closing or end.status == "cancelled")):
        found.append(f"the log ends with {end.type}")
    if [event.seq for event in events] != list(range(1, len(events) + 1)):
        found.append("events are missing")
    if sum(isinstance(event, RunFinished) for event in events) != 1:
        found.append("not one end")
    if browser.contexts:
        found.append(f"{len(browser.contexts)} sessions are open")
    try:
        with zipfile.ZipFile(folder / TRACE_NAME) as trace:
            if trace.testzip() is not None or not trace.namelist():
                found.append("the trace is broken")
    except (OSError, zipfile.BadZipFile) as error:
        found.append(f"no trace: {error}")
    return found


async def measured(stops: int, seed: int) -> Json:
    drawn = random.Random(seed)
    found: list[Stop] = []
    executable = find_browser(None, headed=False).executable
    async with launched(executable=executable, arguments=launch_arguments()) as browser:
        with serving() as site, tempfile.TemporaryDirectory() as kept:
            site.pages = {"/": PAGE, "/two": TWO}
            for mode, sop in modes(f"{site.url}/").items():
                whole = Path(kept) / f"{mode}-whole"
                whole.mkdir()
                started = time.perf_counter()
                await run(browser, sop, f"{site.url}/", whole, [], asyncio.Event())
                length_s = time.perf_counter() - started
                for number in range(stops):
                    folder = Path(kept) / f"{mode}-{number}"
                    folder.mkdir()
                    after_s = drawn.uniform(0, length_s)
                    found.append(await stop(browser, mode, sop, f"{site.url}/", after_s, folder))
                    print(found[-1], flush=True)
    real = [each for each in found if each.last != OVER]
    return {
        "stops": len(real),
        "over_already": len(found) - len(real),
        "left_behind_wrong": [asdict(each) for each in real if each.wrong],
        "until_ended": _spread([each.run_s for each in real]),
        "until_closed": _spread([each.all_s for each in real]),
        "by_mode": {
            mode: {"stops": len(those), "until_ended": _spread([each.run_s for each in those]),
                   "until_closed": _spread([each.all_s for each in those])}
            for mode in dict.fromkeys(each.mode for each in real)
            if (those := [each for each in real if each.mode == mode])
        },
        "each": [asdict(each) for each in real],
    }  # fmt: skip


def _spread(values: Sequence[float]) -> Json:
    ordered = sorted(values)
    return {
        "median_s": round(statistics.median(ordered), 4),
        "p95_s": round(ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))], 4),
        "most_s": ordered[-1],
        "within_0.5_s": sum(value <= 0.5 for value in ordered),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stops", type=int, default=12, help="Of each mode.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    told = asyncio.run(measured(arguments.stops, arguments.seed))
    print(json.dumps({key: value for key, value in told.items() if key != "each"}, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
