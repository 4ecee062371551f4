"""What a list shows now: read until it holds still, its records told apart by their key."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sopbench.adapters.playwright_filling import conventions
from sopbench.adapters.playwright_locators import locate
from sopbench.errors import DataInvalid, StepError, TargetNotFound
from sopbench.sop import meaning

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from playwright.async_api import Page

    from sopbench.adapters.playwright_waiting import Requests
    from sopbench.sop.verbs.reading import More

    Record = dict[str, Any]
    Read = Callable[[], Awaitable[list[Record]]]

LOOK_EVERY_S = 0.05
QUIET_S = 1.0
"""A list that has come to its end, and shows nothing new for so long while nothing is being loaded, is at its end."""
_GONE = ("context was destroyed", "not attached", "detached", "navigating")


@dataclass
class ListState:
    """A list as it shows now; ``read`` gives its records."""

    page: Page
    more: More
    read: Read
    timeout_s: float
    requests: Requests
    """What the page is asking for."""

    async def settled(self, *, unlike: dict[str, Record] | None = None) -> dict[str, Record]:
        """The records by what tells them apart, once two looks in a row show the same; and not those of ``unlike``.

        Raises: StepError when that does not come; DataInvalid, TargetNotFound when they cannot be read all that time.
        """
        until = time.monotonic() + self.timeout_s
        before: dict[str, Record] | None = None
        while True:
            now, problem = await self._look()
            if now is not None and now == before and (unlike is None or self._has_turned(now, unlike)):
                return now
            if time.monotonic() > until:
                raise problem or StepError("the list does not come to rest", performed=True)
            before = now
            await asyncio.sleep(0 if now and unlike is None else LOOK_EVERY_S)

    async def begun(self) -> dict[str, Record]:
        """What shows at first: an empty list is given a moment to fill."""
        until = time.monotonic() + min(QUIET_S, self.timeout_s)
        while True:
            found = await self.settled()
            if found or (time.monotonic() > until and not self.requests.awaited()):
                return found
            await asyncio.sleep(LOOK_EVERY_S)

    async def total(self) -> int:
        assert self.more.total is not None  # noqa: S101 - asked only then
        locator = locate(self.page, self.more.total)
        text = await locator.inner_text(timeout=self.timeout_s * 1000)
        number = meaning.last_number(text, await conventions(locator))
        if number is None:
            raise DataInvalid(f"{self.more.total} says no total: {text.strip()[:200]!r}", performed=False)
        return number

    def keyed(self, records: list[Record]) -> dict[str, Record]:
        """Raises: DataInvalid when two cannot be told apart."""
        found: dict[str, Record] = {}
        for record in records:
            key = self.key(record)
            if key in found:
                advice = "" if self.more.key else "; name a 'key' that tells records apart"
                raise DataInvalid(f"the list shows {self.named(record)} twice{advice}", performed=False)
            found[key] = record
        return found

    def key(self, record: Record) -> str:
        if self.more.key is None:
            return json.dumps(record, sort_keys=True)
        value = record.get(self.more.key)
        if value is None or value == "":
            message = f"a record has no {self.more.key!r}, which is to tell it from others: {short(record)}"
            raise DataInvalid(message, performed=False)
        return json.dumps(value)

    def named(self, record: Record) -> str:
        return f"{self.more.key} {record[self.more.key]!r}" if self.more.key else f"the record {short(record)}"

    def _has_turned(self, now: dict[str, Record], before: dict[str, Record]) -> bool:
        return bool(now) and now != before and not self.requests.awaited()

    async def _look(self) -> tuple[dict[str, Record] | None, StepError | None]:
        """The records; None while the page is drawn anew, and what is wrong with it then."""
        try:
            return self.keyed(await self.read()), None
        except (TargetNotFound, DataInvalid) as error:
            return None, error
        except PlaywrightTimeout:
            raise
        except Error as error:
            if any(sign in error.message for sign in _GONE):
                return None, None
            raise


def short(record: Record) -> str:
    text = json.dumps(record, ensure_ascii=False)
    return text if len(text) <= 120 else text[:119] + "…"
