"""How fast the site answers: seeded latencies, and the API's limit of requests per second."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_SHORTEST_S = 0.030
_LONGEST_S = 0.150


class Latency:
    """Waiting times of 30 to 150 ms, the same series for the same seed and name."""

    def __init__(self, seed: int, name: str) -> None:
        self._random = random.Random(f"{seed}/{name}")  # noqa: S311 - not for secrets

    def next_s(self) -> float:
        """The next time of the series, in seconds."""
        return self._random.uniform(_SHORTEST_S, _LONGEST_S)

    async def wait(self) -> None:
        """Wait for the next time of the series."""
        await asyncio.sleep(self.next_s())


class RateLimit:
    """At most so many requests within any second. A refused request does not count."""

    def __init__(self, per_second: int = 5, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._clock = clock
        self._taken: deque[float] = deque()

    def take(self) -> bool:
        """Count one request; False when it is one too many."""
        now = self._clock()
        while self._taken and now - self._taken[0] >= 1:
            self._taken.popleft()
        if len(self._taken) >= self._per_second:
            return False
        self._taken.append(now)
        return True
