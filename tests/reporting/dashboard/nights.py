"""Runs of many nights, made up from a seed: one scenario under several conditions, with steps."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

NODES = (
    ("open", "task", "Open the mail", 0.6),
    ("read", "loop", "Read each thread", 0.0),
    ("ask", "decision", "Is it about an investment?", 1.4),
    ("look_up", "task", "Look the investor up by e-mail", 1.1),
    ("save", "task", "Save the record", 2.2),
)
BEGAN = datetime(2026, 10, 1, 2)  # noqa: DTZ001 - the store's moments are UTC without saying so


def nights(
    number: int = 30,
    trials: int = 12,
    conditions: dict[str, float] | None = None,
    *,
    seed: int = 1,
    scenario: str = "gmail_airtable",
    silent: float = 0.0,
    **fields: Any,
) -> dict[str, list[dict[str, Any]]]:
    """Rows for ``RunFrames.from_rows``; ``conditions`` says how often a trial passes under each."""
    chance = random.Random(seed)
    runs: list[dict[str, Any]] = []
    steps: list[dict[str, Any]] = []
    for night in range(number):
        for condition, rate in (conditions or {"clean": 0.985}).items():
            for trial in range(1, trials + 1):
                run = f"{scenario}-{night:03d}-{condition}-{trial}"
                runs.append(_run(chance, run, scenario, condition, night, trial, rate, silent) | fields)
                steps += _steps(chance, run, runs[-1])
    return {"runs": runs, "steps": steps}


def _run(
    chance: random.Random, run: str, scenario: str, condition: str, night: int, trial: int, rate: float, silent: float
) -> dict[str, Any]:
    verdict, grade, cause = "passed", "clean", ""
    if chance.random() > rate:
        verdict, grade, cause = "failed_safe", "", "network"
        if chance.random() < silent:
            verdict = chance.choice(["failed_silent", "failed_silent", "failed_harmful"])
    elif chance.random() < 0.1 + 0.5 * (1 - rate):
        grade = "recovered"
    if chance.random() < 0.004:
        verdict, grade, cause = "broken", "", ""
    calls = chance.randint(4, 9)
    newer = night >= 18
    return {
        "run": run, "folder": run, "scenario": scenario, "case": "ordinary_day", "condition": condition, "trial": trial,
        "seed": night * 1000 + trial, "sop": scenario, "version": "1.1.0" if newer else "1.0.0",
        "sha256": ("b" if newer else "a") * 64, "site": "mock", "llm": "live", "autonomy": "light",
        "began": BEGAN + timedelta(days=night, minutes=trial), "verdict": verdict, "grade": grade, "cause": cause,
        "reason": "the record of Ada Lovelace has the amount 25, and should have 250" if "failed" in verdict else "",
        "status": "completed", "duration_s": chance.lognormvariate(2.6, 0.12), "steps": 5, "model_calls": calls,
        "live_calls": calls, "input_tokens": calls * 410, "output_tokens": calls * 45, "cost_usd": calls * 0.0021,
    }  # fmt: skip


def _steps(chance: random.Random, run: str, told: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for number, (node, kind, label, own_s) in enumerate(NODES, start=1):
        retried = told["grade"] == "recovered" and node == "save"
        own = own_s * chance.lognormvariate(0, 0.2)
        rows.append(
            {
                "run": run, "step": number, "node": node, "kind": kind, "label": label, "outcome": "done",
                "tier": "retried" if retried else "exact", "attempts": 2 if retried else 1,
                "duration_s": own, "own_s": own,
            }
        )  # fmt: skip
    if told["verdict"] == "failed_safe":
        rows[-1] |= {"outcome": "failed", "tier": "", "error": "TargetNotFound"}
    return rows
