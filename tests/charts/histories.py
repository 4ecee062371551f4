"""Frames of runs that never were: a month of three scenarios, drawn with a fixed seed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from sopbench.records.frames import RunFrames
from sopbench.records.parquet_store import ParquetStore
from sopbench.records.store import batch_of
from sopbench.records.tables import key_of

FIRST = datetime(2026, 10, 25, 3, tzinfo=UTC)
NODES = ("open_mail", "is_investor", "search_crm", "open_record", "save_record", "label_mail")
CONDITIONS = ("clean", "slow-network", "renamed-labels")
CAUSES = ("timing", "target", "network")

Rows = dict[str, list[dict[str, Any]]]


def a_month() -> RunFrames:
    """Four weeks of mock trials, from cassettes and with live decisions; from the 21st night on the model is worse."""
    return RunFrames.from_rows(**rows_of_a_month())


def store_a_month(records: Path) -> None:
    """The same month as a store beside its runs, whose folders are gone."""
    rows = rows_of_a_month()
    for name, own in rows.items():
        for row in own:
            row["key"] = key_of(row["run"])
            if name == "runs":
                row["folder"] = row["run"]
            else:
                del row["run"]
    ParquetStore(records).add(batch_of(rows), {})


def rows_of_a_month(days: int = 28, a_night: int = 6, model_falls_on: int = 20) -> Rows:
    """The rows, by table."""
    rng = np.random.default_rng(4)
    rows: Rows = {"runs": [], "steps": [], "decisions": [], "model_calls": []}
    for day in range(days):
        for scenario in ("gmail_airtable", "weekly_update"):
            for condition in CONDITIONS:
                for number in range(a_night):
                    llm = "replay" if number % 2 else "live"
                    falls = llm == "live" and day >= model_falls_on
                    rate = 0.7 if falls else 0.97 if condition == "clean" else 0.9
                    _run(rows, rng, day, scenario, condition, number, llm, rate)
    return rows


def _run(
    rows: Rows, rng: np.random.Generator, day: int, scenario: str, condition: str, number: int, llm: str, rate: float
) -> None:
    passed, broke = rng.random() < rate, rng.random() < 0.01
    recovered = passed and rng.random() < 0.1
    began = FIRST + timedelta(days=day, minutes=len(rows["runs"]) % 1000)
    run = f"{began:%Y%m%d-%H%M%S}-{scenario}-ordinary_day-{condition}-{number}"
    verdict = (
        "broken" if broke else "passed" if passed else str(rng.choice(["failed_safe", "failed_silent"], p=[0.9, 0.1]))
    )
    rows["runs"].append(
        {
            "run": run,
            "scenario": scenario,
            "case": "ordinary_day",
            "condition": condition,
            "trial": number + 1,
            "seed": len(rows["runs"]),
            "sop": scenario,
            "version": "1.0.0",
            "sha256": scenario[0] * 64,
            "site": "mock",
            "llm": llm,
            "autonomy": "light",
            "began": began,
            "verdict": verdict,
            "grade": ("recovered" if recovered else "clean") if verdict == "passed" else "",
            "cause": "" if verdict == "passed" and not recovered else str(rng.choice(CAUSES)),
            "status": "completed",
            "duration_s": float(rng.lognormal(2.6, 0.3)),
            "steps": len(NODES),
            "steps_retried": int(recovered),
            "model_calls": 1,
            "live_calls": int(llm == "live"),
            "input_tokens": int(rng.poisson(3000)),
            "output_tokens": int(rng.poisson(300)),
            "cost_usd": float(rng.gamma(4, 0.003)),
        }
    )
    failing = int(rng.integers(len(NODES))) if not passed or recovered else -1
    for step, node in enumerate(NODES, start=1):
        duration = float(rng.lognormal(-0.5 + 0.3 * (node == "search_crm"), 0.5))
        failed = step - 1 == failing and not passed
        rows["steps"].append(
            {
                "run": run,
                "step": step,
                "node": node,
                "kind": "decision" if node == "is_investor" else "task",
                "label": node.replace("_", " ").capitalize(),
                "outcome": "failed" if failed else "done",
                "tier": "" if failed else "retried" if step - 1 == failing else "exact",
                "branch": "" if failed else "yes" if node == "is_investor" else "next",
                "attempts": 2 if step - 1 == failing else 1,
                "duration_s": duration,
                "own_s": duration,
            }
        )
        if failed:
            break
    question = int(rng.integers(5))
    wrong = llm == "live" and day >= 20 and question < 2
    answer = "no" if wrong else "yes"
    rows["decisions"].append(
        {
            "run": run,
            "step": 2,
            "node": "is_investor",
            "branch": answer,
            "by": "model",
            "choice": answer,
            "confidence": "high",
            "question_id": f"q{question}",
        }
    )
    rows["model_calls"].append(
        {
            "run": run,
            "step": 2,
            "node": "is_investor",
            "purpose": "decide",
            "model": "model-b" if llm == "live" else "model-a",
            "replayed": llm == "replay",
            "input_tokens": 3000,
            "output_tokens": 300,
            "cost_usd": 0.012,
            "duration_s": float(rng.lognormal(0, 0.4)),
            "question": f"Is mail {question} from an investor?",
            "question_id": f"q{question}",
            "answer": f'{{"choice": "{answer}"}}',
        }
    )
