"""Ways that explorations found become proposals; a person takes or refuses them, and the document keeps its shape."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sopbench.errors import UsageError
from sopbench.events.log import LOG_NAME, EventLog
from sopbench.events.masking import Masker
from sopbench.events.types import (
    ActionFailed,
    ExplorationFinished,
    ExplorationStarted,
    RunStarted,
    StepFailed,
    StepFinished,
    StepStarted,
)
from sopbench.records.heals import Proposal, reject
from sopbench.records.proposals import adopted, proposals
from sopbench.reporting.heals import heal_lines
from sopbench.sop.loader import load

MENU = {"do": "click", "target": {"role": "button", "name": "Account", "exact": True}, "effect": "read"}
BILLS = {"do": "click", "target": {"role": "link", "name": "Bills", "exact": True}, "effect": "read"}
FIND = {"do": "fill", "target": {"role": "searchbox"}, "value": "{{ who }}"}
DOCUMENT = """{
  "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
  "public": {
    "nodes": [
      {"id": "save", "type": "task", "label": "Save it"},
      {
        "id": "find",
        "type": "explore",
        "label": "Find the bills",
        "goal": "open the bills of {{ who }}",
        "done_when": {"visible": {"role": "heading", "name": "Bills"}},
        "max_steps": 5,
        "timeout_s": 60
      }
    ],
    "edges": [{"source": "save", "target": "find"}],
    "variables": {"who": "Ada"}
  },
  "private": {
    "skills": [
      {
        "id": "ui_save",
        "app": "app",
        "actions": [
          {"do": "navigate", "url": "https://app.test/"},
          {"do": "click", "target": {"role": "button", "name": "Save"}, "expect": [{"visible": {"role": "status"}}]}
        ]
      }
    ],
    "steps": [{"node_id": "save", "primary_skill": "ui_save"}]
  }
}
"""


@pytest.fixture
def document(tmp_path: Path) -> Path:
    file = tmp_path / "p.sop.json"
    file.write_text(DOCUMENT)
    return file


def record(
    document: Path,
    *way: dict[str, Any],
    node: str = "find",
    failed: int | None = None,
    held: bool = True,
    path: Sequence[str] = (),
) -> Path:
    """Keep a run in which this way was found, in place of the action of that number if one failed."""
    runs = document.parent / "runs"
    folder = runs / f"run-{len(list(runs.glob('*'))):03}"
    folder.mkdir(parents=True)
    kind = "explore" if node == "find" else "task"
    sha256 = hashlib.sha256(document.read_bytes()).hexdigest()
    with EventLog(folder / LOG_NAME, now=lambda: datetime.now(UTC), masker=Masker([])) as log:
        log.append(
            RunStarted(
                sop="p", title="P", version="1.0.0", sha256=sha256, autonomy="full", variables={}, limits={},
                context={"document": str(document)},
            )
        )  # fmt: skip
        log.append(StepStarted(step=1, node=node, kind=kind, label=node, path=tuple(path)))
        if failed is not None:
            log.append(
                ActionFailed(step=1, action=failed, duration_s=1, error="TargetNotFound", message="", performed=False)
            )
        log.append(
            ExplorationStarted(
                step=1, goal="g", done_when=("x",), allowed=("click",), origins=("https://app.test",), max_steps=5
            )
        )
        log.append(ExplorationFinished(step=1, reached=True, steps=len(way), why="x", way=way))
        if held:
            log.append(StepFinished(step=1, node=node, condition="next", tier="explored", attempts=1, duration_s=1))
        else:
            log.append(StepFailed(step=1, node=node, attempts=1, duration_s=1, error="e", message="m", cause="target"))
    return runs


def only(runs: Path) -> Proposal:
    (proposal,) = proposals(runs)
    return proposal


def test_a_way_found_alike_in_several_runs_is_one_proposal(document: Path) -> None:
    record(document, MENU, BILLS)
    proposal = only(record(document, MENU, BILLS))

    assert (proposal.state, proposal.pointer, proposal.runs) == ("open", "/public/nodes/1", 2)
    assert [line.strip() for line in heal_lines([proposal])][:3] == [
        f"1  {document} · find 'find'  explored in 2 of the last 2 runs",
        "way click button 'Account'",
        "way click link 'Bills'",
    ]


def test_a_way_whose_step_did_not_finish_is_no_proposal(document: Path) -> None:
    assert proposals(record(document, MENU, held=False)) == []


def test_an_adopted_way_makes_the_exploration_a_task(document: Path) -> None:
    before, after = adopted(only(record(document, FIND, BILLS)))
    document.write_text(after)

    assert before == DOCUMENT
    loaded = load(document)
    loaded.require_runnable()
    data = json.loads(after)
    assert data["public"]["nodes"][1] == {
        "id": "find",
        "type": "task",
        "label": "Find the bills",
        "timeout_s": 60,
        "intent": "open the bills of {{ who }}",
    }
    assert data["private"]["skills"][1] == {
        "id": "find_explored",
        "app": "app.test",
        "actions": [FIND, {**BILLS, "expect": [{"visible": {"role": "heading", "name": "Bills"}}]}],
    }
    assert data["private"]["steps"][1] == {"node_id": "find", "primary_skill": "find_explored"}


def test_what_an_adopted_way_does_not_touch_stays_as_it_is(document: Path) -> None:
    before, after = adopted(only(record(document, MENU)))

    changes = list(difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))
    gone = [line for line in changes[2:] if line.startswith("-")]
    assert '-          {"do": "navigate", "url": "https://app.test/"},' not in gone
    assert len(gone) <= 11


def test_an_adopted_way_stands_in_place_of_the_action_that_failed(document: Path) -> None:
    proposal = only(record(document, MENU, BILLS, node="save", failed=1))
    _, after = adopted(proposal)

    assert proposal.pointer == "/private/skills/0/actions/1"
    assert json.loads(after)["private"]["skills"][0]["actions"] == [
        {"do": "navigate", "url": "https://app.test/"},
        MENU,
        {**BILLS, "expect": [{"visible": {"role": "status"}}]},
    ]


def test_a_rejected_way_is_not_proposed_again(document: Path) -> None:
    runs = record(document, MENU)
    reject(only(runs))

    again, other = only(runs), proposals(record(document, BILLS))

    assert (again.state, again.why) == ("rejected", "it was rejected")
    assert [each.state for each in other] == ["rejected", "open"]
    with pytest.raises(UsageError, match="proposal 1 is rejected"):
        adopted(again)


def test_a_way_is_void_once_the_document_has_changed(document: Path) -> None:
    runs = record(document, MENU)
    document.write_text(DOCUMENT.replace("Save it", "Save it now"))

    assert (only(runs).state, only(runs).why) == ("void", "the document has changed since")


def test_a_way_that_was_found_for_one_item_is_for_a_person(document: Path) -> None:
    proposal = only(record(document, MENU, path=["each[0]"]))

    assert proposal.state == "by hand"
    assert "one item of a loop" in proposal.why


def test_a_way_by_words_that_look_like_a_template_is_for_a_person(document: Path) -> None:
    proposal = only(record(document, {**MENU, "target": {"text": "{{ who }}"}}))

    assert (proposal.state, proposal.why) == ("by hand", "the page's words look like a template")
