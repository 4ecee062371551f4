"""Good documents, and old ones."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sopbench.errors import DocumentInvalid
from sopbench.sop.flow import Flow
from sopbench.sop.loader import load, validate
from sopbench.sop.nodes import DecisionNode
from sopbench.sop.verbs.pages import Navigate

Json = dict[str, Any]
Writer = Callable[[Json], Path]

COMPAT = Path(__file__).parents[3] / "shared" / "compat"
needs_compat = pytest.mark.skipif(not COMPAT.is_dir(), reason=f"the example documents are not at {COMPAT}")


def test_a_good_document_loads_without_a_word(good: Json, write: Writer) -> None:
    path = write(good)

    loaded = load(path)

    assert loaded.problems == ()
    assert loaded.runnable
    assert loaded.format == "1.0"
    assert loaded.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_label_that_names_an_address_becomes_an_action(good: Json, write: Writer) -> None:
    sop = load(write(good)).sop

    (skill,) = [each for each in sop.private.skills if each.id == "derived_open_inbox"]
    assert skill.actions == (Navigate(url="https://mail.example.com"),)
    assert any(binding.primary_skill == skill.id for binding in sop.private.steps)


def test_notes_of_others_are_allowed_everywhere(good: Json, write: Writer) -> None:
    good["x-origin"] = {"any": ["thing"]}
    good["private"]["skills"][0]["actions"][0]["target"]["x-seen"] = 3

    assert validate(write(good)) == []


def test_a_node_that_is_bound_to_a_skill_with_no_actions_is_a_marker(good: Json, write: Writer) -> None:
    good["private"]["skills"][1]["actions"] = []

    assert validate(write(good)) == []


def test_missing_environment_is_noted_when_asked_for(good: Json, write: Writer) -> None:
    path = write(good)

    (note,) = validate(path, env={})

    assert (note.severity, note.pointer, note.hint) == ("note", "/public/variables/password", "set MAIL_PW")
    assert validate(path, env={"MAIL_PW": "x"}) == []


def test_the_error_of_an_invalid_document_survives_pickling(tmp_path: Path) -> None:
    with pytest.raises(DocumentInvalid) as caught:
        load(tmp_path / "none.json")

    copy = pickle.loads(pickle.dumps(caught.value))

    assert copy.data["problems"] == caught.value.data["problems"]


@needs_compat
@pytest.mark.parametrize("name", ["investor-crm.sop-v0.6.2.json", "investor-crm.sop-v0.8.json"])
def test_documents_from_recordings_are_valid_but_cannot_run_yet(name: str) -> None:
    loaded = load(COMPAT / name)

    assert not loaded.runnable
    assert {each.severity for each in loaded.problems} == {"note"}
    assert sum("has no actions" in each.message for each in loaded.problems) >= 9
    assert sum("does not say what its items are" in each.message for each in loaded.problems) == 1
    assert f"{name}:" in str(loaded.problems[0])


@needs_compat
def test_prose_decisions_become_questions() -> None:
    sop = load(COMPAT / "investor-crm.sop-v0.8.json").sop

    decisions = [node for node in sop.public.nodes if isinstance(node, DecisionNode)]

    for node in decisions:
        assert node.criteria is not None
        assert node.criteria.question is not None
        assert set(node.criteria.question.choices) == {"yes", "no"}
    assert len(decisions) == 2


@needs_compat
def test_in_062_the_step_outside_the_loop_is_taken_into_it_with_its_children_in_order() -> None:
    flow = Flow(load(COMPAT / "investor-crm.sop-v0.6.2.json").sop)

    update = "L1_C9_update_existing_record"
    assert flow.innermost_loop(update) == "L1_process_emails"
    assert [flow.next_node(child, "next") for child in flow.children(update)] == [*flow.children(update)[1:], None]
    assert flow.start == "T0_open_gmail"
    assert flow.next_node("T0_open_gmail", "next") == "L1_process_emails"


@needs_compat
def test_a_workflow_document_is_refused_by_name() -> None:
    (problem,) = validate(COMPAT / "gmail-investor-crm.workflow-v1.json")

    assert problem.message == "workflow 1.0 documents are not read yet"
