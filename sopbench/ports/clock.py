"""Where time comes from."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Wall time, elapsed time, and waiting."""

    def now(self) -> datetime:
        """The time of day, in UTC."""

    def monotonic(self) -> float:
        """Seconds that only go forward."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""
