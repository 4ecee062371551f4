"""A clock whose time is made up: waiting takes none of the real one."""

from __future__ import annotations

import asyncio
import heapq
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


class FakeClock:
    """Stands still until somebody sleeps; then it is later at once.

    Limits of the engine (``run_s``, a node's ``timeout_s``) are real time and do not see this clock: to reach one, let
    the browser hang (:meth:`FakeBrowser.hang_on`) and set the limit to a few hundredths of a second.
    """

    def __init__(self, start: datetime = DEFAULT_START) -> None:
        self._start = start
        self._elapsed_s = 0.0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self.slept: list[float] = []
        """Every wait, in seconds."""

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._elapsed_s)

    def monotonic(self) -> float:
        return self._elapsed_s

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        """Let time pass, and do what falls due in it."""
        until = self._elapsed_s + max(seconds, 0.0)
        while self._due and self._due[0][0] <= until:
            self._elapsed_s, _, happens = heapq.heappop(self._due)
            happens()
        self._elapsed_s = until

    def after(self, seconds: float, happens: Callable[[], None]) -> None:
        """Let something happen so much later: ``clock.after(2, dialog.show)``."""
        heapq.heappush(self._due, (self._elapsed_s + seconds, next(self._order), happens))
