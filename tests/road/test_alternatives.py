"""A step that the page no longer lets be done is done through the site's API, on the mock Airtable."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from sopbench.engine.context import Autonomy
from sopbench.events.log import LOG_NAME, read_log
from sopbench.events.types import AlternativeTaken, StepFailed, StepFinished
from sopbench.single_run import run_once
from sopbench.sop.loader import load
from sopbench.trials.case import load_case
from sopbench.trials.record import TrialRecord
from sopbench.trials.verdict import Grade, Verdict
from sopbench.wiring import Settings

Json = dict[str, Any]
SHORT_DAY = Path(__file__).resolve().parents[2] / "fixtures" / "cases" / "short_day"
API = "https://api.airtable.com/v0/appNorthwindCrm01/Investors"
SIGNED: Json = {"headers": {"Authorization": "Bearer {{ airtable_token }}"}}
GONE: Json = {
    "do": "click", "target": {"role": "button", "name": "Merge the investor"},
    "expect": [{"visible": {"role": "dialog"}}],
}  # fmt: skip
UPDATE: list[Json] = [
    {
        "do": "request", "url": API, "query": {"filterByFormula": "{Investor Name}='{{ name }}'"}, **SIGNED,
        "into": "found", "answer": {"properties": {"records": {"minItems": 1, "maxItems": 1}}, "required": ["records"]},
    },
    {
        "do": "request", "method": "PATCH", "url": API + "/{{ found.records[0].id }}", **SIGNED,
        "json": {"fields": {"Stage": "{{ stage }}", "Check Size (USD)": "{{ size }}"}}, "effect": "idempotent",
        "into": "kept", "expect": [{"that": "kept.fields['Check Size (USD)'] == size"}],
    },
]  # fmt: skip
CREATE: list[Json] = [
    {
        "do": "request", "method": "POST", "url": API, **SIGNED, "effect": "irreversible", "into": "made",
        "json": {
            "fields": {"Investor Name": "Saltmarsh Capital", "Stage": "Contacted", "Check Size (USD)": "{{ size }}"}
        },
        "expect": [{"that": "made.id.startswith('rec')"}],
    }
]  # fmt: skip


def document(folder: Path, *api: Json, page: Json = GONE) -> Path:
    """Open the base, then change a record: on the page or, where that fails, through the API."""
    view = "https://airtable.com/appNorthwindCrm01/tblInvestors00001/viwAllInvestors01"
    seen = {"visible": {"role": "grid"}, "timeout_s": 15}
    content = {
        "meta": {"id": "crm", "title": "Keep the CRM", "version": "1.0.0", "goal": "g", "schema": "1.0"},
        "public": {
            "nodes": [
                {"id": "open", "type": "task", "label": "Open the base"},
                {"id": "work", "type": "task", "label": "Change the record"},
            ],
            "edges": [{"source": "open", "target": "work"}],
            "variables": {
                "airtable_token": {"secret": True, "from_env": "AIRTABLE_TOKEN"},
                "name": "Amberline Capital", "stage": "Committed", "size": 275000,
            },
        },
        "private": {
            "limits": {"find_s": 2},
            "skills": [
                {"id": "open", "app": "Airtable", "actions": [{"do": "navigate", "url": view, "expect": [seen]}]},
                {"id": "page", "app": "Airtable", "actions": [page]},
                {"id": "api", "app": "Airtable", "method_type": "api", "actions": list(api)},
            ],
            "steps": [
                {"node_id": "open", "primary_skill": "open"},
                {"node_id": "work", "primary_skill": "page", "alt_skills": ["api"]},
            ],
            "approval": {
                "rules": [
                    {"action": "request", "origin": "https://api.airtable.com", "then": "approve"},
                    {"action": ["click", "navigate"], "then": "approve"},
                ]
            },
        },
    }  # fmt: skip
    path = folder / "crm.sop.json"
    path.write_text(json.dumps(content))
    return path


def day(folder: Path, *, row: str = "", amberline: bool = False) -> Path:
    """A day without mail, after which one record is changed or there is one more."""
    case = folder / "day"
    shutil.copytree(SHORT_DAY, case)
    shutil.rmtree(case / "mailbox")
    (case / "mailbox").mkdir()
    text = (case / "case.toml").read_text(encoding="utf-8")
    (case / "case.toml").write_text(re.sub(r"\[labels\].*?(?=\[base\])", "", text, flags=re.DOTALL), encoding="utf-8")
    before = (case / "before" / "Investors.csv").read_text(encoding="utf-8")
    after = before if not amberline else _committed(before)
    (case / "after" / "Investors.csv").write_text(after.rstrip("\n") + "\n" + row, encoding="utf-8")
    return case


def _committed(before: str) -> str:
    start, end = before.index("Amberline Capital"), before.index("Borealis Growth")
    changed = before[start:end].replace("Interested", "Committed").replace("250000", "275000")
    return before[:start] + changed + before[end:]


async def run(path: Path, case: Path, tmp_path: Path) -> TrialRecord:
    options = Settings(
        site="mock", records=tmp_path / "runs", screenshots="off", tracing="off", autonomy=Autonomy.DETERMINISTIC
    )
    done = await run_once(path, options, case, 0, lambda _: None)
    assert done.record is not None
    return done.record


@pytest.mark.parametrize("way", ["update", "create"])
async def test_what_the_page_no_longer_lets_be_done_is_done_through_the_api(way: str, tmp_path: Path) -> None:
    new = "Saltmarsh Capital,,,Contacted,,,,,275000\n"
    case = day(tmp_path, amberline=True) if way == "update" else day(tmp_path, row=new)
    path = document(tmp_path, *(UPDATE if way == "update" else CREATE))

    record = await run(path, case, tmp_path)

    assert (record.judgement.verdict, record.judgement.grade) == (Verdict.PASSED, Grade.RECOVERED), record.judgement
    assert record.judgement.cause == "target"
    assert record.figures.tiers == {"exact": 1, "alternative": 1}
    assert record.figures.tool_calls == (2 if way == "update" else 1)
    events = read_log(Path(record.folder))
    assert [(e.skill, e.method) for e in events if isinstance(e, AlternativeTaken)] == [("api", "api")]
    assert [e.tier for e in events if isinstance(e, StepFinished)] == ["exact", "alternative"]
    log = (Path(record.folder) / LOG_NAME).read_text(encoding="utf-8")
    token = load_case(case).base.token  # type: ignore[attr-defined]
    assert token not in log
    assert "Bearer •••••" in log


async def test_after_a_click_that_may_have_saved_the_api_is_not_used(tmp_path: Path) -> None:
    clicked: Json = {
        "do": "click",
        "target": {"role": "grid"},
        "expect": [{"visible": {"role": "dialog", "name": "x"}}],
    }

    record = await run(document(tmp_path, *CREATE, page=clicked), day(tmp_path), tmp_path)

    assert record.judgement.verdict is Verdict.FAILED_SAFE, record.judgement
    assert "no other skill was tried" in record.judgement.reason


async def test_an_api_that_is_none_of_the_mock_sites_cannot_be_reached(tmp_path: Path) -> None:
    elsewhere = [{**CREATE[0], "url": "https://api.example.com/records"}]
    path = document(tmp_path, *elsewhere)
    path.write_text(path.read_text().replace('https://api.airtable.com"', 'https://api.*.com"'))

    record = await run(path, day(tmp_path), tmp_path)

    events = read_log(Path(record.folder))
    assert record.judgement.verdict is Verdict.FAILED_SAFE, record.judgement
    [failed] = [event for event in events if isinstance(event, StepFailed)]
    assert failed.error == "ToolUnavailable"
    assert "https://api.example.com is none of the mock sites" in failed.message


def test_the_document_has_nothing_to_complain_of(tmp_path: Path) -> None:
    load(document(tmp_path, *UPDATE)).require_runnable()

    assert [problem for problem in load(document(tmp_path, *UPDATE)).problems if problem.severity != "note"] == []
