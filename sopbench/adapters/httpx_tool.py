"""Requests to web APIs over HTTP: one action, one request, never a redirect and never a second try."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import httpx2

from sopbench.errors import DataInvalid, ToolRefused, ToolUnavailable
from sopbench.ports.tool import MAX_ANSWER_BYTES, ToolAnswer
from sopbench.sop.verbs.tools import Request

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from sopbench.sop.actions import ToolAction

_QUOTED = 300
_BUSY = {408, 425, 429}
"""Refusals that are about the moment: nothing was done, and asking again later may help."""
_SIGN_IN = {401, 403}
_SENT = "send_request_headers.started"
"""The first event of a connection after which anything may have reached the other side."""


class HttpxTool:
    """Sends requests over connections of their own: one that was kept open could have died unseen in between."""

    def __init__(self, transport: Callable[[], httpx2.AsyncBaseTransport] | None = None) -> None:
        """``transport`` None reaches the real network, through the proxy of the environment."""
        self._transport = transport
        self._built: httpx2.AsyncClient | None = None

    async def __aenter__(self) -> HttpxTool:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._built is not None:
            await self._built.aclose()

    @property
    def _client(self) -> httpx2.AsyncClient:
        """Built with the first call: it reads certificates, and most runs send nothing."""
        if self._built is None:
            self._built = httpx2.AsyncClient(
                transport=None if self._transport is None else self._transport(),
                follow_redirects=False,
                timeout=None,
                limits=httpx2.Limits(max_keepalive_connections=0),
            )
        return self._built

    async def call(self, action: ToolAction, *, timeout_s: float) -> ToolAnswer:
        """Send one request and read its answer whole.

        Raises: ToolUnavailable, ToolRefused, DataInvalid.
        """
        if not isinstance(action, Request):
            raise ToolUnavailable(f"HTTP cannot {action}", performed=False)
        call, client = _Call(action), self._client
        try:
            async with asyncio.timeout(timeout_s):
                request = client.build_request(
                    action.method,
                    action.url,
                    params=dict(action.query) or None,
                    headers=dict(action.headers),
                    json=action.json_,
                    content=action.text,
                    extensions={"trace": call.trace},
                )
                response = await client.send(request, stream=True)
                try:
                    body = await call.whole_body(response)
                finally:
                    await response.aclose()
        except TimeoutError as error:
            raise call.unavailable(f"no whole answer within {timeout_s:g} s") from error
        except (httpx2.InvalidURL, UnicodeError, ValueError) as error:
            raise ToolRefused(f"{action} cannot be sent: {error}", performed=False) from error
        except httpx2.HTTPError as error:
            raise call.unavailable(f"{type(error).__name__}: {error}") from error
        call.require_expected(response, body)
        return ToolAnswer(call.value(response, body))


class _Call:
    """What is known of one request while it is on its way."""

    def __init__(self, action: Request) -> None:
        self._action = action
        self._sent = False

    async def trace(self, event: str, _: Any) -> None:
        """Told by the connection how far it has got."""
        self._sent |= event.endswith(_SENT)

    def unavailable(self, why: str) -> ToolUnavailable:
        """The error for a call that got no answer: surely not performed only where nothing was sent."""
        state = "it is not known what became of it" if self._sent else "nothing was sent"
        return ToolUnavailable(f"{self._action}: {why}; {state}", performed=None if self._sent else False)

    async def whole_body(self, response: httpx2.Response) -> bytes:
        """Raises: DataInvalid when it is too large."""
        body = bytearray()
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > MAX_ANSWER_BYTES:
                message = f"{self._action}: the answer is larger than {MAX_ANSWER_BYTES:,} bytes"
                raise DataInvalid(message, performed=_was_performed(response.status_code))
        return bytes(body)

    def require_expected(self, response: httpx2.Response, body: bytes) -> None:
        """Raises: ToolRefused or ToolUnavailable for a status that is not expected."""
        status = response.status_code
        if status in self._action.status or (not self._action.status and response.is_success):
            return
        said = " ".join(body[: 4 * _QUOTED].decode(response.charset_encoding or "utf-8", "replace").split())
        message = f"{self._action} was answered {status} {response.reason_phrase}: “{said[:_QUOTED]}”"
        if response.has_redirect_location:
            message += f"; it leads to {response.headers['location'][:_QUOTED]}, and redirects are not followed"
        if status >= 500:
            raise ToolUnavailable(message, performed=None, status=status)
        if status in _BUSY:
            raise ToolUnavailable(message, performed=False, status=status)
        refused = ToolRefused(message, performed=_was_performed(status), status=status)
        if status in _SIGN_IN:
            refused.cause = "session"
        raise refused

    def value(self, response: httpx2.Response, body: bytes) -> Any:
        """The answer as data. Raises: DataInvalid where it says that it is JSON and is none."""
        if not body:
            return None
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        is_json = kind == "application/json" or kind.endswith("+json")
        if not is_json and self._action.answer is None:
            return body.decode(_charset(response), "replace")
        try:
            return json.loads(body)
        except ValueError as error:
            message = f"the answer to {self._action} is no JSON ({kind or 'of no kind'}): {error}"
            raise DataInvalid(message, performed=True) from error


def _was_performed(status: int) -> bool | None:
    """What a status that was not expected says of the effect."""
    return None if status < 200 or 300 <= status < 400 or status >= 500 else status < 300


def _charset(response: httpx2.Response) -> str:
    """The one it says, where there is such a one."""
    said = response.charset_encoding or "utf-8"
    try:
        "".encode(said)
    except LookupError:
        return "utf-8"
    return said
