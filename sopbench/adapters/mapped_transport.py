"""HTTP that reaches chosen hosts on this machine, and no other: what the browser does on mock sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2

if TYPE_CHECKING:
    from collections.abc import Mapping

_HERE = "127.0.0.1"


class NoSuchHost(httpx2.ConnectError):
    """A host that is not served here; nothing was sent to anybody."""


class MappedTransport(httpx2.AsyncBaseTransport):
    """Sends what is meant for a host to its port on this machine, over TLS whose certificate nobody checks.

    ``127.0.0.1`` stays what it is: an app that a scenario starts for itself is reached there.
    """

    def __init__(self, ports: Mapping[str, int]) -> None:
        """``ports``: host → port."""
        self._ports = ports
        self._real = httpx2.AsyncHTTPTransport(verify=False, limits=httpx2.Limits(max_keepalive_connections=0))

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Raises: NoSuchHost, and what HTTP raises."""
        url = request.url
        if url.host == _HERE:
            return await self._real.handle_async_request(request)
        if url.scheme != "https" or url.port is not None or url.host not in self._ports:
            there = ", ".join(f"https://{host}" for host in self._ports) or "none"
            raise NoSuchHost(f"{url.scheme}://{url.netloc.decode()} is none of the mock sites: {there}")
        extensions = {**request.extensions, "sni_hostname": url.host}
        mapped = httpx2.Request(
            request.method,
            url.copy_with(host=_HERE, port=self._ports[url.host]),
            headers=request.headers,  # with the Host it is meant for
            stream=request.stream,
            extensions=extensions,
        )
        return await self._real.handle_async_request(mapped)

    async def aclose(self) -> None:
        await self._real.aclose()
