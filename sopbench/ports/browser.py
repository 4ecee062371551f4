"""What the engine needs from a browser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from sopbench.sop.actions import BrowserAction, Extract
    from sopbench.sop.targets import PageExpectation, Target


@dataclass(frozen=True)
class Seen:
    """What was found when an expectation was looked at."""

    holds: bool
    found: str
    """What the page showed instead, for people: ``the field holds '150000'``."""


class Browser(Protocol):
    """One browsing session with its tabs. All targets and values arrive with their variables filled in.

    Errors are those of ``sopbench.errors``; none of the driver's own crosses this port.
    """

    async def perform(self, action: BrowserAction, *, timeout_s: float) -> None:
        """Do one action. Returns when the page has taken it.

        Raises: TargetNotFound (not performed), NavigationFailed, BrowserLost, StepError.
        """

    async def look(self, expectation: PageExpectation, *, timeout_s: float) -> Seen:
        """Wait until the expectation holds, at most ``timeout_s``; 0 looks once. Raises: BrowserLost."""

    async def extract(self, action: Extract, *, timeout_s: float) -> Any:
        """Read from the page: a string, bool or None, a list of them, or a list of records.

        Raises: TargetNotFound, BrowserLost.
        """

    async def matches(self, target: Target) -> list[str]:
        """The visible text of every match, in document order. Raises: BrowserLost."""

    async def visible_text(self) -> str:
        """The text a person can see on the page. Raises: BrowserLost."""

    async def screenshot(self, path: Path) -> None:
        """Write a picture of what is in sight. Raises: BrowserLost."""
