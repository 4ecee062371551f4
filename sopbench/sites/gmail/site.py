"""The mail site: sign-in, the page, its private interface and the files, as one ASGI application."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlsplit

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from sopbench.sites.gmail import assets, signin
from sopbench.sites.gmail.calls import Calls
from sopbench.sites.gmail.store import Mailbox
from sopbench.trials.letters import Letter

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from sopbench.trials.case import SiteCase

MAIL, ACCOUNTS = "mail.google.com", "accounts.google.com"
_LATENCY_S = (0.03, 0.15)
_POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"


class GmailSite:
    """The mock Gmail of one trial. State lives here and ends with it; the same case and seed behave the same."""

    name: str = "gmail"
    hosts: tuple[str, ...] = (MAIL, ACCOUNTS)

    def __init__(self, case: SiteCase, seed: int) -> None:
        started = time.monotonic()
        self.mailbox = Mailbox.of_case(case, lambda: case.now + timedelta(seconds=int(time.monotonic() - started)))
        self.case = case
        self.seed = seed
        self._sessions = signin.Sessions(case.account, seed)
        self._account = case.account
        self._random = Random(seed)  # noqa: S311 - a trial must be repeatable
        self._calls = Calls(self.mailbox, case.account)
        self._app = Starlette(
            routes=[
                Route("/", self._root),
                Route("/mail", self._root),
                Route("/mail/", self._root),
                Route("/mail/u/0", self._root),
                Route(signin.HOME, self._page),
                Route("/mail/u/0/i/{name}", self._call, methods=["POST"]),
                Route("/ServiceLogin", self._to_identifier),
                Route(signin.IDENTIFIER, self._identifier, methods=["GET", "POST"]),
                Route("/v3/signin/identifier", self._identifier, methods=["GET", "POST"]),
                Route(signin.PASSWORD, self._password, methods=["GET", "POST"]),
                Route("/v3/signin/challenge/pwd", self._password, methods=["GET", "POST"]),
                Route("/Logout", self._logout),
                Route("/mail/_/static/{name}", _file),
                Route("/favicon.ico", _no_icon),
            ]
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        await self._app(scope, receive, send)

    def labels(self) -> dict[str, list[str]]:
        """User label → sorted names of the .eml files whose conversation carries it; unused labels map to []."""
        return self.mailbox.files_by_label()

    def letters(self) -> list[Letter]:
        """What was written here: the drafts that are kept, and what was sent."""
        return [
            Letter(
                to=tuple(person.email for person in mail.to),
                cc=tuple(person.email for person in mail.cc),
                subject=mail.subject,
                text=mail.body.text,
                is_sent=is_sent,
            )
            for mail, is_sent in self.mailbox.written()
        ]

    def end_sessions(self) -> None:
        """Sign everybody out; the next page leads to the sign-in."""
        self._sessions.close_all()

    def entered(self) -> str:
        """A session cookie, ``NAME=VALUE``, of somebody who signed in elsewhere."""
        return f"{signin.COOKIE}={self._sessions.enter()}"

    async def _delay(self) -> None:
        await asyncio.sleep(self._random.uniform(*_LATENCY_S))

    # pages

    async def _root(self, request: Request) -> Response:
        return RedirectResponse(signin.IDENTIFIER if _host(request) == ACCOUNTS else signin.HOME, 302)

    async def _page(self, request: Request) -> Response:
        if _host(request) == ACCOUNTS:
            return RedirectResponse(f"https://{MAIL}{signin.HOME}", 302)
        if not self._signed_in(request):
            here = f"https://{MAIL}{signin.HOME}" if _host(request) == MAIL else signin.HOME
            origin = f"https://{ACCOUNTS}" if _host(request) == MAIL else ""
            return RedirectResponse(f"{origin}{signin.IDENTIFIER}?service=mail&continue={quote(here, safe='')}", 302)
        if request.query_params.get("view") == "att":
            return self._attachment(request)
        await self._delay()
        return _html(assets.text("app.html"))

    def _attachment(self, request: Request) -> Response:
        wanted, number = request.query_params.get("th"), request.query_params.get("attid", "")
        for thread in self.mailbox.threads.values():
            for mail in thread.mails:
                for index, file in enumerate(mail.attachments, start=1):
                    if (mail.id, f"0.{index}") == (wanted, number):
                        name = f"attachment; filename*=UTF-8''{quote(file.name)}"
                        return Response(file.content, headers={"content-disposition": name}, media_type=file.type)
        return PlainTextResponse("Not found", 404)

    # signing in

    async def _to_identifier(self, request: Request) -> Response:
        query = f"?{request.url.query}" if request.url.query else ""
        origin = f"https://{ACCOUNTS}" if _host(request) == MAIL else ""
        return RedirectResponse(origin + signin.IDENTIFIER + query, 302)

    async def _identifier(self, request: Request) -> Response:
        given = await _form(request)
        onward = signin.safe_onward(given.get("continue", ""), _host(request))
        if request.method == "GET":
            if _host(request) == MAIL:
                return await self._to_identifier(request)
            if self._signed_in(request):
                return RedirectResponse(onward, 302)
            return _html(signin.identifier_page(onward))
        await self._delay()
        email = given.get("identifier", "")
        token, problem = self._sessions.identify(email)
        if problem:
            return _told(request, problem, lambda: signin.identifier_page(onward, email, problem))
        return _onward(request, signin.password_path(token, onward))

    async def _password(self, request: Request) -> Response:
        given = await _form(request)
        onward = signin.safe_onward(given.get("continue", ""), _host(request))
        token = given.get("TL", "")
        if not self._sessions.is_halfway(token):
            return _onward(request, f"{signin.IDENTIFIER}?continue={quote(onward, safe='')}")
        if request.method == "GET":
            return _html(signin.password_page(onward, self._account.email, token))
        await self._delay()
        session, problem = self._sessions.open(token, given.get("Passwd", ""))
        if problem:
            return _told(request, problem, lambda: signin.password_page(onward, self._account.email, token, problem))
        response = _onward(request, onward)
        real = _host(request) in self.hosts
        response.set_cookie(
            signin.COOKIE, session, path="/", httponly=True, samesite="lax", secure=real,
            domain="google.com" if real else None,
        )  # fmt: skip
        return response

    async def _logout(self, request: Request) -> Response:
        self._sessions.close(request.cookies.get(signin.COOKIE))
        return RedirectResponse(f"https://{ACCOUNTS}{signin.IDENTIFIER}" if _host(request) == MAIL else "/", 302)

    def _signed_in(self, request: Request) -> bool:
        return self._sessions.is_open(request.cookies.get(signin.COOKIE))

    # the private interface of the page

    async def _call(self, request: Request) -> Response:
        if not self._signed_in(request):
            return JSONResponse({"error": "Your session has expired."}, 401)
        try:
            asked = json.loads(await request.body() or b"{}")
        except ValueError:
            return JSONResponse({"error": "Bad request"}, 400)
        status, answer = self._calls.answer(request.path_params["name"], asked)
        await self._delay()
        return JSONResponse(answer, status, headers={"cache-control": "no-store"})


def _host(request: Request) -> str:
    """The name the site was asked by; with its port when it is not one of the real ones."""
    host = request.headers.get("host", "")
    name = urlsplit(f"//{host}").hostname or ""
    return name if name in GmailSite.hosts else host


def _html(page: str) -> Response:
    return HTMLResponse(page, headers={"content-security-policy": _POLICY, "cache-control": "no-store"})


def _told(request: Request, problem: str, page: Callable[[], str]) -> Response:
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"problem": problem})
    return _html(page())


def _onward(request: Request, path: str) -> Response:
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"next": path})
    return RedirectResponse(path, 303)


async def _form(request: Request) -> dict[str, str]:
    """Fields of the query and of a posted form; the form wins."""
    posted = (await request.body()).decode("utf-8", "replace") if request.method == "POST" else ""
    return {**request.query_params, **dict(parse_qsl(posted, keep_blank_values=True))}


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    try:
        tag, kind = assets.etag(name), assets.media_type(name)
    except FileNotFoundError:
        return PlainTextResponse("Not found", 404)
    headers = {"cache-control": "private, max-age=3600", "etag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(assets.text(name), headers=headers, media_type=kind)


async def _no_icon(_request: Request) -> Response:
    return Response(status_code=204)
