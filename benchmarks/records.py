"""How long it takes to load many stored runs into frames, and how much memory.

``python benchmarks/records.py --runs 10000 100000 1000000 --json OUT`` makes stored runs of 20 steps each with the
store's own writer, then loads the frames that summaries are made of (runs, nodes, days, excluded) in a process of its
own and tells its time and peak memory.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]

from sopbench.records.parquet_store import ParquetStore
from sopbench.records.store import frame_of
from sopbench.records.tables import BY_NAME
from sopbench.trials.loading import load_runs

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

Json = dict[str, Any]
STEPS_A_RUN = 20
CALLS_A_RUN = 2
BATCH = 50_000
SECONDS_BETWEEN = 30
BEGAN = np.datetime64("2025-11-01T00:00:00", "us")
MOST_S, MOST_BYTES = 10.0, 2_000_000_000
"""For a million runs."""
SCENARIOS = ("gmail_airtable", "weekly_update", "pocketbase")
CONDITIONS = ("clean", "slow-network", "flaky-network", "logged-out", "overlay", "renamed-labels")
VERDICTS = ("passed", "failed_silent", "failed_safe", "failed_harmful", "broken")


def make_store(records: Path, runs: int) -> Json:
    """Write the rows of so many runs; the same ones each time."""
    store = ParquetStore(records)
    started = time.perf_counter()
    for start in range(0, runs, BATCH):
        store.add(made(start, min(BATCH, runs - start)), {})
    files = list(store.folder.rglob("*.parquet"))
    return {
        "write_s": time.perf_counter() - started,
        "bytes": sum(file.stat().st_size for file in files),
        "batches": store.batches,
    }


def made(start: int, number: int) -> dict[str, pd.DataFrame]:
    """The rows of some runs: steps that mostly go right, some retried, healed or failed."""
    rng = np.random.default_rng(start)
    keys = rng.integers(0, 2**63, number)
    scenario = rng.choice(SCENARIOS, number)
    condition = rng.choice(CONDITIONS, number)
    verdict = rng.choice(VERDICTS, number, p=[0.96, 0.002, 0.03, 0.003, 0.005])
    passed = verdict == "passed"
    grade = np.where(passed, rng.choice(["clean", "recovered"], number, p=[0.93, 0.07]), "")
    began = BEGAN + np.arange(start, start + number) * np.timedelta64(SECONDS_BETWEEN, "s")
    stamps = pd.Series(began).dt.strftime("%Y%m%d-%H%M%S")
    names = (
        stamps
        + "-"
        + scenario
        + "-ordinary_day-"
        + condition
        + "-"
        + pd.Series(np.arange(start, start + number) % 20 + 1).astype(str)
    )
    runs = {
        "key": keys,
        "folder": names,
        "run": names,
        "scenario": scenario,
        "case": "ordinary_day",
        "condition": condition,
        "trial": np.arange(start, start + number) % 20 + 1,
        "seed": rng.integers(0, 2**32, number),
        "sop": scenario,
        "version": "1.0.0",
        "sha256": np.char.multiply(np.char.array(scenario).astype("U1"), 64),
        "site": rng.choice(["mock", "real"], number, p=[0.9, 0.1]),
        "llm": rng.choice(["replay", "live"], number, p=[0.8, 0.2]),
        "autonomy": "light",
        "began": began,
        "verdict": verdict,
        "grade": grade,
        "cause": np.where(grade == "clean", "", rng.choice(["timing", "target", "network", "model"], number)),
        "reason": np.where(passed, "", "the button 'Save' was not found on the page after the search"),
        "status": np.where(passed, "completed", "failed"),
        "duration_s": rng.lognormal(2.6, 0.3, number),
        "steps": STEPS_A_RUN,
        "retries": rng.poisson(0.1, number),
        "model_calls": CALLS_A_RUN,
        "live_calls": 0,
        "input_tokens": rng.poisson(3000, number),
        "output_tokens": rng.poisson(300, number),
        "cost_usd": rng.exponential(0.01, number),
    }
    return {
        "runs": _frame("runs", runs, number),
        "steps": _steps(keys, scenario, rng),
        "model_calls": _calls(keys, rng),
    }


def _steps(keys: np.ndarray[Any, Any], scenario: np.ndarray[Any, Any], rng: np.random.Generator) -> pd.DataFrame:
    number = len(keys) * STEPS_A_RUN
    nodes = np.array([f"L1_C{node}_do_something" for node in range(STEPS_A_RUN)])
    retried, failed = rng.random(number) < 0.02, rng.random(number) < 0.002
    duration = rng.lognormal(-0.5, 0.5, number)
    steps = {
        "key": np.repeat(keys, STEPS_A_RUN),
        "step": np.tile(np.arange(1, STEPS_A_RUN + 1), len(keys)),
        "node": np.tile(nodes, len(keys)),
        "visit": 1,
        "kind": "task",
        "label": np.tile(np.char.replace(nodes, "_", " "), len(keys)),
        "path": np.where(np.arange(number) % 3 == 0, "L1_process_threads[0]", ""),
        "outcome": np.where(failed, "failed", "done"),
        "tier": np.where(failed, "", np.where(retried, "retried", "exact")),
        "branch": np.where(failed, "", "next"),
        "attempts": 1 + retried,
        "duration_s": duration,
        "own_s": duration,
        "error": np.where(failed | retried, "TargetNotFound", ""),
        "cause": np.where(failed | retried, "target", ""),
        "message": np.where(failed, "button 'Save' was not found", ""),
    }
    return _frame("steps", steps, number)


def _calls(keys: np.ndarray[Any, Any], rng: np.random.Generator) -> pd.DataFrame:
    number = len(keys) * CALLS_A_RUN
    calls = {
        "key": np.repeat(keys, CALLS_A_RUN),
        "step": rng.integers(1, STEPS_A_RUN, number),
        "node": "L1_C3_do_something",
        "purpose": "decide",
        "model": "a-model",
        "replayed": True,
        "input_tokens": rng.poisson(300, number),
        "output_tokens": rng.poisson(30, number),
        "cost_usd": rng.exponential(0.005, number),
        "duration_s": rng.lognormal(0, 0.5, number),
        "question": "Is it a mail of an investor?",
        "question_id": rng.choice([f"{each:016x}" for each in range(200)], number),
        "answer": '{"choice": "yes", "quote": "our round"}',
    }
    return _frame("model_calls", calls, number)


def _frame(table: str, columns: Json, number: int) -> pd.DataFrame:
    """With the columns that are not given as they are when empty."""
    empty = frame_of(BY_NAME[table], [{}]).iloc[0].to_dict()
    return pd.DataFrame({name: columns.get(name, empty[name]) for name in BY_NAME[table].names}, index=range(number))


def load(records: str, told: Queue[Json]) -> None:
    """In a process of its own: load the frames and tell what that took."""
    before = _peak_bytes()
    started, busy = time.perf_counter(), time.process_time()
    frames = load_runs(records)
    rows = {name: len(getattr(frames, name)) for name in ("runs", "nodes", "days", "excluded")}
    told.put(
        {
            "load_s": time.perf_counter() - started,
            "processor_s": time.process_time() - busy,
            "peak_bytes": _peak_bytes(),
            "peak_bytes_before": before,
            "rows": rows,
            "visits": int(frames.nodes["visits"].sum()),
        }
    )


def _peak_bytes() -> int:
    """Of this process alone; what Linux's getrusage tells begins with the peak of the process that started it."""
    status = Path("/proc/self/status")
    if status.exists():
        told = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(told["VmHWM"].split()[0]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def measured(runs: int, folder: Path) -> Json:
    """Make a store of so many runs and load it."""
    records = folder / str(runs)
    records.mkdir()
    context = multiprocessing.get_context("spawn")
    wrote = make_store(records, runs)
    told: Queue[Json] = context.Queue()
    process = context.Process(target=load, args=(str(records), told))
    process.start()
    found = told.get(timeout=600)
    process.join()
    shutil.rmtree(records)
    if found["rows"]["runs"] != runs:
        raise SystemExit(f"{runs} runs were made and {found['rows']['runs']} were loaded")
    return {"runs": runs, "steps": runs * STEPS_A_RUN} | wrote | found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for runs in given.runs:
            each = measured(runs, Path(folder))
            results.append(each)
            print(
                f"{runs:>9,} runs, {each['steps']:>10,} steps: {each['load_s']:.2f} s"
                f" ({each['processor_s']:.2f} s of processor), {each['peak_bytes'] / 1e9:.2f} GB at most;"
                f" written in {each['write_s']:.1f} s, {each['bytes'] / 1e6:.0f} MB"
            )
    good = all(
        each["load_s"] < MOST_S and each["peak_bytes"] < MOST_BYTES for each in results if each["runs"] <= 1_000_000
    )
    if given.json:
        told = {"most_s": MOST_S, "most_bytes": MOST_BYTES, "good": good, "results": results}
        given.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
