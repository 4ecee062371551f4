"""Where actions stand in a document, and what kind of element each verb needs."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from sopbench.sop.actions import AnyAction, ElementAction
from sopbench.sop.document import Sop
from sopbench.sop.places import place_of, places
from sopbench.sop.verbs.base import ElementKind

ACTION: TypeAdapter[AnyAction] = TypeAdapter(AnyAction)


@pytest.mark.parametrize("verb", get_args(ElementAction), ids=lambda verb: verb.__name__)
def test_every_verb_for_an_element_says_what_the_element_must_take(verb: Any) -> None:
    assert verb.takes in get_args(ElementKind)


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ({"do": "press", "key": "Enter", "target": {"label": "Name"}}, "fill"),
        ({"do": "press", "key": "Enter"}, None),
        ({"do": "extract", "into": "v", "target": {"css": "h1"}}, "read"),
        ({"do": "extract", "into": "v", "target": {"css": "h1"}, "all": True}, None),
        ({"do": "extract", "into": "v", "target": {"css": "h1"}, "optional": True}, None),
        ({"do": "extract", "into": "v", "table": {"css": "table"}}, None),
        ({"do": "navigate", "url": "https://x.example/"}, None),
    ],
)  # fmt: skip
def test_only_what_is_done_to_a_single_element_names_one(action: dict[str, Any], kind: str | None) -> None:
    element = ACTION.validate_python(action).element()

    assert (element and element[0]) == kind


def document() -> Sop:
    step = {"do": "press", "key": "Tab"}
    return Sop.model_validate(
        {
            "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
            "public": {"nodes": [{"id": each, "type": "task", "label": each} for each in ("a", "b")]},
            "private": {
                "skills": [
                    {"id": "idle", "app": "x", "actions": [step]},
                    {"id": "both", "app": "x", "actions": [step, step]},
                ],
                "steps": [{"node_id": each, "primary_skill": "both"} for each in ("a", "b")],
            },
        }
    )


def test_an_action_has_a_place_for_each_node_that_does_it() -> None:
    found = [(place.node.id, place.number, place.pointer) for place in places(document())]

    first, second = "/private/skills/1/actions/0", "/private/skills/1/actions/1"
    assert found == [("a", 0, first), ("a", 1, second), ("b", 0, first), ("b", 1, second)]


def test_a_place_that_is_not_there_is_an_error() -> None:
    with pytest.raises(LookupError, match="node 'a' does no action 2"):
        place_of(document(), "a", 2)
