"""What a document may let an exploration do, checked before a browser is opened."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.sop.document import Sop
from sopbench.sop.explorable import named_addresses
from sopbench.sop.graph import check
from sopbench.sop.problems import Finding


def sop(**more: Any) -> Sop:
    node = {"id": "find", "type": "explore", "label": "Find", "goal": "g", "done_when": {"url": "*/bills"}, **more}
    skill = {"id": "go", "app": "app", "actions": [{"do": "navigate", "url": "https://app.test/{{ where }}"}]}
    return Sop.model_validate(
        {
            "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
            "public": {
                "nodes": [{"id": "go", "type": "task", "label": "Go"}, node],
                "edges": [{"source": "go", "target": "find"}],
                "variables": {"where": "x", "host": "https://app.test"},
            },
            "private": {"skills": [skill], "steps": [{"node_id": "go", "primary_skill": "go"}]},
        }
    )


def of_node(found: list[Finding]) -> list[tuple[str, str, str]]:
    return [(each.pointer, each.message, each.hint) for each in found if each.pointer.startswith("/public/nodes/1/")]


def test_an_exploration_within_its_bounds_has_no_findings() -> None:
    document = sop(allowed=["click", "navigate"], origins=["https://app.test", "http://localhost:8000", "{{ host }}"])

    assert of_node(check(document)) == []


@pytest.mark.parametrize(
    ("verb", "hint"), [("clik", "did you mean 'click'?"), ("drag", "there are click"), ("call_tool", "there are click")]
)
def test_a_verb_that_no_exploration_can_use_is_an_error(verb: str, hint: str) -> None:
    [(pointer, message, hinted)] = of_node(check(sop(allowed=["click", verb])))

    assert (pointer, message) == ("/public/nodes/1/allowed/1", f"an exploration cannot be allowed {verb!r}")
    assert hinted.startswith(hint)


@pytest.mark.parametrize(
    ("origin", "hint"),
    [
        ("https://app.test/bills", "did you mean 'https://app.test'?"),
        ("https://app.test/", "did you mean 'https://app.test'?"),
        ("https://APP.test:443", "did you mean 'https://app.test'?"),
        ("app.test", "scheme, host and port: 'https://app.example.com'"),
        ("*", "scheme, host and port: 'https://app.example.com'"),
    ],
)
def test_what_is_no_origin_is_an_error(origin: str, hint: str) -> None:
    assert of_node(check(sop(origins=[origin]))) == [("/public/nodes/1/origins/0", f"{origin!r} is no origin", hint)]


def test_a_skill_of_an_exploration_is_a_warning() -> None:
    document = sop()
    private = document.private
    bound = private.model_copy(
        update={"steps": (private.steps[0], private.steps[0].model_copy(update={"node_id": "find"}))}
    )

    found = check(document.model_copy(update={"private": bound}))

    assert ["this skill is never done" in each.message for each in found if each.pointer == "/private/steps/1"] == [
        True
    ]


def test_the_addresses_that_actions_open_are_known() -> None:
    assert named_addresses(sop()) == ["https://app.test/{{ where }}"]
