"""Requests over real connections: what is known of them when they break, and where they cannot go."""

from __future__ import annotations

import asyncio
import gzip
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from sopbench.adapters.httpx_tool import HttpxTool
from sopbench.adapters.mapped_transport import MappedTransport
from sopbench.errors import DataInvalid, StepError, ToolRefused, ToolUnavailable
from sopbench.ports.tool import MAX_ANSWER_BYTES
from sopbench.sites.host import SiteHost
from sopbench.sop.verbs.tools import Request

from .plain_server import PlainServer, answer, serving


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[PlainServer]:
    async with serving() as plain:
        yield plain


async def ask(action: Request, timeout_s: float = 5) -> Any:
    async with HttpxTool() as tool:
        return (await tool.call(action, timeout_s=timeout_s)).value


async def error_of(action: Request, timeout_s: float = 5) -> StepError:
    with pytest.raises(StepError) as raised:
        await ask(action, timeout_s)
    return raised.value


def post(server: PlainServer, path: str = "/records", **more: Any) -> Request:
    return Request.model_validate({"method": "POST", "url": f"{server.url}{path}", "json": {"a": 1}, **more})


async def test_a_request_is_sent_as_it_says_and_its_json_read(server: PlainServer) -> None:
    server.says = lambda _: [answer({"id": 7, "list": [None, 1.5]})]

    value = await ask(
        post(server, query={"q": "a b&c"}, headers={"Authorization": "Bearer t"}, json={"name": "Ada", "n": 1})
    )

    assert value == {"id": 7, "list": [None, 1.5]}
    [asked] = server.asked
    head, _, body = asked.partition(b"\r\n\r\n")
    assert head.startswith((b"POST /records?q=a+b%26c HTTP/1.1", b"POST /records?q=a%20b%26c HTTP/1.1"))
    assert b"authorization: bearer t" in head.lower()
    assert body == b'{"name":"Ada","n":1}'


@pytest.mark.parametrize(
    ("sent", "value"),
    [
        (answer("naïve".encode("latin-1"), kind="text/plain; charset=latin-1"), "naïve"),
        (answer(b"<b>", kind="text/html; charset=no-such"), "<b>"),
        (answer(b"", "204 No Content"), None),
        (answer({"a": 1}, kind="application/vnd.api+json; v=1"), {"a": 1}),
    ],
)
async def test_what_is_no_json_is_text(server: PlainServer, sent: bytes, value: Any) -> None:
    server.says = lambda _: [sent]

    assert await ask(post(server)) == value


async def test_what_says_it_is_json_must_be(server: PlainServer) -> None:
    server.says = lambda _: [answer(b"{oops")]

    error = await error_of(post(server))

    assert isinstance(error, DataInvalid)
    assert error.performed is True


async def test_where_nobody_listens_surely_nothing_was_done() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and not listening
        port = taken.getsockname()[1]

        error = await error_of(Request(method="POST", url=f"http://127.0.0.1:{port}/"))

    assert isinstance(error, ToolUnavailable)
    assert error.performed is False
    assert error.message.endswith("nothing was sent")


@pytest.mark.parametrize(
    "says",
    [[None], [b"HTTP/1.1 200 OK\r\nContent-Le", None], [answer({"id": 7})[:-3], None]],
    ids=["before the answer", "in its head", "in its body"],
)
async def test_when_the_plug_is_pulled_after_sending_nobody_knows(server: PlainServer, says: list[Any]) -> None:
    server.says = lambda _: says

    error = await error_of(post(server))

    assert isinstance(error, ToolUnavailable)
    assert error.performed is None
    assert len(server.asked) == 1  # and it was not sent again
    assert error.message.endswith("it is not known what became of it")


@pytest.mark.parametrize("begins", [[], [answer({"id": 7})[:-3]]], ids=["silent", "stuck"])
async def test_an_answer_that_does_not_come_in_time_leaves_it_unknown(server: PlainServer, begins: list[Any]) -> None:
    never = asyncio.Event()
    server.says = lambda _: [*begins, never]

    error = await error_of(post(server), timeout_s=0.2)
    never.set()

    assert isinstance(error, ToolUnavailable)
    assert error.performed is None
    assert "no whole answer within 0.2 s" in error.message


