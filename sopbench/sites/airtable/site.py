"""The mock Airtable: the web application on airtable.com and the REST API on api.airtable.com, over one base."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.sites.airtable.api import Api
from sopbench.sites.airtable.base import Base
from sopbench.sites.airtable.webapp import WebApp

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from sopbench.trials.case import SiteCase

_API_HOST = "api.airtable.com"


class AirtableSite:
    """One base with its pages and its API, made from a case.

    The same seed and the same requests in the same order give the same ids and the same waiting times. The visitor
    is signed in: the first page hands out the session. With ``signed_in=False`` pages lead to ``/login`` first.

    Raises: CaseInvalid when the rows of the case do not fit its columns.
    """

    name = "airtable"
    hosts = ("airtable.com", "www.airtable.com", _API_HOST)

    def __init__(self, case: SiteCase, seed: int, *, signed_in: bool = True) -> None:
        self.case = case
        self.base = Base(case, seed)
        self._api = Api(self.base, seed).app
        self._pages = WebApp(self.base, case.account, seed, signed_in=signed_in)
        self._web = self._pages.app

    @property
    def session(self) -> str:
        """What the cookie of a visitor who is signed in holds."""
        return self._pages.session

    def end_sessions(self) -> None:
        """Sign everybody out; pages lead to the sign-in from now on."""
        self._pages.end_sessions()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request: by the Host header, or by the path when asked by another name."""
        host = _host(scope)
        is_api = host == _API_HOST or (host not in self.hosts and scope.get("path", "").startswith("/v0/"))
        await (self._api if is_api else self._web)(scope, receive, send)


def _host(scope: Scope) -> str:
    headers: list[tuple[bytes, bytes]] = scope.get("headers", [])
    value = next((value for name, value in headers if name == b"host"), b"")
    return value.decode("latin-1").partition(":")[0].lower()
