"""A small page under faults, in a real browser."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import playwright.async_api as driver
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from sopbench.adapters.playwright_session import PlaywrightSession, opened
from sopbench.events.masking import Masker
from sopbench.events.types import ActionStarted, RunStarted
from sopbench.faults.at_work import Disturbance
from sopbench.ports.browser import Browser
from sopbench.sites.host import Server
from sopbench.sop.actions import BrowserAction
from sopbench.sop.verbs.pages import Navigate
from sopbench.trials.condition import PlannedFault, parse_condition
from sopbench.trials.fault import Strike, read_strikes

PAGE = """<!doctype html><title>Orders</title>
<style>#save { color: rgb(0, 128, 0) } .row { padding: 3px }</style>
<h1>Orders</h1>
<form id="order" class="row"><label for="name">Name</label><input id="name">
<label for="city">City</label><input id="city">
<label for="note">Note</label><input id="note"></form>
<button id="save" class="row" onclick="said.textContent += 'saved;'">Save</button>
<button onclick="said.textContent += 'sent;'">Send</button>
<a href="/orders.csv" download>Export</a>
<p id="said"></p>
<script>
window.answers = []
const failed = e => answers.push(['failed', String(e)])
const ask = () => fetch('/api').then(async r => answers.push([r.status, await r.text()]), failed)
</script>
<script src="/app.js"></script>"""


class Asked:
    """The page's server, and what it was asked for."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self._server = Server(
            Starlette(
                routes=[
                    Route("/", self._page),
                    Route("/api", self._data),
                    Route("/app.js", self._script),
                    Route("/orders.csv", self._file),
                ]
            )
        )
        self.url = f"http://127.0.0.1:{self._server.port}"

    def close(self) -> None:
        self._server.close()

    async def _page(self, request: Request) -> Response:
        self.paths.append(request.url.path)
        return HTMLResponse(PAGE)

    async def _data(self, request: Request) -> Response:
        self.paths.append(request.url.path)
        return JSONResponse({"orders": list(range(100))})

    async def _script(self, request: Request) -> Response:
        self.paths.append(request.url.path)
        return Response("window.appIsThere = true", media_type="text/javascript")

    async def _file(self, request: Request) -> Response:
        return Response(
            "a,b", media_type="text/csv", headers={"content-disposition": "attachment; filename=orders.csv"}
        )


class World:
    """A browser under a condition, as a run would use it."""

    def __init__(self, session: PlaywrightSession, disturbance: Disturbance, folder: Path, url: str) -> None:
        self.disturbance = disturbance
        self.browser: Browser = disturbance.browser(session.browser)
        self.context = session.context
        self.url = url
        self._folder = folder
        self._actions = 0

    @property
    def page(self) -> driver.Page:
        return self.context.pages[0]

    async def open(self) -> None:
        await self.do(Navigate(url=f"{self.url}/"))

    async def do(self, action: BrowserAction, timeout_s: float = 5) -> Any:
        """One action, announced as the engine announces it."""
        self.begins(action.do)
        return await self.browser.perform(action, timeout_s=timeout_s)

    def begins(self, verb: str = "click") -> None:
        """An action is announced."""
        self._actions += 1
        self.disturbance.moment(
            ActionStarted(
                seq=self._actions + 1, step=1, action=self._actions - 1, do=verb, says="", effect="read", arguments={}
            )
        )

    @property
    def strikes(self) -> list[Strike]:
        return read_strikes(self._folder)


MakeWorld = Callable[..., Awaitable[World]]


def planned(fault: str, **settings: Any) -> PlannedFault:
    """A fault as a condition's file would have it."""
    lines = [f"{key} = {toml(value)}" for key, value in {"fault": fault, **settings}.items()]
    return parse_condition("\n".join(['title = "t"', "[[faults]]", *lines]), "t.toml", "t").faults[0]


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case Mapping():
            return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
        case list() | tuple():
            return f"[{', '.join(map(toml, value))}]"
        case _:
            return str(value)


def started(disturbance: Disturbance) -> None:
    """A run begins."""
    disturbance.moment(
        RunStarted(seq=1, sop="s", title="t", version="1.0.0", sha256="", autonomy="light", variables={}, limits={})
    )


@pytest.fixture(scope="session")
def serving() -> Any:
    server = Asked()
    yield server
    server.close()


@pytest.fixture
def server(serving: Asked) -> Asked:
    serving.paths.clear()
    return serving


@pytest_asyncio.fixture(loop_scope="session")
async def world(chromium: driver.Browser, server: Asked, tmp_path: Path) -> AsyncIterator[MakeWorld]:
    """Makes worlds under faults; the run has begun in them, and no page is open yet."""
    made = 0
    async with AsyncExitStack() as stack:

        async def make(*faults: PlannedFault, seed: int = 1, browser: driver.Browser = chromium) -> World:
            nonlocal made
            made += 1
            folder = tmp_path / str(made)
            folder.mkdir()
            disturbance = Disturbance(faults, seed=seed, hosts={"here": ["127.0.0.1"]})
            await stack.enter_async_context(disturbance.at_work(folder, Masker(["hunter2"])))
            opening = opened(
                browser,
                folder,
                masker=Masker(),
                tracing="off",
                options=disturbance.context_options(),
                prepare=disturbance.context_opened,
            )
            session = await stack.enter_async_context(opening)
            started(disturbance)
            return World(session, disturbance, folder, server.url)

        yield make
