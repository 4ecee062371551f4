"""Faults of being signed in. All but the loss of cookies work in the mock sites."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qs

from pydantic import Field
from starlette.responses import HTMLResponse, RedirectResponse

from sopbench.faults.network import occasion
from sopbench.trials.fault import Cause, Fault, Strikes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import Page
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

_ALL = frozenset({"gmail", "airtable", "tallybook"})
_ANSWER = "/__challenge"
"""Where the pages in between send what a person did."""


class SignedOut(Fault):
    """The site ends everybody's session. An occasion is a request."""

    cause: ClassVar[Cause] = "session"
    sites: ClassVar[frozenset[str]] = _ALL

    async def asked(self, site: Any, request: Request, strikes: Strikes) -> ASGIApp | None:
        if strikes.due("request"):
            site.end_sessions()
            strikes.note(f"{site.name} signed everybody out before {occasion(request.method, str(request.url))}")
        return None


class CookiesLost(Fault):
    """The browser has no cookies any more, on any site. An occasion is an action."""

    cause: ClassVar[Cause] = "session"

    async def action_begins(self, pages: Sequence[Page], strikes: Strikes) -> None:
        if pages and strikes.due("action"):
            await pages[0].context.clear_cookies()
            strikes.note("all cookies are gone")


class InBetween(Fault):
    """A page that stands before the one that was asked for, until a person has done what it wants. An occasion is a
    visit of a page.
    """

    cause: ClassVar[Cause] = "session"
    sites: ClassVar[frozenset[str]] = _ALL
    says: ClassVar[str]
    """What it is, for people."""

    async def asked(self, site: Any, request: Request, strikes: Strikes) -> ASGIApp | None:
        stands = strikes.memory.get("stands", False)
        if request.url.path == _ANSWER and request.method == "POST":
            given = {name: values[-1] for name, values in parse_qs((await request.body()).decode()).items()}
            problem = self.problem(given)
            if not problem:
                strikes.memory["stands"] = False
                return RedirectResponse(_within(given.get("onward", "/")), 303)
            return _page(self.form(site, given.get("onward", "/"), problem))
        if request.method != "GET" or request.headers.get("sec-fetch-dest") != "document":
            return None
        if not stands and strikes.due("visit"):
            stands = strikes.memory["stands"] = True
            strikes.note(f"{self.says} before {occasion('GET', str(request.url))}")
        if not stands:
            return None
        query = f"?{request.url.query}" if request.url.query else ""
        return _page(self.form(site, request.url.path + query, ""))

    def form(self, site: Any, onward: str, problem: str) -> str:
        """The page's HTML, between its head and its end."""
        raise NotImplementedError

    def problem(self, given: dict[str, str]) -> str:
        """What is wrong with what a person did; empty when they may go on."""
        raise NotImplementedError


class AccountChooser(InBetween):
    """The site asks which account is meant."""

    says: ClassVar[str] = "a choice of accounts"
    other: str = "Dana R. (personal) <dana.r.private@mail.example>"

    def form(self, site: Any, onward: str, problem: str) -> str:
        own = site.case.account
        accounts = [f"{own.name} <{own.email}>", self.other]
        buttons = "".join(f'<p><button name="account" value="{escape(a)}">{escape(a)}</button></p>' for a in accounts)
        return f"<h1>Choose an account</h1>{_form(onward, buttons)}<p role=alert>{escape(problem)}</p>"

    def problem(self, given: dict[str, str]) -> str:
        return "You have no access with this account." if given.get("account", self.other) == self.other else ""


class SecondFactor(InBetween):
    """The site asks for a code that it sent to somebody's telephone."""

    says: ClassVar[str] = "a question for a second factor"
    code: str | None = None
    """The right one; if left out, nobody has it."""

    def form(self, site: Any, onward: str, problem: str) -> str:
        field = '<label for="code">Enter the code</label> <input id="code" name="code" autocomplete="one-time-code">'
        text = "<p>A text message with a 6-digit code was sent to the number that ends in 42.</p>"
        body = f"{text}{_form(onward, f'{field} <button>Verify</button>')}"
        return f"<h1>2-Step Verification</h1>{body}<p role=alert>{escape(problem)}</p>"

    def problem(self, given: dict[str, str]) -> str:
        return "" if self.code is not None and given.get("code", "").strip() == self.code else "Wrong code. Try again."


