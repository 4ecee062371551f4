"""Sites that ask who is there before they show a page: basic auth and client certificates."""

from __future__ import annotations

import base64
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import playwright.async_api as driver
import pytest
import trustme

from sopbench.adapters.playwright_session import opened
from sopbench.errors import NavigationFailed
from sopbench.events.masking import Masker

from .acting import Acting

BASIC = "Basic " + base64.b64encode(b"ada:secret").decode()


class Door(BaseHTTPRequestHandler):
    """Shows its page to Ada, or to whoever has a certificate."""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        certified = isinstance(self.connection, ssl.SSLSocket) and self.connection.getpeercert()
        known = certified or self.headers["authorization"] == BASIC
        self.send_response(200 if known else 401)
        if not known:
            self.send_header("www-authenticate", 'Basic realm="shop"')
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<p>come in</p>" if known else b"<p>who is there?</p>")


@pytest.fixture
def serve() -> Iterator[Callable[[ssl.SSLContext | None], str]]:
    """Serve the door, with TLS when a context is given; gives its address."""
    servers: list[ThreadingHTTPServer] = []

    def start(tls: ssl.SSLContext | None) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
        server.daemon_threads = True
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


async def test_basic_auth_is_answered_with_the_credentials_of_the_context(
    chromium: driver.Browser, serve: Callable[[ssl.SSLContext | None], str]
) -> None:
    address = serve(None)
    options = {"http_credentials": {"username": "ada", "password": "secret"}}

    async with opened(chromium, None, masker=Masker(), tracing="off", options=options) as session:
        await Acting(session).do("navigate", url=address)
        assert await Acting(session).sees(text="come in")

    async with opened(chromium, None, masker=Masker(), tracing="off") as session:
        error = await Acting(session).refused("navigate", url=address, timeout_s=5)
        assert isinstance(error, NavigationFailed)
        assert "401" in str(error)


async def test_a_client_certificate_is_shown_where_it_is_asked_for(
    chromium: driver.Browser, serve: Callable[[ssl.SSLContext | None], str], tmp_path: Path
) -> None:
    authority = trustme.CA()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    authority.configure_trust(tls)
    tls.verify_mode = ssl.CERT_REQUIRED
    mine = authority.issue_cert("ada@shop.test")
    chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    chain.write_bytes(b"".join(blob.bytes() for blob in mine.cert_chain_pems))
    key.write_bytes(mine.private_key_pem.bytes())
    address = serve(tls)
    certificate = {"origin": address, "certPath": str(chain), "keyPath": str(key)}
    options = {"ignore_https_errors": True, "client_certificates": [certificate]}

    async with opened(chromium, None, masker=Masker(), tracing="off", options=options) as session:
        await Acting(session).do("navigate", url=address)
        assert await Acting(session).sees(text="come in")
