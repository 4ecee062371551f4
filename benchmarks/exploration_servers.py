"""Two small servers on this machine: the site that is explored, and one that nothing may ever go to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Served:
    """One server and what it was asked."""

    url: str = ""
    asked: list[str] = field(default_factory=list)
    """``GET /path?query`` in order."""
    pages: dict[str, str] = field(default_factory=dict)
    """Path → HTML."""
    answer: Callable[[str, str], tuple[int, dict[str, str], str] | None] = lambda _method, _path: None
    """Anything else than a page: status, headers, body; None for a page."""


@contextmanager
def serving() -> Iterator[Served]:
    """Serve until the block ends."""
    served = Served()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            if length:
                self.rfile.read(length)
            served.asked.append(f"{self.command} {self.path}")
            path = urlsplit(self.path).path
            body = served.pages.get(path)
            given = served.answer(self.command, self.path)
            status, headers, text = given or (200 if body is not None else 404, {}, body or "nothing here")
            told = text.encode()
            with suppress(OSError):
                self.send_response(status)
                for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(told)))
                self.end_headers()
                self.wfile.write(told)

        do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_GET  # noqa: N815 - the library's words

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
