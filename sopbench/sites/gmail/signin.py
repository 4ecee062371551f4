"""Signing in: who is known, who has signed in, and the two pages, which work with and without their script."""

from __future__ import annotations

from html import escape
from random import Random
from string import Template
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from sopbench.sites.gmail import assets

if TYPE_CHECKING:
    from sopbench.trials.case import Account

COOKIE = "SID"
IDENTIFIER = "/signin/v2/identifier"
PASSWORD = "/signin/v2/challenge/pwd"  # noqa: S105 - a path
HOME = "/mail/u/0/"


class Sessions:
    """Who has given the e-mail address, and who the password too. Tokens come from the seed."""

    def __init__(self, account: Account, seed: int) -> None:
        self._account = account
        self._random = Random(f"sessions {seed}")  # noqa: S311 - a trial must be repeatable
        self._halfway: set[str] = set()
        self._open: set[str] = set()

    def identify(self, email: str) -> tuple[str, str]:
        """(token, "") for the known account, else ("", what to tell the person)."""
        email = email.strip()
        if not email:
            return "", "Enter an email or phone number"
        if email.casefold() not in {self._account.email.casefold(), *self._short()}:
            return "", "Couldn’t find your Google Account"
        token = self._token()
        self._halfway.add(token)
        return token, ""

    def open(self, token: str, password: str) -> tuple[str, str]:
        """(session, "") for the right password, else ("", what to tell the person)."""
        if not password:
            return "", "Enter a password"
        if not self.is_halfway(token) or password != self._account.password:
            return "", "Wrong password. Try again or click Forgot password to reset it."
        session = self._token()
        self._open.add(session)
        return session, ""

    def is_halfway(self, token: str) -> bool:
        """Whether the e-mail address was given under this token."""
        return token in self._halfway

    def is_open(self, session: str | None) -> bool:
        """Whether this cookie value stands for somebody who signed in."""
        return session in self._open

    def enter(self) -> str:
        """A session of somebody who signed in elsewhere."""
        session = self._token()
        self._open.add(session)
        return session

    def close_all(self) -> None:
        """Sign everybody out."""
        self._open.clear()

    def close(self, session: str | None) -> None:
        """Sign out."""
        self._open.discard(session or "")

    def _short(self) -> set[str]:
        name, _, domain = self._account.email.casefold().partition("@")
        return {name} if domain == "gmail.com" else set()

    def _token(self) -> str:
        return f"{self._random.getrandbits(128):032x}"


def identifier_page(onward: str, email: str = "", problem: str = "") -> str:
    """HTML of the page that asks for the e-mail address."""
    return _page("identifier", onward, email=email, problem=problem)


def password_page(onward: str, email: str, token: str, problem: str = "") -> str:
    """HTML of the page that asks for the password."""
    return _page("password", onward, email=email, token=token, problem=problem)


def password_path(token: str, onward: str) -> str:
    """Where to go after the e-mail address was accepted."""
    return f"{PASSWORD}?TL={token}&continue={quote(onward, safe='')}"


def safe_onward(onward: str, host: str) -> str:
    """Where to go after signing in: the wish when it stays within the mail site, else the inbox."""
    if onward.startswith("/") and not onward.startswith(("//", "/\\")):
        return onward
    wish = urlsplit(onward)
    if wish.scheme in {"http", "https"} and wish.netloc in {host, "mail.google.com"}:
        return onward
    return "https://mail.google.com" + HOME if host == "accounts.google.com" else HOME


def _page(step: str, onward: str, *, email: str = "", token: str = "", problem: str = "") -> str:
    form = Template(assets.text(f"signin-{step}.html")).substitute(
        action=IDENTIFIER if step == "identifier" else PASSWORD,
        onward=escape(onward),
        email=escape(email),
        token=escape(token),
        problem=escape(problem),
        invalid="true" if problem else "false",
    )
    return Template(assets.text("signin.html")).substitute(form=form)
