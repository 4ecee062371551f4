"""Calls of tools: where they may go, what they cost, and what of their answers is taken."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from sopbench.errors import StepError, ToolRefused, ToolUnavailable
from sopbench.events.types import (
    ActionFailed,
    ActionStarted,
    ApprovalDecided,
    AttemptStarted,
    Event,
    StepFailed,
    VariableSet,
)
from sopbench.ports.tool import ToolAnswer
from sopbench.records.figures import figures
from sopbench.sop.actions import ToolAction
from sopbench.sop.document import Sop
from sopbench.sop.verbs.tools import CallTool, Request
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.running import Ran, run_sop, texts
from sopbench.testing.tool import FakeTool

from .procedures import Json, loop, node, one_task, procedure

URL = "https://api.test/items"
GET: Json = {"do": "request", "url": URL, "into": "items"}
POST: Json = {"do": "request", "method": "POST", "url": URL, "json": {}, "expect": [{"that": "true"}]}


def approved(sop: Sop, *rules: Json, **private: Any) -> Sop:
    plain = sop.model_dump(mode="json", by_alias=True, exclude_unset=True)
    plain["private"] |= {"approval": {"rules": [*rules, {"then": "approve"}]}, **private}
    return Sop.model_validate(plain)


async def run(action: Json, tool: FakeTool, **more: Any) -> Ran:
    private = more.pop("private", {})
    return await run_sop(
        approved(one_task(action, variables=more.pop("variables", None)), **private), tools=tool, **more
    )


async def test_an_answer_becomes_a_variable_and_may_be_compared() -> None:
    tool = FakeTool([[{"id": 1}, {"id": 2}]])

    ran = await run({**GET, "expect": [{"that": "items | length == 2"}]}, tool)

    assert ran.result.completed, ran.result.reason
    assert ran.result.variables["items"] == [{"id": 1}, {"id": 2}]
    assert [(event.name, event.source) for event in ran.of(VariableSet)] == [("items", "tool")]
    assert figures(ran.events).tool_calls == 1


async def test_a_body_keeps_the_types_of_its_values() -> None:
    tool = FakeTool([None])
    body = {
        "n": "{{ n }}",
        "all": ["{{ items }}", "no. {{ n }}"],
        "none": "{{ none }}",
        "on": True,
        "{{ n }}": " {{ n }} ",
    }

    await run({**POST, "json": body}, tool, variables={"n": 7, "items": [1, 2]})

    [sent] = tool.called
    assert isinstance(sent, Request)
    assert sent.json_ == {"n": 7, "all": [[1, 2], "no. 7"], "none": None, "on": True, "{{ n }}": 7}


async def test_arguments_and_headers_are_filled_in_and_secrets_masked() -> None:
    secret = {"secret": True, "from_env": "TOKEN"}
    action = {**GET, "headers": {"Authorization": "Bearer {{ token }}"}, "query": {"q": "{{ token }}"}}
    tool = FakeTool([{"echo": "s3cret-token"}])

    ran = await run(action, tool, variables={"token": secret}, env={"TOKEN": "s3cret-token"})

    [sent] = tool.called
    assert isinstance(sent, Request)
    assert sent.headers == {"Authorization": "Bearer s3cret-token"}
    assert "s3cret-token" not in texts(ran.events)
    assert ran.of(ActionStarted)[0].arguments["headers"] == {"Authorization": "Bearer •••••"}


@pytest.mark.parametrize(
    ("url", "origins", "is_sent"),
    [
        ("https://api.test/{{ where }}", (), True),
        ("https://{{ where }}/x", (), False),
        ("https://{{ where }}/x", ("https://evil.test",), True),
        ("https://{{ where }}/x", ("https://api.test",), False),
        ("https://api.test{{ more }}/x", (), False),
        ("https://api.test{{ more }}/x", ("https://api.test",), False),
        ("{{ base }}/x", ("{{ base }}",), True),
    ],
)
async def test_a_request_goes_only_where_the_document_says(url: str, origins: tuple[str, ...], is_sent: bool) -> None:
    tool = FakeTool([None])
    given = {"where": "evil.test", "more": ".evil.test", "base": "http://127.0.0.1:8090"}

    ran = await run({"do": "request", "url": url}, tool, variables=given, private={"api_origins": list(origins)})

    assert bool(tool.called) is is_sent
    assert [(e.error, e.performed) for e in ran.of(ActionFailed)] == ([] if is_sent else [("ToolRefused", False)])
    assert ran.result.cause == ("" if is_sent else "procedure")


async def test_what_a_page_says_does_not_add_to_where_requests_may_go() -> None:
    put = {"do": "set", "into": "base", "to": "'https://evil.test'"}
    sop = one_task(put, {"do": "request", "url": "{{ base }}/x"}, variables={"base": "https://api.test"})
    tool = FakeTool()

    ran = await run_sop(approved(sop, api_origins=["{{ base }}"]), tools=tool)

    assert tool.called == []
    assert "the document does not name https://evil.test" in ran.result.reason


async def test_an_answer_that_does_not_fit_its_schema_fails_the_step_and_is_not_asked_for_again() -> None:
    tool = FakeTool([{"items": "none"}])
    schema = {"properties": {"items": {"type": "array"}}, "required": ["items"]}

    ran = await run({**GET, "answer": schema}, tool)

    assert len(tool.called) == 1
    assert [(event.error, event.performed) for event in ran.of(ActionFailed)] == [("DataInvalid", True)]
    assert "does not fit its schema at $.items: 'none' is not of type 'array'" in ran.result.reason


@pytest.mark.parametrize(
    ("effect", "error", "calls"),
    [
        ("irreversible", ToolUnavailable("refused", performed=False), 2),
        ("irreversible", ToolUnavailable("reset", performed=None), 1),
        ("idempotent", ToolUnavailable("reset", performed=None), 2),
        ("idempotent", ToolRefused("no", performed=False), 1),
    ],
)
async def test_a_call_is_repeated_only_where_that_cannot_do_harm_and_may_help(
    effect: str, error: StepError, calls: int
) -> None:
    tool = FakeTool([error, None])

    ran = await run({**POST, "effect": effect}, tool)

    assert len(tool.called) == calls
    assert len(ran.of(AttemptStarted)) == calls - 1
    assert ran.result.completed is (calls == 2)


async def test_a_tool_that_fails_again_and_again_is_not_called_any_more() -> None:
    tool = FakeTool(lambda _: ToolUnavailable("out of reach", performed=False))
    each = loop("each", "work", items="[1, 2, 3, 4, 5]", on_item_error="continue")

    ran = await run_sop(
        approved(procedure([each, node("work")], does={"work": [GET]})), tools=tool, limits={"tool_failures": 3}
    )

    assert len(tool.called) == 3
    assert "https://api.test failed 3 times in a row and is not asked again in this run" in ran.result.reason


async def test_a_run_is_stopped_at_once_while_a_tool_is_called() -> None:
    begun = asyncio.Event()

    class Never:
        async def call(self, action: ToolAction, *, timeout_s: float) -> ToolAnswer:
            begun.set()
            await asyncio.Event().wait()
            raise AssertionError

    events: list[Event] = []
    task = asyncio.create_task(run_sop(approved(one_task(GET)), tools=Never(), events=events))
    await asyncio.wait_for(begun.wait(), 5)

    task.cancel()

    await asyncio.wait({task}, timeout=0.5)
    assert task.cancelled()
    assert [event.type for event in events[-2:]] == ["action_started", "run_finished"]


@pytest.mark.parametrize("where", ["run", "node"])
async def test_tool_calls_are_limited(where: str) -> None:
    tool = FakeTool(lambda _: None)
    budget = {"budget": {"tool_calls": 2}} if where == "node" else {}
    each = loop("each", "work", items="[1, 2, 3, 4]", on_item_error="continue", **budget)
    sop = approved(procedure([each, node("work")], does={"work": [GET]}))

    ran = await run_sop(sop, tools=tool, limits={"tool_calls": 100 if budget else 2})

    assert len(tool.called) == 2
    assert (ran.result.status, ran.result.cause) == ("failed", "limit")
    assert ran.result.reason.startswith("2 tool calls are used up")


@pytest.mark.parametrize(
    ("action", "is_asked"),
    [
        (GET, False),
        (POST, True),
        ({**POST, "effect": "read"}, False),
        ({"do": "call_tool", "server": "s", "tool": "t", "effect": "idempotent"}, True),
        ({"do": "call_tool", "server": "s", "tool": "t", "effect": "read"}, False),
    ],
)
async def test_writes_to_outside_systems_are_asked_for_whatever_skill_they_stand_in(
    action: Json, is_asked: bool
) -> None:
    ran = await run_sop(one_task(action), tools=FakeTool([None]))

    assert [event.rule for event in ran.of(ApprovalDecided)] == (
        ["built-in rule on writes through an API"] if is_asked else []
    )


@pytest.mark.parametrize(("origin", "status"), [("mcp:notes", "stopped"), ("https://page.test", "completed")])
async def test_a_tool_of_a_server_has_an_origin_of_its_own(origin: str, status: str) -> None:
    action = {"do": "call_tool", "server": "notes", "tool": "t"}

    ran = await run_sop(
        approved(one_task(action), {"origin": origin, "then": "stop"}), FakeBrowser([]), tools=FakeTool([None])
    )

    assert ran.result.status == status


async def test_mail_to_many_through_a_tool_is_asked_for_as_such() -> None:
    many = ", ".join(f"p{each}@mail.test" for each in range(11))
    action = {"do": "call_tool", "server": "mail", "tool": "send", "arguments": {"to": ["{{ many }}"]}}

    ran = await run_sop(one_task(action, variables={"many": many}), tools=FakeTool())

    assert [event.rule for event in ran.of(ApprovalDecided)] == ["built-in rule on mail to many"]


async def test_a_run_without_tools_says_so(tmp_path: Path) -> None:
    ran = await run_sop(one_task(GET), folder=tmp_path)

    assert [event.message for event in ran.of(StepFailed)] == [f"this run has no tools: request GET {URL}"]


@pytest.mark.parametrize(
    ("given", "effect"),
    [
        ({"method": "GET"}, "read"), ({"method": "HEAD"}, "read"), ({}, "read"), ({"method": "POST"}, "irreversible"),
        ({"method": "PUT"}, "irreversible"), ({"method": "DELETE"}, "irreversible"),
        ({"method": "POST", "effect": "read"}, "read"), ({"method": "GET", "effect": "irreversible"}, "irreversible"),
    ],
)  # fmt: skip
def test_the_effect_of_a_request_is_the_strictest_unless_it_says_otherwise(given: Json, effect: str) -> None:
    assert Request.model_validate({"url": URL, **given}).effect == effect
    assert CallTool(server="s", tool="t").effect == "irreversible"


@pytest.mark.parametrize("given", [{"json": {}, "text": "", "method": "POST"}, {"text": "x"}, {"status": [99]}])
def test_a_request_that_makes_no_sense_is_refused(given: Json) -> None:
    with pytest.raises(ValueError, match=r"one body|has no body|greater than"):
        Request.model_validate({"url": URL, **given})
