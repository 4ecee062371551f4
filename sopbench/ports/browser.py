"""What the engine needs from a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from sopbench.sop.actions import BrowserAction
    from sopbench.sop.fingerprint import Fingerprint
    from sopbench.sop.targets import PageExpectation, Target
    from sopbench.sop.verbs.base import ElementKind


@dataclass(frozen=True)
class Seen:
    """What was found when an expectation was looked at."""

    holds: bool
    found: str
    """What the page showed instead, for people: ``the field holds '150000'``."""


@dataclass(frozen=True)
class Artifact:
    """A file that an action left in the run's folder."""

    name: str
    """As the page calls it."""
    path: str
    """Relative to the run's folder."""
    size: int
    """Bytes."""
    sha256: str


@dataclass(frozen=True)
class Done:
    """What an action came to."""

    value: Any = None
    """What it read: of ``extract`` a string, number, bool or None, a list of them, a record, or a list of records; of
    ``copy`` the text; of ``download`` ``{name, path, bytes, sha256}``. None for all other verbs."""
    remark: str = ""
    """What went another way than the plain one, for people: ``typed key by key: the page ignored the fill``."""
    waited_s: Mapping[str, float] = field(default_factory=dict)
    """What the page made it wait for, and how long: ``{"button 'Save' is disabled": 0.8}``."""
    artifact: Artifact | None = None


class Candidates(Protocol):
    """The elements that could take an action, as the page was at one look."""

    @property
    def elements(self) -> Sequence[Mapping[str, Any]]:
        """Fingerprints as plain data, in document order. Their place here is their number."""

    async def target(self, number: int) -> Target:
        """The plainest target that fits this element and no other. Raises: TargetNotFound when it is gone."""

    async def picture(self, path: Path, numbers: Sequence[int]) -> None:
        """Write a picture of what is in sight, with a numbered box around each of these. Raises: BrowserLost."""


class Browser(Protocol):
    """One browsing session with its tabs. All targets and values arrive with their variables filled in.

    Errors are those of ``sopbench.errors``; none of the driver's own crosses this port.
    """

    async def perform(self, action: BrowserAction, *, timeout_s: float) -> Done:
        """Do one action. Returns when it is done, in the meaning of its verb; ``expect`` is not looked at.

        Raises: TargetNotFound (not performed), ValueNotHeld, NavigationFailed, BrowserLost, StepError.
        """

    async def look(self, expectation: PageExpectation, *, timeout_s: float) -> Seen:
        """Wait until the expectation holds, at most ``timeout_s``; 0 looks once. Raises: BrowserLost."""

    async def matches(self, target: Target) -> list[str]:
        """The visible text of every match, in document order. Raises: BrowserLost."""

    async def fingerprint(self, target: Target, kind: ElementKind) -> Fingerprint | None:
        """Of the one element that fits, as ``candidates`` tells it; None when it is not one. Raises: BrowserLost."""

    async def candidates(self, kind: ElementKind, like: Fingerprint | None = None) -> Candidates:
        """Every element of the page, in all its frames, that could take an action of this kind.

        Of a large page perhaps only those that are most ``like`` what is looked for. Raises: BrowserLost.
        """

    async def visible_text(self) -> str:
        """The text a person can see on the page. Raises: BrowserLost."""

    async def where(self) -> str:
        """The address of the page in front. Raises: BrowserLost."""

    async def screenshot(self, path: Path) -> None:
        """Write a picture of what is in sight. Raises: BrowserLost."""
