"""Serving mock sites: over TLS at their real names for the browser, plainly on their own ports for everybody else."""

from __future__ import annotations

import socket
import ssl
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import trustme
import uvicorn

from sopbench.errors import SiteError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from starlette.types import ASGIApp, Receive, Scope, Send

    from sopbench.sites.site import Site

_START_TIMEOUT_S = 20
_NAMES = ("*.google.com", "*.airtable.com", "airtable.com", "*.tallybook.example", "localhost")


class Server:
    """An ASGI application on 127.0.0.1, in a thread of its own with its own event loop.

    ``port`` 0 takes any free one. Raises: UsageError when the port is taken, SiteError when serving does not begin.
    """

    def __init__(self, app: ASGIApp, *, port: int = 0, certificate: trustme.LeafCert | None = None) -> None:
        self._socket = _bind(port)
        self.port: int = self._socket.getsockname()[1]
        config = uvicorn.Config(app, log_config=None, interface="asgi3", lifespan="off", ws="none", access_log=False)
        config.load()
        if certificate is not None:
            config.ssl = _tls(certificate)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True, name="sites")
        self._thread.start()
        deadline = time.monotonic() + _START_TIMEOUT_S
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > deadline:
                raise SiteError(f"the mock sites could not be served on 127.0.0.1:{self.port}")
            time.sleep(0.005)

    def close(self) -> None:
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(timeout=5)
        self._socket.close()


def _bind(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        message = f"port {port} is taken ({error.strerror}); choose another with --site-port, or leave it out"
        raise UsageError(message) from error
    return listener


def _tls(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        chain = Path(folder) / "chain.pem"
        chain.write_bytes(b"".join(blob.bytes() for blob in certificate.cert_chain_pems))
        key = Path(folder) / "key.pem"
        key.touch(mode=0o600)
        certificate.private_key_pem.write_to_path(str(key))
        context.load_cert_chain(chain, key)
    return context


class SiteHost:
    """The mock sites of a session. Their state changes with every ``mount``; their ports stay."""

    def __init__(self, *, port: int = 0) -> None:
        self._sites: dict[str, Site] = {}
        self._by_host: dict[str, Site] = {}
        self._plain: dict[str, Server] = {}
        self._closing = ExitStack()
        self._port = port

    def __enter__(self) -> SiteHost:
        certificate = trustme.CA().issue_cert(*_NAMES)
        self._tls = Server(self._by_name, port=self._port, certificate=certificate)
        self._closing.callback(self._tls.close)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.close()

    def mount(self, sites: Mapping[str, Site]) -> None:
        """Serve these sites from now on, instead of those before."""
        self._sites = dict(sites)
        self._by_host = {host: site for site in sites.values() for host in site.hosts}

    @property
    def port(self) -> int:
        """Where all sites are served over TLS, told apart by the Host header."""
        return self._tls.port

    def plain_url(self, name: str) -> str:
        """Address of one site without TLS and under no name, for clients that cannot map names."""
        if name not in self._plain:

            async def site(scope: Scope, receive: Receive, send: Send) -> None:
                await self._sites[name](scope, receive, send)

            self._plain[name] = Server(site)
            self._closing.callback(self._plain[name].close)
        return f"http://127.0.0.1:{self._plain[name].port}"

    async def _by_name(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
        site = self._by_host.get(host.rsplit(":", 1)[0].lower())
        if site is None:
            await _nobody_here(send)
            return
        await site(scope, receive, send)


async def _nobody_here(send: Send) -> None:
    start: dict[str, Any] = {"type": "http.response.start", "status": 421, "headers": [(b"content-length", b"0")]}
    await send(start)
    await send({"type": "http.response.body", "body": b""})
