"""The study of causes: what counts, what is left out, and what is right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.causes import as_json, lines, study
from sopbench.records.figures import figures
from sopbench.records.folder import write_trial
from sopbench.trials.fault import Strike
from sopbench.trials.record import FaultRecord, TrialRecord
from sopbench.trials.verdict import Grade, Judgement, Verdict
from tests.trials.troubles import NOT_FOUND, attempt, page, run_of

SIGN_IN: dict[str, Any] = {"headings": ("Sign in",)}


def keep(
    records: Path,
    name: str,
    cause: str,
    *,
    facts: dict[str, Any] | None = None,
    struck_at: int = 1,
    verdict: Verdict = Verdict.FAILED_SAFE,
    faults: int = 1,
) -> None:
    """One run that failed on a page like this, with a fault of this cause."""
    folder = records / name
    folder.mkdir(parents=True)
    events = run_of(*attempt(NOT_FOUND, page(**(facts or {}))))
    (folder / "events.jsonl").write_text("".join(event.model_dump_json() + "\n" for event in events))
    struck = [
        FaultRecord(fault=f"acme.f{number}", cause=cause, parameters={}, when={}, strikes=1, first_seq=struck_at)
        for number in range(faults)
    ]
    strike = {"fault": "acme.f0", "number": 0, "action": 1, "step": 1, "at": "", "what": "", "cause": cause}
    line = Strike.model_validate({**strike, "seq": struck_at}).model_dump_json()
    (folder / "faults.jsonl").write_text(line + "\n")
    grade = Grade.CLEAN if verdict is Verdict.PASSED else None
    record = TrialRecord(
        scenario="s", case="c", condition=name, trial=1, seed=1, site="mock", llm="live", autonomy="light",
        folder=str(folder), faults=tuple(struck), figures=figures(events),
        judgement=Judgement(verdict=verdict, grade=grade, cause="model"),
    )  # fmt: skip
    write_trial(folder, record.model_dump(mode="json"))


def test_what_the_log_tells_is_held_against_the_fault_that_struck(tmp_path: Path) -> None:
    keep(tmp_path, "signed-out", "session", facts=SIGN_IN)
    keep(tmp_path, "removed", "target")
    keep(tmp_path, "field-renamed", "data")

    found = study([tmp_path])

    assert (found.right, len(found.trials)) == (2, 3)
    assert found.matrix() == {"target": {"target": 1}, "session": {"session": 1}, "data": {"target": 1}}
    assert as_json(found)["by_condition"]["field-renamed"] == {"true": "data", "trials": 1, "right": 0}
    assert "right: 2 of 3 (66.7%)" in lines(found)


def test_what_says_nothing_is_left_out_and_said(tmp_path: Path) -> None:
    keep(tmp_path, "late-strike", "session", struck_at=99)
    keep(tmp_path, "two-faults", "session", faults=2)
    keep(tmp_path, "clean-pass", "session", verdict=Verdict.PASSED)
    keep(tmp_path, "broke", "session", verdict=Verdict.BROKEN)

    found = study([tmp_path])

    assert found.trials == []
    assert found.left_out == {
        "the fault had not struck before the trouble": 1,
        "not under a single fault": 1,
        "passed clean": 1,
        "broken": 1,
    }
