"""What the engine needs from a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

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


@dataclass(frozen=True)
class Trouble:
    """Something that a page asked for, and that did not come as it should."""

    method: str
    url: str
    """Without its query."""
    outcome: str
    """In words: ``answered 503``, ``ERR_CONNECTION_RESET``, ``no answer yet``, ``answered late``."""
    status: int | None
    took_s: float


@dataclass(frozen=True)
class PageFacts:
    """What a person would notice of the page in front, and what the browser knows of its loading."""

    url: str
    title: str = ""
    headings: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    """What its dialogs and alerts say."""
    columns: tuple[str, ...] = ()
    """What its tables call their columns."""
    fields: tuple[str, ...] = ()
    """What can be filled in."""
    accounts: tuple[str, ...] = ()
    """Who it says is signed in."""
    asks_password: bool = False
    text: str = ""
    """The beginning of what a person can read."""
    troubles: tuple[Trouble, ...] = ()
    """Of the last half minute."""
    complaints: tuple[str, ...] = ()
    """Errors that its scripts did not expect."""


class ElementState(TypedDict, total=False):
    """What an element is like at a moment, and what a click on it would set going. What does not apply is not there."""

    origin: str
    """Of the document it stands in, as ``sop.approval_rules.origin_of`` writes it; ``null`` where it has none."""
    in_sight: bool
    """Whether part of it lies in the window."""
    value: str
    """What a field holds; never of a password."""
    secret: bool
    """A field for a password."""
    checked: bool
    expanded: bool
    selected: bool
    options: list[str]
    """Labels of a drop-down's choices, the first ones."""
    leads_to: str
    """Whole address of a link."""
    new_window: bool
    """It opens in a window of its own."""
    downloads: bool
    """A link to a file that is to be saved."""
    scripted: bool
    """The link carries a script of its own."""
    opens: str
    """What it says it opens: ``menu``, ``dialog``, ``listbox`` … or ``region`` for something it controls."""
    submits: bool
    """A click on it sends its form."""
    form: FormState
    """The form it is in."""
    label_of: bool
    """A label whose control can be seen and clicked itself."""


class FormState(TypedDict):
    """Where a form goes."""

    method: str
    """``get``, ``post``, ``dialog``."""
    action: str
    """Whole address."""
    search: bool
    """It says of itself that it is for searching."""


class Candidates(Protocol):
    """The elements that could take an action, as the page was at one look."""

    @property
    def elements(self) -> Sequence[Mapping[str, Any]]:
        """Fingerprints as plain data, in document order. Their place here is their number."""

    @property
    def those_within(self) -> Sequence[int]:
        """Numbers of those that lie within what was asked for; none where nothing was."""

    async def target(self, number: int) -> Target:
        """The plainest target that fits this element and no other. Raises: TargetNotFound when it is gone."""

    async def states(self, numbers: Sequence[int]) -> Sequence[ElementState]:
        """What each of these is like now, and where it leads; of one that is gone nothing. Raises: BrowserLost."""

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

    async def settle(self) -> bool:
        """Wait until what the page in front sent lately to be saved is answered, at most two seconds.

        Whether some of it was refused; then also until the page asks for nothing more, at most five seconds: it may be
        taking back what it shows. Raises: BrowserLost.
        """

    async def holds_value(self, target: Target, value: str) -> bool:
        """Whether a field holds the value, in whatever way the page writes it: $1,500 is 1500.

        False where it is not one field. Raises: BrowserLost.
        """

    async def matches(self, target: Target) -> list[str]:
        """The visible text of every match, in document order. Raises: BrowserLost."""

    async def fingerprint(self, target: Target, kind: ElementKind) -> Fingerprint | None:
        """Of the one element that fits, as ``candidates`` tells it; None when it is not one. Raises: BrowserLost."""

    async def opener(self, target: Target) -> Target | None:
        """What opens the part of the page that the one element that fits is folded away in, such as a menu.

        None where it can be seen, is not there, or is not said to be folded away. Raises: BrowserLost.
        """

    async def candidates(
        self, kind: ElementKind, like: Fingerprint | None = None, within: Target | None = None
    ) -> Candidates:
        """Every element of the page, in all its frames, that could take an action of this kind.

        Of a large page perhaps only those that are most ``like`` what is looked for. Those ``within`` an element are
        counted among their like in there. Raises: BrowserLost.
        """

    async def visible_text(self) -> str:
        """The text a person can see on the page. Raises: BrowserLost."""

    async def where(self) -> str:
        """The address of the page in front. Raises: BrowserLost."""

    async def title(self) -> str:
        """What the page in front is called. Raises: BrowserLost."""

    async def facts(self) -> PageFacts:
        """What the page in front is like, for whoever asks why something failed on it. Raises: BrowserLost."""

    def kept_to(self, origins: Sequence[str], *, downloads: bool) -> AbstractAsyncContextManager[Sequence[str]]:
        """While the block lasts, no page is opened and nothing is sent outside these origins, by whatever means.

        Gives the addresses that were refused, growing meanwhile. What a page loads for itself (pictures, scripts,
        data) is not refused. Without ``downloads`` no file is saved either. Raises: BrowserLost.
        """

    async def renew(self) -> None:
        """Close every tab, and begin with an empty one as at the run's start; sign-ins stay as they are.

        A browser that is gone is started again, with the sign-ins that the run began with. Raises: BrowserLost.
        """

    async def screenshot(self, path: Path) -> None:
        """Write a picture of what is in sight. Raises: BrowserLost."""
