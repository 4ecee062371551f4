"""Heals of past runs become proposals; a person takes or refuses them, and the document keeps its shape."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sopbench.errors import UsageError
from sopbench.events.log import LOG_NAME, EventLog
from sopbench.events.masking import Masker
from sopbench.events.types import (
    ActionFailed,
    AlternativeTaken,
    RunStarted,
    StepFailed,
    StepFinished,
    StepStarted,
    TargetHealed,
)
from sopbench.records.heals import Proposal, adopted, healed_too_often, heals_in, proposals, reject
from sopbench.sop.document import Sop
from sopbench.sop.loader import load
from sopbench.sop.places import place_of

NEW = {"role": "button", "name": "Store", "exact": True}
DOCUMENT = """{
  "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
  "public": {
    "nodes": [{"id": "save", "type": "task", "label": "Save it"}],
    "variables": {"who": "Ada"}
  },
  "private": {
    "skills": [
      {
        "id": "ui_save",
        "app": "app",
        "actions": [
          {"do": "click",  "target": {"role": "button", "name": "Save"}, "expect": [{"visible": {"role": "status"}}]},
          {"do": "click", "target": {"role": "link", "name": "{{ who }}"}, "expect": [{"url": "*/done"}]}
        ]
      }
    ],
    "steps": [{"node_id": "save", "primary_skill": "ui_save"}]
  }
}
"""
Record = Callable[..., Path]


@pytest.fixture
def document(tmp_path: Path) -> Path:
    file = tmp_path / "p.sop.json"
    file.write_text(DOCUMENT)
    return file


@pytest.fixture
def record(tmp_path: Path, document: Path) -> Record:
    """Keep a run in which the action of that number was healed; ``held`` says whether its step finished."""

    def keep(*, action: int = 0, target: dict[str, Any] | None = None, held: bool = True, healed: bool = True) -> Path:
        runs = tmp_path / "runs"
        folder = runs / f"run-{len(list(runs.glob('*'))):03}"
        folder.mkdir(parents=True)
        with EventLog(folder / LOG_NAME, now=lambda: datetime.now(UTC), masker=Masker([])) as log:
            log.append(_started(document))
            log.append(StepStarted(step=1, node="save", kind="task", label="Save it"))
            if healed:
                log.append(_healed(action, target or NEW))
            log.append(_finished() if held else _failed())
        return runs

    return keep


def _started(document: Path) -> RunStarted:
    return RunStarted(
        sop="p",
        title="P",
        version="1.0.0",
        sha256=hashlib.sha256(document.read_bytes()).hexdigest(),
        autonomy="light",
        variables={},
        limits={},
        context={"document": str(document)},
    )


def _healed(action: int, target: dict[str, Any]) -> TargetHealed:
    old = {"role": "button", "name": "Save"}
    return TargetHealed(
        step=1, action=action, says="button 'Store'", by="score", old=old, new={"role": "button", "name": "Store"},
        target=target, candidates=3, score=1.0, probability=0.99, margin=0.5,
    )  # fmt: skip


def _finished() -> StepFinished:
    return StepFinished(step=1, node="save", condition="next", tier="healed", attempts=2, duration_s=1)


def _failed() -> StepFailed:
    return StepFailed(
        step=1, node="save", attempts=2, duration_s=1, error="ExpectationFailed", message="no", cause="target"
    )


def only(runs: Path, **more: Any) -> Proposal:
    (proposal,) = proposals(runs, **more)
    return proposal


def test_what_was_healed_alike_in_several_runs_is_one_proposal(record: Record) -> None:
    record()
    record(healed=False)
    runs = record()

    proposal = only(runs)

    assert (proposal.number, proposal.node, proposal.label) == (1, "save", "Save it")
    assert (proposal.times, proposal.runs, proposal.of) == (2, 2, 3)
    assert proposal.state == "open"
    assert proposal.pointer == "/private/skills/0/actions/0/target"


def test_a_heal_whose_step_did_not_finish_is_no_proposal(record: Record) -> None:
    assert proposals(record(held=False)) == []


def of_two_skills(document: Path) -> Sop:
    """The procedure with another skill for its step."""
    data = json.loads(DOCUMENT)
    [ui] = data["private"]["skills"]
    data["private"]["skills"].append({**ui, "id": "other"})
    data["private"]["steps"][0]["alt_skills"] = ["other"]
    document.write_text(json.dumps(data))
    return load(document).sop


def taken() -> AlternativeTaken:
    return AlternativeTaken(step=1, skill="other", method="ui", instead_of="ui_save", why="")


def failing() -> ActionFailed:
    return ActionFailed(step=1, action=0, duration_s=0, error="ExpectationFailed", message="", performed=True)


BEGUN = StepStarted(step=1, node="save", kind="task", label="Save it")


def test_a_heal_after_which_the_step_was_done_another_way_is_no_proposal(document: Path) -> None:
    first = [_started(document), BEGUN, _healed(0, NEW)]

    assert list(heals_in([*first, taken(), _finished()])) == []
    assert list(heals_in([*first, failing(), _finished()])) == []


def test_a_heal_in_an_alternative_is_proposed_for_that_skill(document: Path) -> None:
    sop = of_two_skills(document)

    [heal] = heals_in([_started(document), BEGUN, taken(), _healed(0, NEW), _finished()])

    assert (heal.skill, heal.place) == ("other", "save/other/0")
    assert place_of(sop, "save", 0).pointer == "/private/skills/0/actions/0"
    assert place_of(sop, heal.node, 0, heal.skill).pointer == "/private/skills/1/actions/0"


def test_only_the_last_runs_count(record: Record) -> None:
    record()
    runs = record(healed=False)

    assert proposals(runs, last=1) == []


def test_an_adopted_proposal_changes_that_target_and_nothing_else(record: Record, document: Path) -> None:
    before, after = adopted(only(record()))

    assert before == DOCUMENT == document.read_text()
    new = {**NEW, "fingerprint": {"role": "button", "name": "Store"}}
    assert json.loads(after)["private"]["skills"][0]["actions"][0]["target"] == new
    gone = '{"do": "click",  "target": {"role": "button", "name": "Save"}, "expect"'
    kept_lines = set(before.splitlines()) - set(after.splitlines())
    assert [line.strip()[: len(gone)] for line in kept_lines] == [gone]


def test_a_proposal_is_void_once_the_document_has_changed(record: Record, document: Path) -> None:
    runs = record()
    document.write_text(DOCUMENT.replace("Save it", "Save it now"))

    proposal = only(runs)

    assert (proposal.state, proposal.why) == ("void", "the document has changed since")
    with pytest.raises(UsageError, match="proposal 1 is void: the document has changed since"):
        adopted(proposal)


@pytest.mark.parametrize("text", ["no JSON", None], ids=["broken since", "gone"])
def test_a_document_that_cannot_be_read_any_more_makes_its_proposals_void(
    text: str | None, record: Record, document: Path
) -> None:
    runs = record()
    document.write_text(text) if text else document.unlink()

    assert only(runs).state == "void"


def test_a_rejected_proposal_is_not_open_again_and_another_one_is(record: Record, document: Path) -> None:
    runs = record()
    file = reject(only(runs))
    record(target={"css": "#other"})

    first, second = proposals(runs)

    assert file == document.with_name("p.rejected-heals.json")
    assert (first.state, second.state) == ("rejected", "open")
    with pytest.raises(UsageError, match="is rejected"):
        adopted(first)


def test_a_target_that_speaks_of_variables_is_left_to_a_person(record: Record) -> None:
    proposal = only(record(action=1))

    assert proposal.state == "by hand"
    with pytest.raises(UsageError, match="depends on variables"):
        adopted(proposal)


def test_words_of_a_page_never_become_a_template(record: Record) -> None:
    assert only(record(target={"text": "{{ gmail_password }}"})).state == "by hand"


def test_a_folder_that_is_not_there_is_an_error_and_not_an_empty_list(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder of runs; see --records"):
        proposals(tmp_path / "nowhere")


def test_a_log_without_a_first_line_is_passed_over(record: Record) -> None:
    runs = record()
    (runs / "killed").mkdir()
    (runs / "killed" / LOG_NAME).write_text("")

    assert only(runs).state == "open"


@pytest.mark.parametrize(
    ("runs", "found"),
    [
        ([("a",)] * 3, [("a", 3)]),
        ([("a",)] * 2, []),
        ([("a", "a", "a"), ("b",)], [("a", 3)]),
        ([("a",)] * 3 + [()] * 10, []),
    ],
)  # fmt: skip
def test_more_than_two_heals_of_a_step_in_its_last_ten_runs_are_too_many(
    runs: list[tuple[str, ...]], found: list[tuple[str, int]]
) -> None:
    assert healed_too_often(runs) == found
