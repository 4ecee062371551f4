"""Old formats, and what labels say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sopbench.sop.actions import AnyAction
from sopbench.sop.document import Variable
from sopbench.sop.formats.derive import action_of
from sopbench.sop.loader import load, validate
from sopbench.sop.nodes import LoopNode
from sopbench.sop.targets import Target, TextIs
from sopbench.sop.verbs.fields import Fill, Press, Select, SetChecked
from sopbench.sop.verbs.pages import Navigate, WaitFor
from sopbench.sop.verbs.pointer import Click

Json = dict[str, Any]
Writer = Callable[[Json], Path]

BUTTON_OR_LINK = ("button", "link")


@pytest.mark.parametrize(
    ("label", "action"),
    [
        ("Click 'Submit'", Click(target=Target(role=BUTTON_OR_LINK, name="Submit"))),
        ('Press the "Save" button', Click(target=Target(role="button", name="Save"))),
        ("Click on the “Don't save” link.", Click(target=Target(role="link", name="Don't save"))),
        ("Open https://mail.example.com/#inbox", Navigate(url="https://mail.example.com/#inbox")),
        ("Go to airtable.com", Navigate(url="https://airtable.com")),
        ("Navigate to 'https://x.example/a b'", None),
        ("Type 'Nova' into 'Name'", Fill(target=Target(label="Name"), value="Nova")),
        ("Enter {{ mail.from }} in the 'Email' field", Fill(target=Target(label="Email"), value="{{ mail.from }}")),
        ("Fill 'Email' with 'a@b.c'", Fill(target=Target(label="Email"), value="a@b.c")),
        ("Select 'Lead' in 'Stage'", Select(target=Target(label="Stage"), option="Lead")),
        ("Check 'Follow-up Needed'", SetChecked(target=Target(label="Follow-up Needed"))),
        ("Uncheck the 'Done' checkbox", SetChecked(target=Target(label="Done"), checked=False)),
        ("Press Enter", Press(key="Enter")),
        ("Wait for 'Saved' to appear", WaitFor(expect=(TextIs(text="Saved"),))),
        ("Open Gmail Inbox", None),
        ("Open report.pdf", None),
        ("Update 'Thread Summary / Notes'", None),
        ("Click 'A' and then 'B'", None),
        ("Click the first row", None),
    ],
)
def test_a_label_is_an_action_only_if_it_says_all_of_it(label: str, action: AnyAction | None) -> None:
    assert action_of(label) == action


@pytest.fixture
def old() -> Json:
    return {
        "meta": {"id": "REPLACE_WITH_UUID", "title": "Old", "version": "0.7.0", "goal": "x", "tags": ["a"]},
        "public": {
            "nodes": [
                {"id": "a", "type": "task", "label": "Open https://x.example", "colour": "red"},
                {"id": "l", "type": "loop", "label": "Each", "iterator": "e-mail in inbox", "children": ["c"]},
                {"id": "c", "type": "task", "label": "Click 'Next'"},
            ],
            "edges": [{"source": "a", "target": "l", "condition": "start", "weight": 1}],
            "variables": {"base url": "string (the address)", "tries": 3},
            "triggers": [{"type": "manual"}],
        },
    }  # fmt: skip


def test_an_old_document_is_read_with_all_it_has(old: Json, write: Writer) -> None:
    loaded = load(write(old))

    loop = loaded.sop.public.nodes[1]
    assert isinstance(loop, LoopNode)
    assert loop.as_ == "e_mail_in_inbox"
    assert loaded.sop.public.edges[0].condition == "next"
    assert loaded.sop.public.variables == {
        "base_url": Variable(type="string", description="string (the address)"),
        "tries": 3,
    }
    assert loaded.format == "0.7.0"


def test_an_old_document_that_says_enough_is_runnable(old: Json, write: Writer) -> None:
    old["public"]["nodes"][1]["items"] = "[1, 2]"

    assert load(write(old)).runnable


def test_an_old_document_with_an_edge_to_nowhere_is_invalid(old: Json, write: Writer) -> None:
    old["public"]["edges"][0]["target"] = "ll"

    (error,) = validate(write(old))

    assert (error.severity, error.pointer) == ("error", "/public/edges/0/target")


def test_an_old_document_with_a_missing_branch_is_valid_but_cannot_run(old: Json, write: Writer) -> None:
    old["public"]["nodes"].append({"id": "d", "type": "decision", "label": "Good?"})
    old["public"]["nodes"][1] |= {"children": ["c", "d"], "items": "[1]"}
    old["public"]["edges"] += [{"source": "c", "target": "d"}, {"source": "d", "target": "l", "condition": "yes"}]

    loaded = load(write(old))

    assert not loaded.runnable
    assert [each.message for each in loaded.problems] == ["decision 'd' does not branch"]


def test_an_old_document_with_an_unknown_kind_of_node_is_invalid(old: Json, write: Writer) -> None:
    old["public"]["nodes"][0]["type"] = "taks"

    (error,) = validate(write(old))

    assert (error.pointer, error.hint) == ("/public/nodes/0/type", "did you mean 'task'?")
