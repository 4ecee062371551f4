"""What a mock site is: an ASGI application for its host names, made anew for every trial."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send


class Site(Protocol):
    """One mock site. Built from a case and a seed; holds all of its state; knows nothing of who visits it."""

    name: str
    """Short name used in options and markers: ``gmail``."""
    hosts: tuple[str, ...]
    """Real host names it answers to. The Host header tells which one is meant; a site with one host, or asked by
    another name (127.0.0.1 in the no-mapping set-up), answers as its first host."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
