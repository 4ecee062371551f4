"""Tools of a real MCP server: a program over stdio, and one behind an address."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
import pytest_asyncio
import uvicorn

from sopbench.adapters.mcp_tool import McpTool
from sopbench.errors import DataInvalid, StepError, ToolRefused, ToolUnavailable
from sopbench.events.types import StepFinished
from sopbench.records.figures import figures
from sopbench.sop.document import Sop, ToolServer
from sopbench.sop.verbs.tools import CallTool
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.running import run_sop
from sopbench.trials.verdict import Grade, Outcome, judge

from .mcp_notes import server as notes_server

PROGRAM = Path(__file__).with_name("mcp_notes.py")


def program(*arguments: str, **more: Any) -> ToolServer:
    return ToolServer(command=(sys.executable, str(PROGRAM), *arguments), **more)


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def notes(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[McpTool]:
    """A server that is started with the first call. Starting one takes seconds: these tests share it."""
    folder = tmp_path_factory.mktemp("document")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_API_KEY", "not-for-you")
        async with McpTool({"notes": program(env={"NOTES_TOKEN": "t0ken"})}, folder) as tool:
            yield tool


async def call(tool: McpTool, name: str, *, timeout_s: float = 30, **more: Any) -> Any:
    action = CallTool.model_validate({"server": "notes", "tool": name, **more})
    return (await tool.call(action, timeout_s=timeout_s)).value


async def error_of(tool: McpTool, name: str, **more: Any) -> StepError:
    with pytest.raises(StepError) as raised:
        await call(tool, name, **more)
    return raised.value


async def test_a_tool_is_called_with_its_arguments_and_one_server_answers_all_calls(notes: McpTool) -> None:
    first = await call(notes, "add_note", arguments={"text": "hello", "times": 2})
    second = await call(notes, "add_note", arguments={"text": "world"})

    assert second["count"] == first["count"] + 1
    assert (await call(notes, "all_notes")).endswith("hello\nhello\nworld")


async def test_a_program_gets_what_the_document_gives_it_and_no_more(notes: McpTool) -> None:
    given, kept_back, folder = (await call(notes, "token"))["result"].split()

    assert (given, kept_back) == ("t0ken", "None")
    assert folder.startswith("document")


async def test_an_error_of_a_tool_is_a_refusal_and_nobody_knows_what_it_did(notes: McpTool) -> None:
    error = await error_of(notes, "add_note", arguments={"text": ""})

    assert isinstance(error, ToolRefused)
    assert error.performed is None
    assert "a note needs a text" in error.message


async def test_a_tool_that_is_not_there_is_not_called(notes: McpTool) -> None:
    error = await error_of(notes, "add_notes")

    assert isinstance(error, ToolRefused)
    assert error.performed is False
    assert error.message == "call tool 'add_notes' of notes: it has no such tool; did you mean 'add_note'?"


async def test_an_answer_that_is_too_large_is_not_taken(notes: McpTool) -> None:
    error = await error_of(notes, "large")

    assert isinstance(error, DataInvalid)
    assert error.performed is True


async def test_text_is_read_as_json_where_a_schema_is_asked_for(notes: McpTool) -> None:
    error = await error_of(notes, "all_notes", answer={"type": "object"})

    assert isinstance(error, DataInvalid)
    assert "the answer is no JSON" in error.message


async def test_a_server_that_dies_or_hangs_in_a_call_is_ended_and_started_anew_for_the_next(notes: McpTool) -> None:
    await call(notes, "add_note", arguments={"text": "before"})
    first = children()

    died = await error_of(notes, "die")
    after = await call(notes, "add_note", arguments={"text": '{"a": 1}'})
    second = children()
    hung = await error_of(notes, "hang", timeout_s=0.3)

    assert after == {"count": 1}
    assert [type(error) for error in (died, hung)] == [ToolUnavailable] * 2
    assert [error.performed for error in (died, hung)] == [None, None]
    assert not children() & (first ^ second)


async def test_a_program_that_cannot_start_says_why(tmp_path: Path) -> None:
    async with McpTool({"notes": program("broken")}, tmp_path) as tool:
        error = await error_of(tool, "add_note")

    assert isinstance(error, ToolUnavailable)
    assert error.performed is False
    assert "no database here" in error.message


async def test_a_program_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    async with McpTool({"notes": ToolServer(command=("no-such-program",))}, tmp_path) as tool:
        error = await error_of(tool, "add_note")

    assert isinstance(error, ToolUnavailable)
    assert "no-such-program" in error.message


async def test_nothing_is_started_before_it_is_called_and_a_run_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    before = children()
    begun = asyncio.Event()

    async def run() -> None:
        async with McpTool({"notes": program()}, tmp_path) as tool:
            assert children() == before
            await call(tool, "all_notes")
            assert len(children() - before) == 1
            asyncio.get_running_loop().call_soon(begun.set)
            await call(tool, "hang")

    task = asyncio.create_task(run())
    await asyncio.wait({task, asyncio.ensure_future(begun.wait())}, return_when=asyncio.FIRST_COMPLETED)
    started = time.monotonic()
    task.cancel()
    await asyncio.wait([task])

    assert task.cancelled()
    assert time.monotonic() - started < 2
    assert children() == before


async def test_a_step_whose_page_fails_is_done_by_a_tool_of_a_server(notes: McpTool) -> None:
    kept = {
        "do": "call_tool", "server": "notes", "tool": "add_note",
        "arguments": {"text": "{{ name }}", "times": "{{ n }}"}, "effect": "irreversible",
        "into": "kept", "expect": [{"that": "kept.count >= n"}],
    }  # fmt: skip
    approves = [
        {"action": "call_tool", "origin": "mcp:notes", "then": "approve"},
        {"action": "click", "then": "approve"},
    ]
    gone = {"do": "click", "target": {"role": "button", "name": "Add note"}}
    sop = Sop.model_validate(
        {
            "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
            "public": {
                "nodes": [{"id": "work", "type": "task", "label": "Keep a note"}],
                "variables": {"name": "Ada", "n": 2},
            },
            "private": {
                "skills": [
                    {"id": "page", "app": "notes", "actions": [gone]},
                    {"id": "mcp", "app": "notes", "method_type": "mcp", "actions": [kept]},
                ],
                "steps": [{"node_id": "work", "primary_skill": "page", "alt_skills": ["mcp"]}],
                "tools": {"notes": {"command": [sys.executable, str(PROGRAM)]}},
                "approval": {"rules": approves},
            },
        }
    )

    ran = await run_sop(sop, FakeBrowser([]), tools=notes)

    assert ran.result.completed, ran.result.reason
    assert [event.tier for event in ran.of(StepFinished)] == ["alternative"]
    assert judge(figures(ran.events), Outcome()).grade is Grade.RECOVERED
    assert (await call(notes, "all_notes")).endswith("Ada\nAda")


# --- over HTTP


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The same server behind an address, in a thread of its own."""
    app = notes_server.streamable_http_app(stateless_http=True, json_response=True)
    serving = uvicorn.Server(uvicorn.Config(app, log_config=None, ws="none"))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        thread = threading.Thread(target=serving.run, args=([listening],), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        serving.should_exit = True
        thread.join(timeout=5)


async def test_a_server_behind_an_address_is_called_over_http(address: str, tmp_path: Path) -> None:
    async with McpTool({"notes": ToolServer(url=address)}, tmp_path, {}) as tool:
        value = await call(tool, "add_note", arguments={"text": "over http"})

    assert set(value) == {"count"}


async def test_on_mock_sites_no_other_address_is_reached(tmp_path: Path) -> None:
    async with McpTool({"notes": ToolServer(url="https://mcp.example.com/mcp")}, tmp_path, {}) as tool:
        error = await error_of(tool, "add_note")

    assert isinstance(error, ToolUnavailable)
    assert error.performed is False
    assert "is none of the mock sites" in error.message
