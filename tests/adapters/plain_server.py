"""A server that says byte for byte what it is told to, and may hang up in the middle of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any


@dataclass
class PlainServer:
    """What it was asked, and what it answers: pieces of bytes, an event to wait for, or None to hang up at once."""

    port: int = 0
    asked: list[bytes] = field(default_factory=list)
    says: Callable[[bytes], list[bytes | asyncio.Event | None]] = lambda _: [answer({})]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def answer(body: Any, status: str = "200 OK", kind: str = "application/json", **headers: str) -> bytes:
    """A whole answer."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(data)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


@asynccontextmanager
async def serving() -> AsyncIterator[PlainServer]:
    """One server on a port of its own."""
    plain = PlainServer()
    talks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        talks[task] = writer
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await talk(reader, writer)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        lines = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
        body = await reader.readexactly(int(lines.get(b"content-length", b"0")))
        plain.asked.append(head + body)
        for piece in plain.says(head):
            if isinstance(piece, asyncio.Event):
                await piece.wait()
            elif piece is None:
                writer.transport.abort()
                return
            else:
                writer.write(piece)
                await writer.drain()
        writer.close()

    async with await asyncio.start_server(begin, "127.0.0.1", 0) as server:
        plain.port = server.sockets[0].getsockname()[1]
        yield plain
        server.close()
        for task, writer in talks.items():
            writer.transport.abort()  # a browser opens connections that it may never use
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
