"""Faults of the network, on any site: what leaves the page is held up, refused, or answered in the server's place."""

from __future__ import annotations

import asyncio
import base64
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Literal
from urllib.parse import urlsplit

from playwright.async_api import Error
from pydantic import Field

from sopbench.faults.pages import AtPages
from sopbench.trials.fault import Cause, Fault, Strikes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playwright.async_api import BrowserContext, CDPSession, Page, Route

Resource = Literal["document", "stylesheet", "image", "font", "script", "xhr", "fetch", "other"]
Range = tuple[float, float]


class OnRequests(Fault):
    """A fault whose occasions are requests; each address is an occasion of its own, as often as it is asked for."""

    cause: ClassVar[Cause] = "network"
    resources: tuple[Resource, ...] = ()
    """Kinds of what is asked for; empty for all."""
    path: str = ""
    """What must occur in the address; empty for any."""

    async def context_opened(self, context: BrowserContext, strikes: Strikes) -> None:
        async def route(route: Route) -> None:
            request = route.request
            with suppress(Error):  # its page is gone
                if self.is_meant(request.url, request.resource_type, strikes) and strikes.due(
                    occasion(request.method, request.url)
                ):
                    await self.strike(route, strikes)
                else:
                    await route.fallback()

        await context.route("**/*", route)

    def is_meant(self, url: str, resource: str, strikes: Strikes) -> bool:
        """Whether a request could be struck at all."""
        kind = not self.resources or resource in self.resources
        return kind and self.path in url and strikes.concerns(url)

    async def strike(self, route: Route, strikes: Strikes) -> None:
        """Answer the request, or let it go on in its own way."""
        raise NotImplementedError


class Latency(OnRequests):
    """Requests leave late."""

    delay_s: Range
    """From, to; drawn for each request."""

    async def strike(self, route: Route, strikes: Strikes) -> None:
        address = occasion(route.request.method, route.request.url)
        seconds = strikes.uniform(f"delay {address}", *self.delay_s)
        strikes.note(f"{address} held back for {seconds:.2f} s")
        await asyncio.sleep(seconds)
        await route.fallback()


class Refused(OnRequests):
    """Nobody listens where the request goes."""

    code: ClassVar[str] = "connectionrefused"

    async def strike(self, route: Route, strikes: Strikes) -> None:
        strikes.note(f"{occasion(route.request.method, route.request.url)}: {self.code}")
        await route.abort(self.code)


class Reset(Refused):
    """The connection breaks off; whether the server has done what was asked, the page cannot know."""

    code: ClassVar[str] = "connectionreset"


class Status(OnRequests):
    """The server answers with an error."""

    status: int = Field(ge=400, le=599)
    retry_after_s: int | None = Field(default=None, ge=0)
    """What it says about when to come again; says nothing if left out."""

    async def strike(self, route: Route, strikes: Strikes) -> None:
        strikes.note(f"{occasion(route.request.method, route.request.url)}: {self.status}")
        headers = {} if self.retry_after_s is None else {"retry-after": str(self.retry_after_s)}
        await route.fulfill(
            status=self.status, headers=headers, content_type="text/plain", body=f"{self.status}: try again later"
        )


class Offline(Fault):
    """The machine has no network for a while."""

    cause: ClassVar[Cause] = "network"
    seconds: float = Field(gt=0)

    async def action_begins(self, pages: Sequence[Page], strikes: Strikes) -> None:
        if not pages or not strikes.due("action"):
            return
        context = pages[0].context
        await context.set_offline(True)
        strikes.note(f"offline for {self.seconds:g} s")

        async def back() -> None:
            await asyncio.sleep(self.seconds)
            # The driver tells only pages that are there; one that is being opened is told when it has come.
            context.on("page", lambda page: strikes.later(context.set_offline(False)))
            await context.set_offline(False)

        strikes.later(back())


class Bandwidth(AtPages):
    """All pages share a thin line."""

    cause: ClassVar[Cause] = "network"
    kbytes_per_s: float = Field(gt=0)

    async def reach(self, page: Page, session: CDPSession, strikes: Strikes) -> None:
        rate = self.kbytes_per_s * 1000
        conditions = {"offline": False, "latency": 0, "downloadThroughput": rate, "uploadThroughput": rate}
        await session.send("Network.enable")
        await session.send("Network.emulateNetworkConditions", conditions)
        strikes.note(f"{self.kbytes_per_s:g} kB/s in a page")


class Truncated(AtPages):
    """An answer ends in the middle."""

    cause: ClassVar[Cause] = "network"
    resources: tuple[Literal["Document", "XHR", "Fetch", "Script"], ...] = ("XHR", "Fetch")
    path: str = ""
    """What must occur in the address; empty for any."""
    keeps: float = Field(default=0.5, ge=0, lt=1)
    """Share of the answer that comes."""
    at_every_page: ClassVar[bool] = True

    async def reach(self, page: Page, session: CDPSession, strikes: Strikes) -> None:
        def paused(event: Mapping[str, Any]) -> None:
            strikes.later(self._answered(session, event, strikes))

        session.on("Fetch.requestPaused", paused)
        kinds = [{"urlPattern": "*", "resourceType": kind, "requestStage": "Response"} for kind in self.resources]
        await session.send("Fetch.enable", {"patterns": kinds})

    async def _answered(self, session: CDPSession, event: Mapping[str, Any], strikes: Strikes) -> None:
        request, status = event["request"], event.get("responseStatusCode", 0)
        meant = self.path in request["url"] and strikes.concerns(request["url"]) and status == 200
        address = occasion(request["method"], request["url"])
        if not meant or not strikes.due(address):
            await session.send("Fetch.continueRequest", {"requestId": event["requestId"]})
            return
        answer = await session.send("Fetch.getResponseBody", {"requestId": event["requestId"]})
        whole = base64.b64decode(answer["body"]) if answer["base64Encoded"] else answer["body"].encode()
        kept = whole[: int(len(whole) * self.keeps)]
        headers = [each for each in event["responseHeaders"] if each["name"].lower() not in _OF_THE_BODY]
        strikes.note(f"{address}: {len(kept)} of {len(whole)} bytes")
        await session.send(
            "Fetch.fulfillRequest",
            {
                "requestId": event["requestId"],
                "responseCode": status,
                "responseHeaders": headers,
                "body": base64.b64encode(kept).decode(),
            },
        )


def occasion(method: str, url: str) -> str:
    """What tells a request from others: ``GET https://airtable.com/v0.3/…``, without its query."""
    parts = urlsplit(url)
    return f"{method} {parts.scheme}://{parts.netloc}{parts.path}"


_OF_THE_BODY = {"content-length", "content-encoding", "transfer-encoding"}
FAULTS = {
    "bandwidth": Bandwidth,
    "latency": Latency,
    "offline": Offline,
    "refused": Refused,
    "reset": Reset,
    "status": Status,
    "truncated": Truncated,
}
