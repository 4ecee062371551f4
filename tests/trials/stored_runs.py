"""Runs as they lie in a folder of records: a log with a beginning and an end, and what was judged of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sopbench.events.types import Event, RunFinished, RunStarted
from sopbench.records.figures import Figures
from sopbench.records.folder import write_trial
from sopbench.trials.record import TrialRecord
from sopbench.trials.seeds import trial_seed
from sopbench.trials.verdict import Grade, Judgement, Verdict

MORNING = datetime(2026, 11, 21, 6, tzinfo=UTC)


def keep(
    records: Path,
    number: int = 1,
    verdict: Verdict = Verdict.PASSED,
    *,
    grade: Grade | None = Grade.CLEAN,
    sha256: str = "a" * 64,
    sop: str = "shop",
    minutes: float | None = None,
    events: tuple[Event, ...] = (),
    document: str = "shop.sop.json",
    **fields: Any,
) -> Path:
    """Keep one judged run; it began so many minutes after six, by default as many as its number says."""
    at = MORNING + timedelta(minutes=number if minutes is None else minutes)
    told = {
        "scenario": "shop", "case": "first_day", "condition": "clean", "trial": number,
        "seed": trial_seed(0, number), "site": "mock", "llm": "live", "autonomy": "light", **fields,
    }  # fmt: skip
    folder = records / f"{at:%Y%m%d-%H%M%S}-{told['scenario']}-{told['case']}-{told['condition']}-{number}"
    folder.mkdir(parents=True)
    context = {key: told[key] for key in ("scenario", "case", "condition", "trial", "seed")} | {"document": document}
    start = RunStarted(
        sop=sop, title="Shop", version="1.0.0", sha256=sha256, autonomy=told["autonomy"], variables={}, limits={},
        context=context,
    )  # fmt: skip
    end = RunFinished(status="completed", reason="the procedure came to its end", steps=1, duration_s=2)
    lines = [
        event.model_copy(update={"seq": seq, "at": at.isoformat(timespec="microseconds")}).model_dump_json()
        for seq, event in enumerate((start, *events, end), start=1)
    ]
    (folder / "events.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    judged = Judgement(verdict=verdict, grade=grade if verdict is Verdict.PASSED else None)
    figures = Figures(status="completed", duration_s=2.0)
    record = TrialRecord.model_validate({**told, "folder": str(folder), "figures": figures, "judgement": judged})
    write_trial(folder, record.model_dump(mode="json"))
    return folder
