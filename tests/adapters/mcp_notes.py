"""A small MCP server that keeps notes. ``python mcp_notes.py`` speaks over stdio; ``… broken`` does not start."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("notes")
_notes: list[str] = []


@server.tool()
def add_note(text: str, times: int = 1) -> dict[str, int]:
    """Keep a note."""
    if not text:
        raise ToolError("a note needs a text")
    _notes.extend([text] * times)
    return {"count": len(_notes)}


@server.tool(structured_output=False)
def all_notes() -> str:
    """All notes, one a line."""
    return "\n".join(_notes)


@server.tool()
def token() -> str:
    """What the environment gives it, and what it does not."""
    return f"{os.environ.get('NOTES_TOKEN')} {os.environ.get('ANTHROPIC_API_KEY')} {Path.cwd().name}"


@server.tool()
def large() -> str:
    """More than anybody wants."""
    return "x" * 2_100_000


@server.tool()
async def hang() -> str:
    """Never answers."""
    await asyncio.Event().wait()
    return ""


@server.tool()
def die() -> str:
    """Ends the server in the middle of a call."""
    os._exit(3)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "broken":
        sys.exit("no database here")
    server.run("stdio")
