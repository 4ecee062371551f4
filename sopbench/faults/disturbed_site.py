"""A mock site with faults in front of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import Receive, Scope, Send

    from sopbench.sites.site import Site
    from sopbench.trials.fault import Fault, Strikes


class DisturbedSite:
    """Asks the faults at each request of the browser; who asks by another name, such as an oracle, is left alone."""

    def __init__(self, site: Site, faults: Sequence[tuple[Fault, Strikes]]) -> None:
        self.site = site
        self._faults = tuple(faults)

    @property
    def name(self) -> str:
        return self.site.name

    @property
    def hosts(self) -> tuple[str, ...]:
        return self.site.hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        request = Request(scope, receive)
        if scope["type"] == "http" and (request.url.hostname or "") in self.hosts:
            for fault, strikes in self._faults:
                answer = await fault.asked(self.site, request, strikes)
                if answer is not None:
                    await answer(scope, receive, send)
                    return
        await self.site(scope, receive, send)
