"""Every mistake gives one problem, in its place, with what was probably meant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sopbench.errors import DocumentInvalid
from sopbench.sop.loader import load, validate
from sopbench.sop.problems import Severity

Json = dict[str, Any]
Change = Callable[[Json], object]

BAD: dict[str, tuple[Change, str, str, str, str]] = {
    # name: what is changed, the pointer, a text on the line, the message, the hint
    "edge to nowhere": (
        lambda d: d["public"]["edges"][1].update(target="is_relevent"),
        "/public/edges/1/target", "is_relevent", "no node 'is_relevent'", "did you mean 'is_relevant'?",
    ),
    "edge from nowhere": (
        lambda d: d["public"]["edges"][1].update(source="raed_mail"),
        "/public/edges/1/source", "raed_mail", "no node 'raed_mail'", "did you mean 'read_mail'?",
    ),
    "edge twice": (
        lambda d: d["public"]["edges"].append({"source": "open_inbox", "target": "done"}),
        "/public/edges/5", "{", "there is already an edge from 'open_inbox' on 'next'", "/public/edges/0",
    ),
    "edge into a loop": (
        lambda d: d["public"]["edges"][0].update(target="read_mail"),
        "/public/edges/0/target", "read_mail", "is inside 'each_mail'", "lead to 'each_mail' itself",
    ),
    "node twice": (
        lambda d: d["public"]["nodes"].append({"id": "done", "type": "end", "label": "Again"}),
        "/public/nodes/6/id", "done", "there is already a node 'done'", "/public/nodes/5",
    ),
    "child that is not there": (
        lambda d: d["public"]["nodes"][1]["children"].append("save_male"),
        "/public/nodes/1/children/3", "save_male", "no node 'save_male'", "did you mean 'save_mail'?",
    ),
    "parent that does not know": (
        lambda d: d["public"]["nodes"][5].update(parentId="each_mail"),
        "/public/nodes/5/parentId", "each_mail", "'each_mail' does not list it", "agree",
    ),
    "missing branch": (
        lambda d: d["public"]["edges"].pop(3),
        "/public/nodes/3/criteria/question/choices/no/then", "no", "no edge for its branch 'no'", "add an edge",
    ),
    "misspelt branch": (
        lambda d: d["public"]["edges"][2].update(condition="yess"),
        "/public/nodes/3/criteria/checks/0/then", "yes", "no edge for its branch 'yes'", "did you mean 'yess'?",
    ),
    "decision that does not branch": (
        lambda d: (d["public"]["nodes"][3].pop("criteria"), d["public"]["edges"].pop(3)),
        "/public/nodes/3", "{", "decision 'is_relevant' does not branch", "'no'",
    ),
    "loop that is not left": (
        lambda d: d["public"]["edges"].pop(4),
        "/public/nodes/1", "{", "nothing says what comes after the loop 'each_mail'", "'all_processed'",
    ),
    "item that never ends": (
        lambda d: d["public"]["edges"].append({"source": "save_mail", "target": "save_mail"}),
        "/public/nodes/4", "{", "of the loop 'each_mail' never ends: save_mail → save_mail", "lead an edge back",
    ),
    "circle without a way out": (
        lambda d: (
            d["public"]["nodes"].append({"id": "again", "type": "task", "label": "Press Enter"}),
            d["public"]["edges"][4].update(target="again"),
            d["public"]["edges"].append({"source": "again", "target": "open_inbox"}),
            d["public"]["nodes"].pop(5),
        ),
        "/public/nodes/0", "{", "no way out: open_inbox → each_mail → again → open_inbox", "add a decision",
    ),
    "node without a way to it": (
        lambda d: d["public"]["nodes"].append({"id": "lost", "type": "task", "label": "Press Enter"}),
        "/public/nodes/6", "{", "no way leads to node 'lost'", "lead an edge to it",
    ),
    "task by a wrong edge": (
        lambda d: d["public"]["edges"][0].update(condition="nxt"),
        "/public/edges/0/condition", "nxt", "a task never goes on by 'nxt'", "did you mean 'next'?",
    ),
    "unknown skill": (
        lambda d: d["private"]["steps"][0].update(primary_skill="reed"),
        "/private/steps/0/primary_skill", "reed", "no skill 'reed'", "did you mean 'read'?",
    ),
    "binding of no node": (
        lambda d: d["private"]["steps"][0].update(node_id="raed_mail"),
        "/private/steps/0/node_id", "raed_mail", "no node 'raed_mail'", "did you mean 'read_mail'?",
    ),
    "unbound task": (
        lambda d: (d["private"]["steps"].pop(1), d["private"]["skills"].pop(1)),
        "/public/nodes/4", "{", "task 'Save the mail' has no actions", "bind it to a skill",
    ),
    "loop without items": (
        lambda d: d["public"]["nodes"][1].pop("items"),
        "/public/nodes/1", "{", "does not say what its items are", "add 'items'",
    ),
    "undefined variable": (
        lambda d: d["private"]["skills"][1]["actions"][0].update(value="{{ foldr }}"),
        "/private/skills/1/actions/0/value", "foldr", "undefined variable 'foldr'", "did you mean 'folder'?",
    ),
    "undefined variable in an expression": (
        lambda d: d["public"]["nodes"][1].update(items="mail_list"),
        "/public/nodes/1/items", "mail_list", "undefined variable 'mail_list'", "",
    ),
    "broken template": (
        lambda d: d["private"]["skills"][1]["actions"][0].update(value="{{ folder"),
        "/private/skills/1/actions/0/value", "{{ folder", "not well-formed", "",
    ),
    "promise that nothing keeps": (
        lambda d: d["public"]["nodes"][2].update(variables_out={"subjekt": "string"}),
        "/public/nodes/2/variables_out/subjekt", "subjekt", "sets 'subjekt'", "did you mean 'subject'?",
    ),
    "unknown key in a target's place": (
        lambda d: d["private"]["skills"][1]["actions"][1].update(
            tagret=d["private"]["skills"][1]["actions"][1].pop("target")
        ),
        "/private/skills/1/actions/1/tagret", "tagret", "unknown key 'tagret'", "did you mean 'target'?",
    ),
    "unknown key in a node": (
        lambda d: d["public"]["nodes"][1].update(max_iteration=3),
        "/public/nodes/1/max_iteration", "3", "unknown key 'max_iteration'", "did you mean 'max_iterations'?",
    ),
    "unknown key deep in a target": (
        lambda d: d["private"]["skills"][1]["actions"][1]["target"].update(within={"rolle": "dialog"}),
        "/private/skills/1/actions/1/target/within/rolle", "dialog", "unknown key 'rolle'", "did you mean 'role'?",
    ),
    "unknown verb": (
        lambda d: d["private"]["skills"][1]["actions"][1].update(do="clik"),
        "/private/skills/1/actions/1/do", "clik", "unknown verb 'clik'", "did you mean 'click'?",
    ),
    "no verb": (
        lambda d: d["private"]["skills"][1]["actions"][1].pop("do"),
        "/private/skills/1/actions/1", "{", "missing key 'do'", "navigate",
    ),
    "unknown kind of node": (
        lambda d: d["public"]["nodes"][1].update(type="lopp"),
        "/public/nodes/1/type", "lopp", "unknown kind of node 'lopp'", "did you mean 'loop'?",
    ),
    "unknown expectation": (
        lambda d: d["private"]["skills"][1]["actions"][1].update(expect=[{"visibel": {"text": "Saved"}}]),
        "/private/skills/1/actions/1/expect/0/visibel", "visibel", "unknown key 'visibel'", "did you mean 'visible'?",
    ),
    "wrong type": (
        lambda d: d["public"]["nodes"][1].update(timeout_s="5"),
        "/public/nodes/1/timeout_s", "5", "expected a number or null, got text", "",
    ),
    "missing key": (
        lambda d: d["public"]["nodes"][0].pop("label"),
        "/public/nodes/0", "{", "missing key 'label'", "",
    ),
    "too small a number": (
        lambda d: d["public"]["nodes"][1].update(max_iterations=0),
        "/public/nodes/1/max_iterations", "0", "it must be at least 1", "",
    ),
    "name that is no name": (
        lambda d: d["private"]["skills"][0]["actions"][0].update(into="the subject"),
        "/private/skills/0/actions/0/into", "the subject", "'the subject' is no name", "",
    ),
    "target that says nothing": (
        lambda d: d["private"]["skills"][1]["actions"][1].update(target={"exact": True}),
        "/private/skills/1/actions/1/target", "target", "a target needs at least one of role", "",
    ),
    "target that says nothing, in an expectation": (
        lambda d: d["private"]["skills"][1]["actions"][1].update(expect=[{"visible": {"nth": 0}}]),
        "/private/skills/1/actions/1/expect/0/visible", "visible", "a target needs at least one of role", "",
    ),
    "another format": (
        lambda d: d["meta"].update(schema="2.0"),
        "/meta/schema", "2.0", "unknown format '2.0'", "1.0",
    ),
    "no format": (lambda d: d["meta"].pop("schema"), "/meta", "meta", "it does not say its format", '"schema": "1.0"'),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_mistake_is_one_problem_in_its_place_with_a_hint(
    name: str, good: Json, write: Callable[[Json], Path]
) -> None:
    change, pointer, on_the_line, message, hint = BAD[name]
    change(good)
    path = write(good)

    problems = validate(path)

    errors = [each for each in problems if each.severity == "error"]
    assert [each.pointer for each in errors] == [pointer], [str(each) for each in problems]
    (error,) = errors
    assert message in error.message
    assert hint in error.hint
    assert on_the_line in path.read_text().splitlines()[error.line - 1]
    assert str(error).startswith(f"{path}:{error.line} {pointer}: ")


@pytest.mark.parametrize(
    ("change", "pointer", "message"),
    [
        (
            lambda d: d["private"]["skills"].append({"id": "idle", "app": "mail", "actions": []}),
            "/private/skills/2", "no step uses the skill 'idle'",
        ),
        (
            lambda d: d["private"]["skills"][1]["actions"][1].pop("expect"),
            "/private/skills/1/actions/1", "'click' is irreversible and expects nothing",
        ),
        (
            lambda d: (
                d["private"]["skills"][1]["actions"][1].pop("expect"),
                d["private"]["skills"][1]["actions"][1].update(effect="idempotent"),
            ),
            "/private/skills/1/actions/1", "ends with 'click' and expects nothing",
        ),
        (
            lambda d: d["public"]["edges"].append({"source": "is_relevant", "target": "done", "condition": "maybe"}),
            "/public/edges/5/condition", "never chooses 'maybe'",
        ),
        (
            lambda d: d["public"]["nodes"][3].update(retry={"max_attempts": 5}),
            "/public/nodes/3/retry", "'retry' of decision 'is_relevant' is not heeded",
        ),
        (
            lambda d: d["public"]["nodes"][1].update(timeout_s=60),
            "/public/nodes/1/timeout_s", "'timeout_s' of 'each_mail' is not heeded",
        ),
        (
            lambda d: d["public"].update(
                interruptions=[
                    {"id": "out", "label": "Signed out", "when": [{"url": "*/login"}], "do": ["open_inbox"],
                     "then": "begin_again"}
                ]
            ),
            "/public/interruptions/0/then", "after 'out' the run shall begin again, but it may not",
        ),
        (
            lambda d: d["private"]["steps"].append({"node_id": "each_mail", "primary_skill": "read"}),
            "/private/steps/2", "the skill of 'each_mail' is not used",
        ),
        (
            lambda d: d["public"]["nodes"][3].update(
                criteria={"checks": [{"if": {"visible": {"role": "alert"}}, "then": "yes"}]}
            ),
            "/public/nodes/3/criteria", "sees on the page only when it is 'yes'",
        ),
    ],
)  # fmt: skip
def test_what_can_run_but_should_be_looked_at_is_a_warning(
    change: Change, pointer: str, message: str, good: Json, write: Callable[[Json], Path]
) -> None:
    change(good)

    loaded = load(write(good))

    severity: Severity = "warning"
    assert [(each.severity, each.pointer) for each in loaded.problems] == [(severity, pointer)]
    assert message in loaded.problems[0].message
    assert ": warning: " in str(loaded.problems[0])


def test_an_invalid_document_is_refused_with_all_its_errors(good: Json, write: Callable[[Json], Path]) -> None:
    good["public"]["nodes"][1]["type"] = "lopp"
    good["private"]["skills"][1]["actions"][0]["do"] = "fil"

    with pytest.raises(DocumentInvalid, match=r"'lopp'.*\n.*'fil'") as caught:
        load(write(good))

    assert len(caught.value.data["problems"]) == 2


def test_nested_containers_and_long_chains_are_checked_without_overflow(
    good: Json, write: Callable[[Json], Path]
) -> None:
    chain = [{"id": f"n{i}", "type": "task", "label": "x", "children": [f"n{i + 1}"]} for i in range(4000)]
    good["public"]["nodes"] += [*chain, {"id": "n4000", "type": "task", "label": "x"}]

    (error,) = [each for each in validate(write(good)) if each.severity == "error"]

    assert "nodes deep" in error.message


def test_a_node_inside_itself_is_an_error(good: Json, write: Callable[[Json], Path]) -> None:
    good["public"]["nodes"] += [
        {"id": "a", "type": "task", "label": "a", "children": ["b"]},
        {"id": "b", "type": "task", "label": "b", "children": ["a"]},
    ]

    (error,) = validate(write(good))

    assert error.message == "'a' is inside itself"


def test_a_flood_of_mistakes_is_cut_off(good: Json, write: Callable[[Json], Path]) -> None:
    good["public"]["edges"] += [{"source": f"nobody{i}", "target": f"nowhere{i}"} for i in range(2000)]

    assert len(validate(write(good))) == 100
