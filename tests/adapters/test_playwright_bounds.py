"""A browser that is kept to some origins: nothing is opened and nothing sent elsewhere, by whatever means."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import playwright.async_api as driver
import pytest

from sopbench.adapters.playwright_session import PlaywrightSession, opened
from sopbench.events.masking import Masker

WAYS = {
    "a link": "<a id=it href='EVIL/link'>x</a>",
    "a link that opens a window": "<a id=it target=_blank href='EVIL/blank'>x</a>",
    "a link into a frame": "<iframe name=f></iframe><a id=it target=f href='EVIL/frame'>x</a>",
    "a link with a ping": "<a id=it ping='EVIL/ping' href='/next'>x</a>",
    "a file": "<a id=it download href='EVIL/file'>x</a>",
    "a form": "<form action='EVIL/form' method=post><button id=it>x</button></form>",
    "a window": "<button id=it onclick=\"window.open('EVIL/window')\">x</button>",
    "a redirect": "<a id=it href='/redirect'>x</a>",
    "a redirect in a window": "<a id=it target=_blank href='/redirect'>x</a>",
    "a window that is redirected": "<button id=it onclick=\"window.open('/redirect')\">x</button>",
    "a script that goes there": "<button id=it onclick=\"location='EVIL/script'\">x</button>",
    "a script that goes there later": "<button id=it onclick=\"setTimeout(() => location='EVIL/late', 9)\">x</button>",
    "a request that sends": "<button id=it onclick=\"fetch('EVIL/send', {method: 'POST', mode: 'no-cors'})\"></button>",
    "a request that is redirected": (
        "<button id=it onclick=\"fetch('/redirect', {method: 'POST', mode: 'no-cors'})\">x</button>"
    ),
    "a beacon": "<button id=it onclick=\"navigator.sendBeacon('EVIL/beacon', 'x')\">x</button>",
}


@dataclass
class Two:
    """A site, and another one that nothing may go to."""

    own: str = ""
    other: str = ""
    body: str = ""
    asked: list[str] = field(default_factory=list)
    """Requests to the other."""
    _servers: list[ThreadingHTTPServer] = field(default_factory=list)

    def start(self) -> Two:
        two = self

        class Own(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/redirect":
                    self.send_response(307)
                    self.send_header("Location", f"{two.other}/landed")
                    self.end_headers()
                    return
                _answer(self, two.body.replace("EVIL", two.other))

            do_POST = do_GET  # noqa: N815 - the library's word

            def log_message(self, *_: Any) -> None:
                pass

        class Other(Own):
            def do_GET(self) -> None:
                two.asked.append(f"{self.command} {self.path}")
                _answer(self, "elsewhere")

            do_POST = do_GET  # noqa: N815 - the library's word

        self.own, self.other = self._serve(Own), self._serve(Other)
        return self

    def _serve(self, handler: type[BaseHTTPRequestHandler]) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self._servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}"

    def stop(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()


def _answer(request: BaseHTTPRequestHandler, body: str) -> None:
    told = f"<!doctype html><title>t</title>{body}".encode()
    request.send_response(200)
    request.send_header("Content-Type", "text/html")
    request.send_header("Content-Length", str(len(told)))
    request.end_headers()
    with suppress(OSError):
        request.wfile.write(told)


@pytest.fixture(scope="module")
def servers() -> Iterator[Two]:
    two = Two().start()
    yield two
    two.stop()


async def click_on(way: str, servers: Two, session: PlaywrightSession) -> None:
    """Press the one thing of a page."""
    servers.body, page = WAYS[way], session.context.pages[0]
    servers.asked.clear()
    await page.goto(servers.own)
    await page.click("#it")


async def until(holds: Callable[[], bool], within_s: float = 5) -> None:
    async with asyncio.timeout(within_s):
        while not holds():  # noqa: ASYNC110 - the servers have threads of their own
            await asyncio.sleep(0.01)


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("way", WAYS)
async def test_nothing_goes_elsewhere_while_it_is_kept(way: str, servers: Two, session: PlaywrightSession) -> None:
    async with session.browser.kept_to([servers.own], downloads=False) as refused:
        await click_on(way, servers, session)
        await until(lambda: bool(refused))

        assert servers.asked == []
        assert [address.startswith(servers.other) for address in refused] == [True]
        assert (await session.browser.where()).startswith(servers.own)


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("way", WAYS)
async def test_it_does_go_there_when_it_is_not_kept(way: str, servers: Two, session: PlaywrightSession) -> None:
    await click_on(way, servers, session)

    await until(lambda: bool(servers.asked))


@pytest.mark.asyncio(loop_scope="session")
async def test_what_was_kept_is_free_again_afterwards(servers: Two, session: PlaywrightSession) -> None:
    async with session.browser.kept_to([servers.own], downloads=False):
        pass

    await click_on("a redirect", servers, session)
    await until(lambda: bool(servers.asked))

    assert servers.asked == ["GET /landed"]
    assert await session.browser.where() == f"{servers.other}/landed"


@pytest.mark.asyncio(loop_scope="session")
async def test_another_session_of_the_same_browser_is_not_kept(
    servers: Two, session: PlaywrightSession, chromium: driver.Browser
) -> None:
    async with (
        opened(chromium, None, masker=Masker(), tracing="off") as other,
        session.browser.kept_to([servers.own], downloads=False) as refused,
    ):
        await click_on("a redirect", servers, other)
        await until(lambda: bool(servers.asked))

        assert servers.asked == ["GET /landed"]
        assert list(refused) == []


LEAVING = {
    "a beacon": "navigator.sendBeacon('EVIL/left', 'x')",
    "a request that outlives its page": "fetch('EVIL/left', {method: 'POST', mode: 'no-cors', keepalive: true})",
}


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("how", LEAVING)
@pytest.mark.parametrize("is_kept", [True, False])
async def test_a_page_that_is_left_sends_nothing_elsewhere(
    how: str, is_kept: bool, servers: Two, session: PlaywrightSession
) -> None:
    servers.body, page = (
        f"<script>addEventListener('pagehide', () => {{ {LEAVING[how]} }})</script>",
        session.context.pages[0],
    )
    servers.asked.clear()

    async with AsyncExitStack() as stack:
        if is_kept:
            await stack.enter_async_context(session.browser.kept_to([servers.own], downloads=False))
        await page.goto(servers.own)
        await page.goto(f"{servers.own}/next")
        servers.body = ""
        await page.goto(f"{servers.own}/last")

    if is_kept:
        with pytest.raises(TimeoutError):
            await until(lambda: "POST /left" in servers.asked, within_s=0.3)
    else:
        await until(lambda: "POST /left" in servers.asked)


@pytest.mark.asyncio(loop_scope="session")
async def test_pictures_and_scripts_from_elsewhere_are_loaded(servers: Two, session: PlaywrightSession) -> None:
    servers.body, page = "<img src='EVIL/picture'>", session.context.pages[0]
    servers.asked.clear()

    async with session.browser.kept_to([servers.own], downloads=False) as refused:
        await page.goto(servers.own)

    assert (servers.asked, list(refused)) == (["GET /picture"], [])
