"""What a run saw of its elements goes into the document: what stays, not what was of the day."""

from __future__ import annotations

import json
from typing import Any

from sopbench.events.types import Event, StepStarted, TargetSeen, VariableSet
from sopbench.records.recorded_targets import with_fingerprints
from sopbench.sop.document import Sop

SAVE = {"role": "button", "name": "Save"}
OPEN = {"role": "link", "name": "{{ who }}"}
DOCUMENT: dict[str, Any] = {
    "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
    "public": {"nodes": [{"id": "work", "type": "task", "label": "Work"}]},
    "private": {
        "skills": [
            {"id": "s", "app": "a", "actions": [{"do": "click", "target": SAVE}, {"do": "click", "target": OPEN}]}
        ],
        "steps": [{"node_id": "work", "primary_skill": "s"}],
    },
}


def recorded(*events: Event) -> list[dict[str, Any]]:
    """The targets of the document afterwards."""
    text, _ = with_fingerprints(json.dumps(DOCUMENT, indent=2), Sop.model_validate(DOCUMENT), events)
    return [action["target"] for action in json.loads(text)["private"]["skills"][0]["actions"]]


def met(step: int, action: int, fingerprint: dict[str, Any], *, exact: bool = False) -> list[Event]:
    return [
        StepStarted(step=step, node="work", kind="task", label="Work"),
        TargetSeen(step=step, action=action, fingerprint=fingerprint, exact=exact),
    ]


def test_a_target_gets_what_its_element_was_like() -> None:
    save, other = recorded(*met(1, 0, {"role": "button", "name": "Save it", "id": "save"}))

    assert save == {**SAVE, "fingerprint": {"role": "button", "name": "Save it", "id": "save"}}
    assert other == OPEN


def test_words_that_were_all_the_element_says_become_exact() -> None:
    save, _ = recorded(*met(1, 0, {"role": "button", "name": "Save"}, exact=True))

    assert save["exact"] is True


def test_of_an_element_met_several_times_only_what_was_the_same_is_kept() -> None:
    first = met(1, 0, {"role": "button", "name": "Save", "index": 0, "near": "one"})
    second = met(2, 0, {"role": "button", "name": "Save", "index": 4})

    save, _ = recorded(*first, *second)

    assert save["fingerprint"] == {"role": "button", "name": "Save"}


def test_what_speaks_of_the_days_data_is_left_out() -> None:
    told = VariableSet(step=1, name="who", value={"full": "Ada King"}, source="page")
    seen = {
        "role": "link",
        "name": "Ada King",
        "href": "/people",
        "near": "Ada King, London",
        "container": ["row 'Ada King'"],
    }

    _, link = recorded(told, *met(1, 1, seen, exact=True))

    assert link == {**OPEN, "exact": True, "fingerprint": {"role": "link", "href": "/people"}}
