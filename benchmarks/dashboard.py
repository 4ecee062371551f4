"""How long the dashboard takes from many stored runs, and how much memory.

``python benchmarks/dashboard.py --runs 10000 100000 1000000 --json OUT`` makes stored runs as ``records.py`` does, then
loads them, counts the dashboard's facts and writes its page, in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from records import make_store

from sopbench.reporting.dashboard.from_frames import dashboard_facts
from sopbench.reporting.dashboard.page import dashboard_page
from sopbench.trials.loading import load_runs

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

Json = dict[str, Any]
MOST_S = 20.0
"""For a million runs."""


def make_page(records: str, told: Queue[Json]) -> None:
    """In a process of its own: from stored runs to the page."""
    started, busy = time.perf_counter(), time.process_time()
    frames = load_runs(records)
    loaded = time.perf_counter()
    facts = dashboard_facts(frames, datetime.now(UTC))
    counted = time.perf_counter()
    page = dashboard_page(facts)
    (Path(records) / "index.html").write_text(page, encoding="utf-8")
    told.put(
        {
            "load_s": loaded - started,
            "facts_s": counted - loaded,
            "page_s": time.perf_counter() - counted,
            "all_s": time.perf_counter() - started,
            "processor_s": time.process_time() - busy,
            "peak_bytes": _peak_bytes(),
            "page_bytes": len(page.encode()),
            "trials": facts.trials,
            "counted": sum(scenario.trials for scenario in facts.scenarios),
        }
    )


def _peak_bytes() -> int:
    """Of this process alone; where Linux tells, since its ``ru_maxrss`` begins with that of the process before it."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text("utf-8").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def measured(runs: int, folder: Path) -> Json:
    """Make a store of so many runs, and the page from it."""
    records = folder / str(runs)
    records.mkdir()
    make_store(records, runs)
    context = multiprocessing.get_context("spawn")
    told: Queue[Json] = context.Queue()
    process = context.Process(target=make_page, args=(str(records), told))
    process.start()
    found = told.get(timeout=600)
    process.join()
    return {"runs": runs, **found}


def main() -> None:
    """Measure, print a table, and write the figures; exit code 1 when a million takes too long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for runs in options.runs:
            found.append(each := measured(runs, Path(folder)))
            print(
                f"{runs:>9,} runs  load {each['load_s']:6.2f} s  facts {each['facts_s']:6.2f} s  "
                f"page {each['page_s']:5.2f} s  all {each['all_s']:6.2f} s "
                f"({each['processor_s']:.2f} s of processor)  {each['peak_bytes'] / 1e6:,.0f} MB"
            )
    if options.json:
        options.json.write_text(json.dumps({"most_s": MOST_S, "measured": found}, indent=2) + "\n", encoding="utf-8")
    sys.exit(any(each["runs"] >= 1_000_000 and each["all_s"] > MOST_S for each in found))


if __name__ == "__main__":
    main()
