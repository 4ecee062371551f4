"""What a mock site is: an ASGI application for its host names, made anew for every trial."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send


class Site(Protocol):
    """One mock site. Built from a case and a seed; holds all of its state; knows nothing of who visits it."""

    @property
    def name(self) -> str:
        """Short name used in options and markers: ``gmail``."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """Real host names it answers to. The Host header tells which one is meant; asked by another name, it answers
        as all of them, told apart by the path.
        """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
