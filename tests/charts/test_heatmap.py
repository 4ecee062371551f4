"""The procedure's graph, with what happened at each node."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sopbench.charts.data import NO_RUNS
from sopbench.charts.showing import Picture
from sopbench.charts.sop_heatmap import heatmaps, measures, procedures
from sopbench.records.frames import RunFrames
from sopbench.sop.loader import load

DOCUMENT = Path(__file__).parents[2] / "scenarios" / "gmail_airtable" / "gmail_airtable.sop.json"


def frames(records: str = "nowhere", **fields: Any) -> RunFrames:
    """Two visits of one node that took 3 of 4 seconds, with a failure; one of another one, retried."""
    loaded = load(DOCUMENT)
    run = {"run": "run-1", "scenario": "crm", "condition": "clean", "verdict": "failed_safe", "sop": loaded.sop.meta.id}
    steps = [
        {"node": "T3_search_mail", "own_s": 1.0, "outcome": "done", "attempts": 1},
        {"node": "T3_search_mail", "own_s": 2.0, "outcome": "failed", "attempts": 1},
        {"node": "T4_read_list", "own_s": 1.0, "outcome": "done", "attempts": 2, "tier": "healed"},
    ]
    made = RunFrames.from_rows(
        runs=[{**run, "sha256": loaded.sha256, **fields}],
        steps=[{"run": "run-1", "step": number, **step} for number, step in enumerate(steps, start=1)],
    )
    made.records = records
    return made


def test_time_is_of_all_and_the_rest_of_a_hundred_visits() -> None:
    (procedure,) = procedures(frames(), str(DOCUMENT))

    cells = measures(procedure)

    assert cells.loc["T3_search_mail"].to_dict() == {"time": 75.0, "retries": 0.0, "heals": 0.0, "failures": 50.0}
    assert cells.loc["T4_read_list"].to_dict() == {"time": 25.0, "retries": 100.0, "heals": 100.0, "failures": 0.0}
    assert cells.loc["T0_open_gmail"].isna().all(), "never visited is not the same as never failed"


def test_what_is_inside_a_node_stands_below_it() -> None:
    (procedure,) = procedures(frames(), str(DOCUMENT))

    depth = {row.node: row.depth for row in procedure.rows}
    order = [row.node for row in procedure.rows]
    assert depth["L1_process_threads"] == 0
    assert depth["L1_C4_A1_understand"] == 2
    assert order.index("L1_process_threads") < order.index("L1_C4_A1_understand") < order.index("E_end")


def test_the_document_is_found_by_the_log_of_the_last_run(tmp_path: Path) -> None:
    (tmp_path / "run-1").mkdir()
    start = {"type": "run_started", "sop": "x", "title": "x", "version": "1", "sha256": "", "autonomy": "light"}
    rest: dict[str, Any] = {"variables": {}, "limits": {}, "context": {"document": str(DOCUMENT)}}
    (tmp_path / "run-1" / "events.jsonl").write_text(json.dumps(start | rest) + "\n", encoding="utf-8")

    (procedure,) = procedures(frames(str(tmp_path)))

    assert procedure.title == "Daily investor mail into the CRM"
    assert procedure.remark == ""


def test_without_the_document_the_nodes_stand_as_they_were_visited() -> None:
    (procedure,) = procedures(frames())

    assert [row.node for row in procedure.rows] == ["T3_search_mail", "T4_read_list"]
    assert "was not found" in procedure.remark


def test_a_document_that_changed_since_is_said() -> None:
    (procedure,) = procedures(frames(sha256="0" * 64), str(DOCUMENT))

    assert "has changed since the last run" in procedure.remark


@pytest.mark.parametrize("document", [None, str(DOCUMENT)])
def test_it_is_drawn(document: str | None) -> None:
    words, picture = heatmaps(frames(), document)

    assert "1 trials" not in str(words)
    assert isinstance(picture, Picture)


def test_without_runs_it_says_so() -> None:
    assert heatmaps(RunFrames.from_rows()) == [NO_RUNS]
    assert [str(each) for each in heatmaps(frames(sop="", sha256=""))] == ["No run says which procedure it is of."]
