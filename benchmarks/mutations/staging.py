"""A page as it was recorded, and as it is after a change; the truth about the meant element is kept outside of it."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from playwright.async_api import ElementHandle, JSHandle
from playwright.async_api import Page as Tab

from benchmarks.mutations.catalog import HERE, PAGES, Element, Page
from benchmarks.mutations.kinds import Mutation
from benchmarks.mutations.sites import WAYS, Sites, hosted
from sopbench.adapters.playwright_locators import locate
from sopbench.sites.host import SiteHost
from sopbench.sop.targets import Target

_SCRIPTS = ("parts", "naming", "placing", "looks")


class NotThere(Exception):
    """The element of a page is not found by its own target, or not by it alone."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A browser that goes away in the middle of a page is no error here."""


@dataclass
class World:
    """Where the pages are."""

    address: str
    """Of the pages of ``pages/``, without a slash at its end."""
    sites: Sites


@dataclass
class Staged:
    """A page that was changed."""

    meant: ElementHandle | None
    """The element that should be acted on now; None when it is gone."""
    before: ElementHandle
    """What it was before the change."""
    said: str
    """What the change came to, for people."""


@contextmanager
def served() -> Iterator[tuple[World, SiteHost]]:
    """The pages on a free port of this machine, and the mock sites with the host that the browser must know of."""
    server = _Server(("127.0.0.1", 0), partial(_Quiet, directory=str(PAGES)))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        with hosted() as (sites, host):
            yield World(f"http://127.0.0.1:{server.server_port}", sites), host
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def shown(tab: Tab, world: World, page: Page, element: Element) -> ElementHandle:
    """Open the page, bring the element up, and take hold of it. Raises: NotThere."""
    if page.way is None:
        await tab.goto(world.address + page.path, wait_until="load")
    else:
        world.sites.renew()
        await WAYS[page.way](tab, world.sites.case)
    for selector in element.before:
        await tab.locator(selector).first.click()
    return await only(tab, element.target, f"{page.name}/{element.id}")


async def only(tab: Tab, target: Target, what: str) -> ElementHandle:
    """The one element that fits. Raises: NotThere."""
    handles = await locate(tab, target, only_seen=True).element_handles()
    if len(handles) != 1:
        raise NotThere(f"{what}: {len(handles)} elements fit {target}")
    return handles[0]


async def changed(handle: ElementHandle, page: Page, element: Element, mutation: Mutation) -> Staged | None:
    """Change the page around the element, or None when there is no such change of it."""
    if mutation.recorded_with and await _apply(handle, page, element, mutation, mutation.recorded_with) is None:
        return None
    result = await _apply(handle, page, element, mutation, mutation.script)
    if result is None:
        return None
    meant = (await result.get_property("meant")).as_element()
    if mutation.kind == "disable" and (meant is None or not await meant.is_disabled()):
        return None
    if meant is None and await handle.evaluate("element => element.isConnected"):
        raise AssertionError(f"{page.name}/{element.id} is still there after {mutation.name}")
    return Staged(meant, handle, str(await (await result.get_property("said")).json_value()))


async def prepared(handle: ElementHandle, page: Page, element: Element, mutation: Mutation) -> bool:
    """Make the page what it was when the element was recorded; whether that could be done."""
    return mutation.recorded_with is None or bool(await _apply(handle, page, element, mutation, mutation.recorded_with))


async def _apply(
    handle: ElementHandle, page: Page, element: Element, mutation: Mutation, script: str
) -> JSHandle | None:
    given: dict[str, Any] = {
        "name": script,
        "seed": zlib.crc32(f"{page.name}/{element.id}/{mutation.name}".encode()),
        "rename": element.rename,
        "lookalike": element.lookalike,
        "language": page.language,
        "words": page.words if script == "translate" else {},
    }
    result = await handle.evaluate_handle(_mutations(), given)
    return result if await result.evaluate("result => result !== null") else None


@cache
def _mutations() -> str:
    body = "\n".join(source(name) for name in _SCRIPTS)
    return f"(element, given) => {{\n{body}\nreturn mutations[given.name]() ?? null\n}}"


@cache
def source(name: str) -> str:
    """A script of ``in_page/``. Raises: FileNotFoundError."""
    return (HERE / "in_page" / f"{name}.js").read_text(encoding="utf-8")
