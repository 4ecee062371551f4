"""A stand-in for the API: a local HTTP server in a thread that says what it was told to say."""

from __future__ import annotations

import json
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class FakeAnthropic:
    """Answers POSTs with the queued replies, then with ``{"answer": "yes"}`` for ever; remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.replies: deque[tuple[int, dict[str, str], Any, float]] = deque()
        self.usual: Any = message('{"answer": "yes"}')
        self.closing = threading.Event()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                self._send(200, {}, {"hello": "world"})

            def do_POST(self) -> None:
                fake.asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                fake.headers.append({name.lower(): value for name, value in self.headers.items()})
                waiting = fake.replies.popleft() if fake.replies else (200, {}, fake.usual, 0.0)
                status, headers, body, delay_s = waiting
                fake.closing.wait(delay_s)
                self._send(status, headers, body)

            def _send(self, status: int, headers: dict[str, str], body: Any) -> None:
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"content-type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.send_header("request-id", "req_secret")
                self.send_header("set-cookie", "session=secret")
                self.end_headers()
                self.wfile.write(data)

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """A client that hung up is part of some tests."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def will_say(self, text: str, *, stop_reason: str = "end_turn", delay_s: float = 0.0) -> None:
        """Queue an answer."""
        self.replies.append((200, {}, message(text, stop_reason=stop_reason), delay_s))

    def will_fail(self, status: int, body: Any = None, **headers: str) -> None:
        """Queue an error (or, with 200, an answer that is no message)."""
        body = body if body is not None else {"type": "error", "error": {"type": "some_error", "message": "no luck"}}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.replies.append((status, named, body, 0.0))

    def stop(self) -> None:
        """Be gone: from now on connections are refused."""
        if not self.closing.is_set():
            self.closing.set()
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()


def message(text: str, *, stop_reason: str = "end_turn") -> dict[str, Any]:
    """A message as the API sends it."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "small-model",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 120, "output_tokens": 7},
    }
