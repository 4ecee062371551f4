"""``sopbench coverage``, and the gate's claim that nothing was left untried."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sopbench.cli import main
from sopbench.events.types import Event, StepFinished, StepStarted
from sopbench.trials.verdict import Verdict
from tests.trials.stored_runs import keep

DOCUMENT = """{
  "meta": {"id": "shop", "title": "Shop", "version": "1.0.0", "goal": "g", "schema": "1.0"},
  "public": {
    "nodes": [
      {"id": "open", "type": "decision", "label": "Open?", "criteria": {"checks": [{"if": {"that": "n > 1"}, "then": "yes"}]}},
      {"id": "bought", "type": "end", "label": "Bought"},
      {"id": "closed", "type": "end", "label": "Closed"}
    ],
    "edges": [
      {"source": "open", "target": "bought", "condition": "yes"},
      {"source": "open", "target": "closed", "condition": "no"}
    ],
    "variables": {"n": 1}
  }
}
"""  # noqa: E501
POLICY = '[[claims]]\nscenario = "shop"\ncoverage = {}\n'


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    Path("shop.sop.json").write_text(DOCUMENT, encoding="utf-8")
    Path("gate.toml").write_text(POLICY, encoding="utf-8")
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def run(number: int, branch: str, verdict: Verdict = Verdict.PASSED, **fields: Any) -> Path:
    end = "bought" if branch == "yes" else "closed"
    events: tuple[Event, ...] = (
        StepStarted(step=1, node="open", kind="decision", label="Open?"),
        StepFinished(step=1, node="open", condition=branch, tier="exact", attempts=1, duration_s=1),
        StepStarted(step=2, node=end, kind="end", label=end),
    )
    sha256 = hashlib.sha256(Path("shop.sop.json").read_bytes()).hexdigest()
    return keep(Path("reports/runs"), number, verdict, events=events, sha256=fields.pop("sha256", sha256), **fields)


def test_what_was_never_taken_comes_first() -> None:
    run(1, "yes")
    run(2, "yes", condition="slow")

    done = call("coverage", "shop.sop.json")

    head, *lines = done.output.splitlines()
    words = [line.split() for line in lines]
    assert done.exit_code == 1
    assert head == "shop.sop.json · shop 1.0.0  2 trials (1 clean, 1 slow)"
    assert [line[:3] for line in words[:2]] == [["branch", "never", "open"], ["node", "never", "closed"]]
    assert ["node", "2", "trials", "open", "1", "clean,", "1", "slow", "·", "Open?"] in words
    assert lines[-1] == "  node 2 of 3 · branch 1 of 2"


def test_with_every_way_taken_the_answer_is_good() -> None:
    run(1, "yes")
    run(2, "no", Verdict.FAILED_SAFE)

    done = call("coverage", "shop.sop.json")

    assert done.exit_code == 0
    assert "never" not in done.output


def test_broken_trials_and_those_of_another_version_took_nothing_and_are_said() -> None:
    run(1, "yes")
    run(2, "no", Verdict.BROKEN)
    run(3, "no", sha256="b" * 64)
    log = run(4, "no") / "events.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines()
    log.write_text("\n".join([lines[0], "{", *lines[2:]]) + "\n", encoding="utf-8")

    done = call("coverage", "shop.sop.json", "--json")

    [told] = json.loads(done.stdout)
    assert told["trials"] == {"clean": 1}
    assert [(way["kind"], way["what"], way["trials"]) for way in told["ways"] if way["kind"] == "branch"] == [
        ("branch", "no", 0),
        ("branch", "yes", 1),
    ]
    assert [left.split(":")[0] for left in told["left_out"]] == [
        "1 run that broke",
        "1 run of another version of the document",
        "1 run with a log that cannot be read",
    ]


def test_without_a_trial_nothing_can_be_told() -> None:
    Path("reports/runs").mkdir(parents=True)

    done = call("coverage", "shop.sop.json")

    assert done.exit_code == 2
    assert "0 trials" in done.output


def test_the_gate_does_not_pass_over_a_branch_that_was_never_taken() -> None:
    run(1, "yes")
    untried = call("gate")
    run(2, "no")
    tried = call("gate")

    assert (untried.exit_code, tried.exit_code) == (2, 0)
    assert "2 of 5 ways (node, branch) never taken: branch open → no, node closed" in " ".join(untried.output.split())


def test_the_gate_says_nothing_of_ways_when_the_document_has_changed_since() -> None:
    run(1, "yes")
    run(2, "no")
    Path("shop.sop.json").write_text(DOCUMENT.replace("Open?", "Still open?"), encoding="utf-8")

    done = call("gate")

    assert done.exit_code == 2
    assert "which ways were taken cannot be told" in " ".join(done.output.split())