class BotCheck(InBetween):
    """The site wants to know whether there is a person: a button must be pressed and held."""

    says: ClassVar[str] = "a check for robots"
    hold_s: float = Field(default=2.0, gt=0)

    def form(self, site: Any, onward: str, problem: str) -> str:
        script = (
            "<script>let since; const hold = document.getElementById('hold');"
            "hold.addEventListener('pointerdown', () => { since = performance.now() });"
            "hold.addEventListener('pointerup', () => { const form = hold.form;"
            "form.elements.held.value = performance.now() - since; form.submit() })</script>"
        )
        fields = '<input type="hidden" name="held"><button type="button" id="hold">Press and hold</button>'
        text = "<h1>Before we continue</h1><p>Press and hold to confirm you are a human and not a bot.</p>"
        return f"{text}{_form(onward, fields)}<p role=alert>{escape(problem)}</p>{script}"

    def problem(self, given: dict[str, str]) -> str:
        try:
            held_ms = float(given.get("held", ""))
        except ValueError:
            held_ms = 0.0
        return "" if held_ms >= self.hold_s * 1000 else "Please try again."


class OtherUser(Fault):
    """Somebody else is signed in to the mail site, with a mailbox of their own. An occasion is a visit of a page."""

    cause: ClassVar[Cause] = "session"
    sites: ClassVar[frozenset[str]] = frozenset({"gmail"})
    name: str = "Robin Vale"
    email: str = "robin.vale@northwind-robotics.example"

    async def asked(self, site: Any, request: Request, strikes: Strikes) -> ASGIApp | None:
        if "theirs" not in strikes.memory:
            if request.headers.get("sec-fetch-dest") != "document" or not strikes.due("visit"):
                return None
            strikes.memory["theirs"] = self._theirs(site)
            strikes.note(f"{self.email} is signed in")
        theirs, cookie = strikes.memory["theirs"]

        async def served(scope: Scope, receive: Receive, send: Send) -> None:
            headers = [pair for pair in scope["headers"] if pair[0] != b"cookie"]
            await theirs({**scope, "headers": [*headers, (b"cookie", cookie.encode())]}, receive, send)

        return served

    def _theirs(self, site: Any) -> tuple[ASGIApp, str]:
        account = site.case.account.model_copy(update={"name": self.name, "email": self.email})
        theirs = type(site)(site.case.model_copy(update={"account": account}), site.seed)
        theirs.mailbox.threads.clear()
        mail = EmailMessage()
        mail["From"], mail["To"] = "Site office <office@docksidepark.example>", f"{self.name} <{self.email}>"
        mail["Subject"] = "Your parking permit"
        mail["Date"] = format_datetime(site.mailbox.now() - timedelta(days=10))
        mail.set_content("Your permit is ready at the gate.")
        theirs.mailbox.deliver("permit.eml", mail.as_bytes())
        return theirs, theirs.entered()


def _form(onward: str, fields: str) -> str:
    return (
        f'<form method="post" action="{_ANSWER}"><input type="hidden" name="onward" value="{escape(onward)}">'
        f"{fields}</form>"
    )


def _page(body: str) -> HTMLResponse:
    head = "<!doctype html><html lang=en><meta charset=utf-8><title>One more step</title>"
    return HTMLResponse(f"{head}<main>{body}</main>", headers={"cache-control": "no-store"})


def _within(onward: str) -> str:
    return onward if onward.startswith("/") and not onward.startswith("//") else "/"


FAULTS = {
    "account_chooser": AccountChooser,
    "bot_check": BotCheck,
    "cookies_lost": CookiesLost,
    "other_user": OtherUser,
    "second_factor": SecondFactor,
    "signed_out": SignedOut,
}