@pytest.mark.parametrize(
    ("status", "kind", "performed", "cause"),
    [
        ("400 Bad Request", ToolRefused, False, "data"),
        ("401 Unauthorized", ToolRefused, False, "session"),
        ("422 Unprocessable", ToolRefused, False, "data"),
        ("429 Too Many Requests", ToolUnavailable, False, "network"),
        ("500 Oops", ToolUnavailable, None, "network"),
        ("503 Busy", ToolUnavailable, None, "network"),
    ],
)
async def test_a_status_that_is_not_expected_says_what_was_done(
    server: PlainServer, status: str, kind: type[StepError], performed: bool | None, cause: str
) -> None:
    server.says = lambda _: [answer({"error": {"message": 'Field "Name" is unknown'}}, status)]

    error = await error_of(post(server))

    assert (type(error), error.performed, error.cause) == (kind, performed, cause)
    assert f"was answered {status}: “" in error.message
    assert "is unknown" in error.message


async def test_a_redirect_is_not_followed(server: PlainServer) -> None:
    server.says = lambda _: [answer(b"", "302 Found", Location="https://elsewhere.test/")]

    error = await error_of(post(server))

    assert isinstance(error, ToolRefused)
    assert error.performed is None
    assert "it leads to https://elsewhere.test/, and redirects are not followed" in error.message
    assert len(server.asked) == 1


async def test_an_action_says_which_status_it_expects(server: PlainServer) -> None:
    server.says = lambda _: [answer({"error": "gone"}, "404 Not Found")]

    assert await ask(post(server, status=[200, 404])) == {"error": "gone"}
    server.says = lambda _: [answer({}, "201 Created")]
    assert (await error_of(post(server, status=[200]))).performed is True


async def test_an_answer_that_is_too_large_is_not_read_to_its_end(server: PlainServer) -> None:
    bomb = gzip.compress(b"0" * (MAX_ANSWER_BYTES + 1))
    server.says = lambda _: [answer(bomb, kind="text/plain", Content_Encoding="gzip")]

    error = await error_of(post(server))

    assert len(bomb) < 20_000
    assert isinstance(error, DataInvalid)
    assert "larger than 2,000,000 bytes" in error.message
    assert error.performed is True


@pytest.mark.parametrize("url", ["http://", "http://[", "https://a b/", "ftp://127.0.0.1/x"])
async def test_an_address_that_is_none_is_not_sent(url: str) -> None:
    assert (await error_of(Request(url=url))).performed is False


# --- mock sites


async def named(scope: Any, receive: Any, send: Any) -> None:
    """A site that says how it was called."""
    host = dict(scope["headers"])[b"host"]
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": scope["scheme"].encode() + b" " + host})


named.hosts = ("api.airtable.com",)  # type: ignore[attr-defined]


async def test_a_mock_site_is_reached_at_its_real_name_and_no_other_host_is(server: PlainServer) -> None:
    with SiteHost() as host:
        host.mount({"airtable": named})  # type: ignore[dict-item]
        ports = {"api.airtable.com": host.port}
        async with HttpxTool(lambda: MappedTransport(ports)) as tool:

            async def value(url: str) -> Any:
                return (await tool.call(Request(url=url), timeout_s=5)).value

            assert await value("https://api.airtable.com/v0/x") == "https api.airtable.com"
            assert await value(f"{server.url}/own") == {}
            for url in (
                "https://example.com/", "http://api.airtable.com/", "https://api.airtable.com:8443/",
                "https://localhost/", "https://127.0.0.2/", "https://api.airtable.com.evil.test/",
            ):  # fmt: skip
                with pytest.raises(ToolUnavailable, match="none of the mock sites") as raised:
                    await value(url)
                assert raised.value.performed is False
