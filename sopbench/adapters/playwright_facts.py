"""What a page was like when something failed on it: asked only then; meanwhile only what it loads is kept in mind."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from playwright.async_api import Error

from sopbench.adapters.in_page_scripts import script
from sopbench.ports.browser import PageFacts, Trouble
from sopbench.sop.unicode import well_formed

if TYPE_CHECKING:
    from playwright.async_api import Page, Request

_FACTS = script("page_facts")
_MOST_CHARS = 600
_MOST = 8
_KEPT = 60
_WITHIN_S = 30.0
"""How far back what was loaded may still matter."""
_SLOW_S = 1.0
"""Longer than this is long for an answer."""
_MEANT = frozenset({"document", "xhr", "fetch", "script"})
_GIVEN_UP_BY_THE_PAGE = "ERR_ABORTED"


@dataclass
class _Loaded:
    request: Request
    began: float
    ended: float | None = None


class Traffic:
    """What one page asked for lately, and what its scripts complained of."""

    def __init__(self, page: Page) -> None:
        self._lately: deque[_Loaded] = deque(maxlen=_KEPT)
        self._complaints: deque[tuple[float, str]] = deque(maxlen=_MOST)
        page.on("request", self._begun)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)
        page.on("pageerror", self._complained)

    async def troubles(self) -> tuple[Trouble, ...]:
        """What failed, was answered with an error, or took long, in the order of asking."""
        since = time.monotonic() - _WITHIN_S
        lately = [each for each in self._lately if each.ended is None or each.ended >= since]
        found = await asyncio.gather(*(_trouble(each) for each in lately))
        return tuple(each for each in found if each is not None)[-2 * _MOST :]

    def complaints(self) -> tuple[str, ...]:
        """What the page's scripts did not expect."""
        since = time.monotonic() - _WITHIN_S
        return tuple(dict.fromkeys(message for at, message in self._complaints if at >= since))

    def _begun(self, request: Request) -> None:
        if request.resource_type in _MEANT:
            self._lately.append(_Loaded(request, time.monotonic()))

    def _ended(self, request: Request) -> None:
        for each in reversed(self._lately):
            if each.request is request:
                each.ended = time.monotonic()
                return

    def _complained(self, error: Error) -> None:
        self._complaints.append((time.monotonic(), " ".join(str(error.message).split())[:200]))


async def facts_of(page: Page, traffic: Traffic | None) -> PageFacts:
    """Raises: Error when the page is gone."""
    told = await page.evaluate(_FACTS, [_MOST_CHARS, _MOST])
    return PageFacts(
        url=page.url,
        title=str(well_formed(await page.title())),
        headings=_texts(told["headings"]),
        notices=_texts(told["notices"]),
        columns=_texts(told["columns"]),
        fields=_texts(told["fields"]),
        accounts=_texts(told["accounts"]),
        asks_password=bool(told["asks_password"]),
        text=str(well_formed(told["text"])),
        troubles=await traffic.troubles() if traffic is not None else (),
        complaints=_texts(traffic.complaints()) if traffic is not None else (),
    )


async def _trouble(loaded: _Loaded) -> Trouble | None:
    request, now = loaded.request, time.monotonic()
    took_s = (loaded.ended or now) - loaded.began
    failure, status = request.failure, None
    if failure is not None:
        outcome = "" if _GIVEN_UP_BY_THE_PAGE in failure else failure.removeprefix("net::")
    elif loaded.ended is None:
        outcome = "no answer yet" if took_s > _SLOW_S else ""
    else:
        with suppress(Error):
            response = await request.response()
            status = response.status if response is not None else None
        outcome = f"answered {status}" if status is not None and status >= 400 else ""
        outcome = outcome or ("answered late" if took_s > _SLOW_S else "")
    if not outcome:
        return None
    parts = urlsplit(request.url)
    return Trouble(request.method, f"{parts.scheme}://{parts.netloc}{parts.path}", outcome, status, round(took_s, 3))


def _texts(given: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(well_formed(each)) for each in given)
