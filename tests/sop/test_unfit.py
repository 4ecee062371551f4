"""Static checks of skills and tools: what could not work, or would go where nobody said, is said before it runs."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.sop.document import Sop
from sopbench.sop.graph import check
from sopbench.sop.origins import spelled_out

Json = dict[str, Any]
GET: Json = {"do": "request", "url": "https://api.test/x"}
CLICK: Json = {"do": "click", "target": {"role": "button", "name": "Save"}, "effect": "read"}
CALL: Json = {"do": "call_tool", "server": "notes", "tool": "t", "effect": "read"}
NOTES: Json = {"notes": {"command": ["notes"]}}


def found(*actions: Json, method: str = "api", node: Json | None = None, **private: Any) -> list[tuple[str, str, str]]:
    skill = {"id": "s", "app": "a", "method_type": method, "actions": list(actions)}
    more = private.pop("skills", [])
    sop = Sop.model_validate(
        {
            "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
            "public": {
                "nodes": [{"id": "work", "type": "task", "label": "Work", **(node or {})}],
                "variables": {"host": "x", "v": "y"},
            },
            "private": {
                "skills": [skill, *more],
                "steps": [{"node_id": "work", "primary_skill": "s", "alt_skills": private.pop("alt_skills", [])}],
                **private,
            },
        }
    )
    return [(each.severity, each.pointer, each.message) for each in check(sop)]


@pytest.mark.parametrize("method", ["api", "mcp"])
def test_what_needs_a_page_does_not_stand_in_a_skill_without_one(method: str) -> None:
    assert found(GET, CLICK, method=method) == [
        ("error", "/private/skills/0/actions/1", f"'click' needs a page, and skill 's' works by '{method}'")
    ]
    assert found(GET, CLICK, method="ui") == []


def test_what_is_expected_of_a_page_is_odd_without_one() -> None:
    assert found({**GET, "expect": [{"that": "true"}, {"visible": {"role": "row"}}]}) == [
        (
            "warning",
            "/private/skills/0/actions/0/expect/1",
            "skill 's' works by 'api', but expects something of the page",
        )
    ]


def test_a_tool_server_must_be_declared() -> None:
    assert ("error", "/private/skills/0/actions/0/server", "no tool server 'notse'") in found(
        {**CALL, "server": "notse"}, tools=NOTES
    )
    assert found(CALL, tools=NOTES) == [("note", "/private/tools/notes", "runs a program on this machine: notes")]
    assert found(GET, tools={"notes": {"url": "https://mcp.test/mcp"}}) == [
        ("warning", "/private/tools/notes", "no action calls the tool server 'notes'")
    ]


@pytest.mark.parametrize("given", [{}, {"command": ["x"], "url": "https://y"}, {"url": "https://y", "env": {"A": "b"}}])
def test_a_tool_server_is_one_thing(given: Json) -> None:
    with pytest.raises(ValueError, match=r"either a|is for a"):
        found(CALL, tools={"notes": given})


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://api.test/x", "https://api.test"),
        ("HTTPS://API.test:443?q={{ v }}", "https://api.test"),
        ("http://127.0.0.1:8090/{{ v }}", "http://127.0.0.1:8090"),
        ("https://api.test", "https://api.test"),
        ("https://api.test{{ v }}", None),
        ("https://{{ host }}/x", None),
        ("{{ host }}/x", None),
        ("https://api.test:{{ v }}/x", None),
        ("https://api.test@evil.test/", None),
        ("https://api.test\\@evil.test/", None),
        ("ftp://api.test/x", None),
        ("//api.test/x", None),
    ],
)
def test_an_origin_counts_only_where_it_is_spelled_out(url: str, origin: str | None) -> None:
    assert spelled_out(url) == origin
    complaints = found({**GET, "url": url})
    assert [(severity, pointer) for severity, pointer, _ in complaints] == (
        [] if origin else [("error", "/private/skills/0/actions/0/url")]
    )


def test_a_host_that_only_the_run_knows_needs_a_list_of_origins() -> None:
    templated = {**GET, "url": "{{ host }}/x"}

    assert found(templated, api_origins=["https://api.test"]) == []
    assert found(templated, api_origins=["{{ host }}"]) == []
    assert [each[:2] for each in found(templated, api_origins=["https://api.test/v1"])] == [
        ("error", "/private/api_origins/0")
    ]
    assert [each[2] for each in found(templated, api_origins=["{{ hots }}"])] == ["undefined variable 'hots'"]


def test_what_is_sent_says_what_it_does_when_it_is_sent_twice() -> None:
    sent = {**GET, "method": "POST", "expect": [{"that": "true"}]}

    assert "'request POST https://api.test/x' says no effect, and counts as irreversible" in [
        message for _, _, message in found(sent)
    ]
    assert not [message for _, _, message in found({**sent, "effect": "irreversible"}) if "no effect" in message]


def test_names_in_bodies_headers_and_arguments_must_be_known() -> None:
    body = {"a": ["{{ nmae }}", {"b": "{{ v }}"}]}
    sent = {**GET, "method": "POST", "json": body, "headers": {"X": "{{ tokn }}"}, "effect": "read"}
    called = {**CALL, "arguments": {"deep": [{"x": "{{ deep }}"}]}}

    undefined = [message for severity, _, message in found(sent, called, tools=NOTES) if severity == "error"]

    assert undefined == [f"undefined variable {name!r}" for name in ("tokn", "nmae", "deep")]


def test_what_tools_answer_is_a_variable_that_is_set() -> None:
    read = {"do": "set", "into": "w", "to": "got.x + said.y"}

    assert found({**GET, "into": "got"}, {**CALL, "into": "said"}, read, tools={"notes": {"url": "https://m/"}}) == []


def test_an_alternative_must_be_able_to_help() -> None:
    empty = {"id": "empty", "app": "a"}
    other = {"id": "other", "app": "a", "actions": [GET]}

    assert found(GET, skills=[other], alt_skills=["other"]) == []
    assert [each[:2] for each in found(GET, alt_skills=["s"])] == [("error", "/private/steps/0/alt_skills/0")]
    assert [each[:2] for each in found(GET, skills=[empty], alt_skills=["empty"])] == [
        ("warning", "/private/steps/0/alt_skills/0")
    ]


def test_writes_of_an_alternative_are_warned_of_too() -> None:
    other = {
        "id": "other",
        "app": "a",
        "method_type": "api",
        "actions": [{**GET, "method": "PUT", "effect": "idempotent"}],
    }

    messages = [message for _, pointer, message in found(GET, skills=[other], alt_skills=["other"]) if "/1/" in pointer]

    assert any("is done only if the operator approves it" in message for message in messages)


def test_a_tier_that_there_is_not_is_no_tier() -> None:
    with pytest.raises(ValueError, match="'retry', 'heal', 'alternative', 'explore' or 'ask'"):
        found(GET, node={"recovery": ["pray"]})


def test_recovery_that_nothing_heeds_is_warned_of() -> None:
    assert found(GET, node={"recovery": ["retry", "heal"]}) == []
    assert [each[1:] for each in found(GET, node={"recovery": ["alternative"]})] == [
        ("/public/nodes/0/recovery", "'work' may be done by another skill, but has none")
    ]
    assert [each[1] for each in found(GET, node={"recovery": [], "retry": {}})] == ["/public/nodes/0/retry"]
    assert [each[1] for each in found(node={"type": "wait", "seconds": 1, "recovery": []}, method="ui")][-1:] == [
        "/public/nodes/0/recovery"
    ]
