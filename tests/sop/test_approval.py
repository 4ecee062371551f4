"""What validation says of approval before a browser is opened, and what patterns mean."""

from __future__ import annotations

import time
from typing import Any

import pytest

from sopbench.sop.document import Sop
from sopbench.sop.globs import fits
from sopbench.sop.unapproved import approval_findings

Json = dict[str, Any]
DELETE: Json = {"do": "click", "target": {"role": "button", "name": "Delete record"}}


def document(action: Json, *rules: Json, **node: Any) -> Sop:
    return Sop.model_validate(
        {
            "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
            "public": {"nodes": [{"id": "work", "type": "task", "label": "Work", **node}]},
            "private": {
                "skills": [{"id": "s", "app": "a", "actions": [action]}],
                "steps": [{"node_id": "work", "primary_skill": "s"}],
                "approval": {"rules": list(rules)},
            },
        }
    )


def told(sop: Sop) -> list[tuple[str, str]]:
    return [(finding.severity, finding.pointer) for finding in approval_findings(sop)]


def test_an_action_that_will_be_asked_about_is_told_before_the_run() -> None:
    [finding] = approval_findings(document(DELETE))

    assert (finding.severity, finding.pointer) == ("warning", "/private/skills/0/actions/0")
    assert "done only if the operator approves it: it looks like a deletion" in finding.message
    assert "'private.approval'" in finding.hint


@pytest.mark.parametrize(
    "sop",
    [
        document(DELETE, {"arguments": {"target.name": "Delete record"}, "then": "approve"}),
        document(DELETE, {"action": "click", "origin": "https://app.test", "then": "approve"}),
        document(DELETE, approval="ask"),
        document({**DELETE, "effect": "read"}),
        document({**DELETE, "target": {"role": "button", "name": "{{ what }}"}}),
    ],
    ids=["approved by a rule", "by a rule for an origin", "asked for with its step", "only reads", "not known yet"],
)
def test_what_the_document_speaks_of_is_not_told(sop: Sop) -> None:
    assert told(sop) == []


def test_a_rule_for_a_node_that_is_not_there_is_an_error() -> None:
    sop = document({"do": "reload"}, {"node": "wrok", "then": "reject"}, {"node": "w*k", "then": "reject"})

    assert told(sop) == [("error", "/private/approval/rules/0/node")]


@pytest.mark.parametrize(
    ("pattern", "text", "does_fit"),
    [
        ("Delete", "delete", True),
        ("Delete", "Delete it", False),
        ("delete *", " Delete \u00a0\n it ", True),
        ("delete*", "De\u200blete", True),
        ("*", "", True),
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("*b*c*", "a b c d", True),
        ("*c*b*", "a b c d", False),
        ("a?", "ab", False),
        ("[ab]", "a", False),
        ("[ab]", "[AB]", True),
        ("ab*bc", "abc", False),
        ("", "", True),
        ("", "a", False),
    ],
)
def test_a_star_stands_for_any_characters_and_nothing_else_has_a_meaning(
    pattern: str, text: str, does_fit: bool
) -> None:
    assert fits(pattern, text) is does_fit


def test_no_pattern_takes_long() -> None:
    started = time.process_time()

    assert not fits("*a" * 500 + "*b", "a" * 200_000)

    assert time.process_time() - started < 1
