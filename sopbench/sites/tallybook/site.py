"""The mock finance dashboard: a page that draws itself from a JSON interface, for those who have signed in.

POST   /api/v1/session                {"email", "password"} opens a session, kept in a cookie
DELETE /api/v1/session                ends it
GET    /api/v1/me                     who is signed in, the company, how it writes amounts
GET    /api/v1/weeks                  the weeks there are, newest first
GET    /api/v1/reports/cash-flow      ?week=2025-W22; the week of the present without
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from sopbench.sites.tallybook.ledger import Ledger

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from sopbench.trials.case import SiteCase

_STATIC = Path(__file__).parent / "static"
_COOKIE = "tb_session"
_LATENCY_S = (0.05, 0.28)
_SYNC_MS = (1500, 3500)
"""When, after a page has been opened, the bank feed turns out to be up to date."""
HOME = "/reports/cash-flow"


class TallybookSite:
    """The dashboard of one trial. The same case and seed behave the same.

    Raises: CaseInvalid when the case has no books, or they cannot be read.
    """

    name = "tallybook"
    hosts: tuple[str, ...] = ("app.tallybook.example",)

    def __init__(self, case: SiteCase, seed: int) -> None:
        self.case = case
        self.ledger = Ledger(case)
        self._account = case.account
        self._latency = Random(f"latency {seed}")  # noqa: S311 - a trial must be repeatable
        self._syncs = Random(f"sync {seed}")  # noqa: S311 - likewise
        self._tokens = Random(f"sessions {seed}")  # noqa: S311 - likewise
        self._sessions: set[str] = set()
        self._app = Starlette(
            routes=[
                Route("/", self._root),
                Route("/static/{path:path}", _file),
                Route("/favicon.ico", _icon),
                Route("/api/v1/session", self._sign_in, methods=["POST"]),
                Route("/api/v1/session", self._sign_out, methods=["DELETE"]),
                Route("/api/v1/me", self._me),
                Route("/api/v1/weeks", self._weeks),
                Route("/api/v1/reports/cash-flow", self._report),
                Route("/{path:path}", _page),
            ]
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        await self._app(scope, receive, send)

    def end_sessions(self) -> None:
        """Sign everybody out."""
        self._sessions.clear()

    async def _root(self, _: Request) -> Response:
        return RedirectResponse(HOME, 302)

    async def _sign_in(self, request: Request) -> Response:
        await self._pause()
        body = await _json(request)
        given = (str(body.get("email", "")).strip().casefold(), str(body.get("password", "")))
        books = self.ledger.books
        if given != (books.email.casefold(), books.password):
            return JSONResponse({"error": "That email and password don’t match."}, 401)
        session = f"{self._tokens.getrandbits(128):032x}"
        self._sessions.add(session)
        answer = JSONResponse({"ok": True})
        answer.set_cookie(_COOKIE, session, httponly=True, samesite="lax", secure=request.url.scheme == "https")
        return answer

    async def _sign_out(self, request: Request) -> Response:
        self._sessions.discard(request.cookies.get(_COOKIE, ""))
        return JSONResponse({"ok": True})

    async def _me(self, request: Request) -> Response:
        books = self.ledger.books
        return await self._private(
            request,
            {
                "name": self._account.name,
                "email": books.email,
                "company": books.company,
                "currency": books.currency,
                "minorDigits": self.ledger.minor_digits(),
                "locale": books.locale,
                "bankFeed": {"readyInMs": self._syncs.randint(*_SYNC_MS)},
            },
        )

    async def _weeks(self, request: Request) -> Response:
        return await self._private(request, {"weeks": self.ledger.weeks(), "current": self.ledger.default_week()})

    async def _report(self, request: Request) -> Response:
        wanted = request.query_params.get("week") or self.ledger.default_week()
        return await self._private(request, self.ledger.report(wanted))

    async def _private(self, request: Request, data: dict[str, Any] | None) -> Response:
        if request.cookies.get(_COOKIE) not in self._sessions:
            return JSONResponse({"error": "Your session has expired."}, 401)
        await self._pause()
        if data is None:
            return JSONResponse({"error": "There are no books for this week."}, 404)
        return JSONResponse(data, headers={"cache-control": "no-store"})

    async def _pause(self) -> None:
        await asyncio.sleep(self._latency.uniform(*_LATENCY_S))


async def _page(request: Request) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": "Not found"}, 404)
    return FileResponse(_STATIC / "index.html", headers={"cache-control": "no-cache"})


async def _file(request: Request) -> Response:
    file = (_STATIC / request.path_params["path"]).resolve()
    if not file.is_relative_to(_STATIC) or not file.is_file():
        return Response(status_code=404)
    return FileResponse(file, headers={"cache-control": "public, max-age=3600"})


async def _icon(_: Request) -> Response:
    return FileResponse(_STATIC / "favicon.svg", headers={"cache-control": "public, max-age=3600"})


async def _json(request: Request) -> dict[str, Any]:
    try:
        body = await request.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
