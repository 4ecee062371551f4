"""The tools of one run, each by the verb that calls it."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from sopbench.adapters.httpx_tool import HttpxTool
from sopbench.adapters.mapped_transport import MappedTransport
from sopbench.adapters.mcp_tool import McpTool
from sopbench.sop.verbs.tools import Request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from sopbench.ports.tool import ToolAnswer
    from sopbench.sop.actions import ToolAction
    from sopbench.sop.document import ToolServer


class Tools:
    """Web APIs and MCP servers."""

    def __init__(self, http: HttpxTool, mcp: McpTool) -> None:
        self._http = http
        self._mcp = mcp

    async def call(self, action: ToolAction, *, timeout_s: float) -> ToolAnswer:
        """Raises: ToolUnavailable, ToolRefused, DataInvalid."""
        tool = self._http if isinstance(action, Request) else self._mcp
        return await tool.call(action, timeout_s=timeout_s)


@asynccontextmanager
async def opened_tools(
    servers: Mapping[str, ToolServer], folder: Path, ports: Mapping[str, int] | None
) -> AsyncIterator[Tools]:
    """The tools of one run; what they started has ended afterwards. Nothing is started before it is called.

    ``servers`` have their variables filled in; their commands begin in ``folder``. With ``ports``, HTTP reaches these
    hosts at these ports of this machine, and no others.
    """
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(HttpxTool(None if ports is None else partial(MappedTransport, ports)))
        mcp = await stack.enter_async_context(McpTool(servers, folder, ports))
        yield Tools(http, mcp)
