"""Tools of MCP servers through the official SDK: programs over stdio, and addresses over streamable HTTP."""

from __future__ import annotations

import asyncio
import json
import tempfile
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import httpx2

from sopbench.adapters.mapped_transport import MappedTransport
from sopbench.errors import DataInvalid, ToolRefused, ToolUnavailable
from sopbench.ports.tool import MAX_ANSWER_BYTES, ToolAnswer
from sopbench.sop.problems import did_you_mean
from sopbench.sop.verbs.tools import CallTool

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from types import TracebackType

    from mcp import Client
    from mcp_types import CallToolResult

    from sopbench.sop.actions import ToolAction
    from sopbench.sop.document import ToolServer

_QUOTED = 300
_CLOSES_S = 8.0
"""Longer than the SDK gives a program to end by itself, and then by force."""
_CONNECTION_CLOSED = -32000
_NOT_BEGUN = {-32601, -32602}
"""Errors of the protocol after which nothing was done: no such method, arguments that do not fit."""


class McpTool:
    """Calls tools. A server is started, or connected to, with the first call; and anew after it was lost."""

    def __init__(self, servers: Mapping[str, ToolServer], folder: Path, ports: Mapping[str, int] | None = None) -> None:
        """Commands begin in ``folder``. With ``ports``, HTTP reaches these hosts on this machine, and no others."""
        self._settings = servers
        self._folder = folder
        self._ports = ports
        self._open: dict[str, _Server] = {}

    async def __aenter__(self) -> McpTool:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all servers that were started."""
        for name in list(self._open):
            await self._open.pop(name).close()

    async def call(self, action: ToolAction, *, timeout_s: float) -> ToolAnswer:
        """Call one tool once. Raises: ToolUnavailable, ToolRefused, DataInvalid."""
        if not isinstance(action, CallTool) or action.server not in self._settings:
            hint = did_you_mean(getattr(action, "server", ""), self._settings, before="; ")
            raise ToolRefused(f"{action}: there is no such server{hint}", performed=False)
        called = False
        try:
            async with asyncio.timeout(timeout_s):
                server = await self._connected(action)
                server.require_offered(action)
                called = True
                result = await server.call(action)
        except TimeoutError as error:
            await self._forget(action.server)
            state = "it is not known what became of it" if called else "it was not called"
            message = f"{action}: no answer within {timeout_s:g} s; {state}"
            raise ToolUnavailable(message, performed=None if called else False) from error
        except ToolUnavailable:
            await self._forget(action.server)
            raise
        return ToolAnswer(_value(action, result))

    async def _connected(self, action: CallTool) -> _Server:
        if action.server not in self._open:
            server = _Server(action.server, self._settings[action.server], self._folder, self._ports)
            self._open[action.server] = server
        server = self._open[action.server]
        await server.connect()
        return server

    async def _forget(self, name: str) -> None:
        lost = self._open.pop(name, None)
        if lost is not None:
            await lost.close()


class _Server:
    """One connection. It lives in a task of its own: if it breaks, that is no cancellation of the run."""

    def __init__(self, name: str, settings: ToolServer, folder: Path, ports: Mapping[str, int] | None) -> None:
        self._name = name
        self._settings = settings
        self._folder = folder
        self._ports = ports
        self._stop = asyncio.Event()
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed with the connection
        self._tools: tuple[str, ...] = ()
        self._task = asyncio.create_task(self._live(), name=f"MCP server {name}")

    async def connect(self) -> None:
        """Wait until it can be called. Raises: ToolUnavailable."""
        if not self._ready.done():
            either: set[asyncio.Future[Any]] = {self._ready, self._task}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if self._task.done():
            error = None if self._task.cancelled() else self._task.exception()
            what = f"{_first(error)}{self._last_words()}"
            raise ToolUnavailable(f"MCP server {self._name!r} cannot be used: {what}", performed=False) from error

    def require_offered(self, action: CallTool) -> None:
        """Raises: ToolRefused."""
        if action.tool not in self._tools:
            hint = did_you_mean(action.tool, self._tools) or f"it has {', '.join(self._tools) or 'none'}"
            raise ToolRefused(f"{action}: it has no such tool; {hint}", performed=False)

    async def call(self, action: CallTool) -> CallToolResult:
        """Raises: ToolUnavailable, ToolRefused."""
        from mcp import MCPError  # noqa: PLC0415 - takes 2 s, and most runs call no tool

        try:
            return await self._ready.result().call_tool(action.tool, action.arguments)
        except MCPError as error:
            if error.code == _CONNECTION_CLOSED:
                message = f"{action}: the connection was lost; it is not known what became of it{self._last_words()}"
                raise ToolUnavailable(message, performed=None) from error
            performed = False if error.code in _NOT_BEGUN else None
            raise ToolRefused(f"{action}: {error.message[:_QUOTED]}", performed=performed) from error

    async def close(self) -> None:
        """End it; what does not end by itself is ended."""
        self._stop.set()
        if not self._ready.done():
            self._task.cancel()
        await asyncio.wait({self._task}, timeout=_CLOSES_S)
        self._task.cancel()
        self._said.close()

    async def _live(self) -> None:
        from mcp import Client, StdioServerParameters  # noqa: PLC0415 - see above
        from mcp.client.stdio import stdio_client  # noqa: PLC0415
        from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415

        async with AsyncExitStack() as stack:
            if self._settings.url is None:
                program, *arguments = self._settings.command
                started = StdioServerParameters(
                    command=program, args=arguments, env=dict(self._settings.env), cwd=self._folder
                )
                transport = stdio_client(started, errlog=self._said)
            else:
                http = await stack.enter_async_context(self._http())
                transport = streamable_http_client(self._settings.url, http_client=http)
            client = await stack.enter_async_context(Client(transport))
            self._tools = await _tools_of(client)
            self._ready.set_result(client)
            await self._stop.wait()

    def _http(self) -> httpx2.AsyncClient:
        transport = None if self._ports is None else MappedTransport(self._ports)
        return httpx2.AsyncClient(transport=transport, headers=dict(self._settings.headers), timeout=None)

    def _last_words(self) -> str:
        """What the program wrote to standard error, its end."""
        if self._said.closed:
            return ""
        self._said.seek(0)
        lines = self._said.read().split()
        return f"; it said: …{' '.join(lines)[-_QUOTED:]}" if lines else ""


async def _tools_of(client: Client) -> tuple[str, ...]:
    names: list[str] = []
    cursor = None
    while True:
        page = await client.list_tools(cursor=cursor)
        names += [tool.name for tool in page.tools]
        cursor = page.next_cursor
        if not cursor:
            return tuple(names)


def _first(error: BaseException | None) -> str:
    """What a task group's error began with."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}" if error is not None else "it has ended"


def _value(action: CallTool, result: CallToolResult) -> Any:
    """Raises: ToolRefused for an error of the tool's own; DataInvalid."""
    text = "\n".join(block.text for block in result.content if block.type == "text")
    if result.is_error:
        raise ToolRefused(f"{action}: “{' '.join(text.split())[:_QUOTED]}”", performed=None)
    size = len(text.encode()) if result.structured_content is None else len(json.dumps(result.structured_content))
    if size > MAX_ANSWER_BYTES:
        raise DataInvalid(f"{action}: the answer is larger than {MAX_ANSWER_BYTES:,} bytes", performed=True)
    if result.structured_content is not None:
        return result.structured_content
    if action.answer is None:
        return text or None
    try:
        return json.loads(text)
    except ValueError as error:
        raise DataInvalid(f"{action}: the answer is no JSON: {error}", performed=True) from error
