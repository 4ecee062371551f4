"""From a judged trial to its row among the runs, and to those of its faults."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sopbench.records.tables import Row
    from sopbench.trials.record import TrialRecord
    from sopbench.trials.stored import StoredTrial
    from sopbench.trials.verdict import Judgement

REASON_CHARS = 500


def run_row(key: int, trial: StoredTrial, judgement: Judgement) -> Row:
    """The run's row, with the judgement that counts."""
    record, start = trial.record, trial.start
    figures = record.figures
    return {
        "key": key,
        "folder": trial.folder.name,
        "run": trial.run,
        "scenario": record.scenario,
        "case": record.case,
        "condition": record.condition,
        "trial": record.trial,
        "seed": record.seed,
        "sop": start.sop if start else "",
        "version": start.version if start else "",
        "sha256": start.sha256 if start else "",
        "site": record.site,
        "llm": record.llm,
        "autonomy": record.autonomy,
        "began": _moment(trial.began),
        "verdict": judgement.verdict.value,
        "grade": judgement.grade.value if judgement.grade else "",
        "cause": judgement.cause,
        "reason": judgement.reason[:REASON_CHARS],
        "status": figures.status,
        "duration_s": figures.duration_s,
        "steps": figures.steps,
        "retries": figures.retries,
        **{
            f"steps_{tier}": figures.tiers.get(tier, 0)
            for tier in ("retried", "healed", "alternative", "explored", "assisted")
        },
        "tool_calls": figures.tool_calls,
        "model_calls": figures.model_calls,
        "live_calls": figures.live_calls,
        "input_tokens": figures.input_tokens,
        "output_tokens": figures.output_tokens,
        "cost_usd": figures.cost_usd if figures.model_calls else 0.0,
        "strikes": sum(fault.strikes for fault in record.faults),
    }


def fault_rows(key: int, record: TrialRecord) -> list[Row]:
    """A row for each fault of the trial's condition."""
    return [
        {
            "key": key,
            "fault": fault.fault,
            "cause": fault.cause,
            "site": fault.site,
            "strikes": fault.strikes,
            "first_seq": fault.first_seq,
            "parameters": json.dumps(fault.parameters, ensure_ascii=False, sort_keys=True),
            "when": json.dumps(fault.when, ensure_ascii=False, sort_keys=True),
        }
        for fault in record.faults
    ]


def _moment(began: str) -> datetime | None:
    """UTC; None when it is not known."""
    if not began:
        return None
    moment = datetime.fromisoformat(began)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
