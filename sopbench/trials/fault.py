"""What a fault is: one way to break the world on purpose, and when it strikes.

A fault is a class of its own, found under the entry points ``sopbench.faults``. Its fields are its parameters; it
overrides the hooks that it needs. What it breaks, the engine never hears of: a fault stands between the browser and
its pages, in front of a mock site, or between the model's client and what answers it.
"""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sopbench.events.types import ActionStarted, Event, OfStep, RunFinished, RunStarted
from sopbench.records.folder import STRIKES_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from httpx2 import AsyncBaseTransport
    from playwright.async_api import BrowserContext, Page
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from sopbench.trials.amendments import Amendments

Cause = Literal[
    "timing", "target", "navigation", "session", "network", "data", "model", "procedure", "browser", "operator", "limit"
]
"""The closed list of why a trial did not pass clean."""

T = TypeVar("T")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class When(_Part):
    """At which of its occasions a fault strikes. An action is counted from 1 when the run says that it begins one.

    Written ``"always"``, ``"once"``, or as a table of these.
    """

    once: bool = False
    """At the first occasion that counts, and then no more."""
    probability: float = Field(default=1.0, gt=0, le=1)
    """That it strikes at an occasion."""
    from_action: int = Field(default=1, ge=1)
    """No sooner than this action."""
    between: tuple[int, int] | None = None
    """Only from this action to that one; with ``once`` from an action between them on, drawn from the seed."""

    @model_validator(mode="before")
    @classmethod
    def _words(cls, given: Any) -> Any:
        if isinstance(given, str):
            known: dict[str, dict[str, Any]] = {"always": {}, "once": {"once": True}}
            if given not in known:
                raise ValueError(f"{given!r} is not 'always', 'once', or a table like {{ probability = 0.2 }}")
            return known[given]
        return given

    @model_validator(mode="after")
    def _one_beginning(self) -> When:
        if self.between is not None:
            if "from_action" in self.model_fields_set:
                raise ValueError("from_action and between both say where it begins: give one of them")
            if not 1 <= self.between[0] <= self.between[1]:
                raise ValueError(f"between {list(self.between)} is not from a number to a higher one")
        return self


class Fault(_Part):
    """One way to break the world. The fields of a subclass are its parameters.

    It is asked at every occasion of its hooks and decides with ``strikes.due``; what it did it tells ``strikes.note``.
    """

    cause: ClassVar[Cause]
    """The true cause of what comes of it."""
    sites: ClassVar[frozenset[str]] = frozenset()
    """The mock sites that it works in, whichever are there; empty for one that works on any site."""
    own_browser: ClassVar[bool] = False
    """Whether the browser must be one that no other trial uses."""

    def context_options(self, strikes: Strikes) -> Mapping[str, Any]:
        """Playwright's options for the browser's contexts, over those of the trial."""
        return {}

    async def context_opened(self, context: BrowserContext, strikes: Strikes) -> None:
        """A context is there and has no page yet: add routes, scripts, listeners."""

    async def action_begins(self, pages: Sequence[Page], strikes: Strikes) -> None:
        """The run has said that it begins an action of the browser. The first page is the one in front."""

    async def asked(self, site: Any, request: Request, strikes: Strikes) -> ASGIApp | None:
        """A mock site got a request from the browser. Gives the answer in its place, or None to let it answer."""
        return None

    def model_transport(self, transport: AsyncBaseTransport, strikes: Strikes) -> AsyncBaseTransport:
        """What the model's client sends its questions through, on their way to the cassette or the endpoint."""
        return transport


class Strike(_Part):
    """One moment at which a fault struck."""

    fault: str
    number: int
    """Of the fault within its condition, from 0."""
    cause: Cause
    action: int
    """How many actions had begun."""
    step: int
    """Number of the step in the run; 0 before the first."""
    seq: int
    """Of the last event in the log."""
    at: str
    """UTC, ISO 8601."""
    what: str
    """What it did, for people."""


class Moment:
    """Where a run is, followed through its events."""

    def __init__(self) -> None:
        self.running = False
        self.action = 0
        self.step = 0
        self.seq = 0

    def __call__(self, event: Event) -> None:
        """Take in one event; to be given to the log as a listener."""
        self.seq = event.seq
        if isinstance(event, RunStarted):
            self.running, self.action, self.step = True, 0, 0
        elif isinstance(event, RunFinished):
            self.running = False
        elif isinstance(event, ActionStarted):
            self.action += 1
        if isinstance(event, OfStep):
            self.step = event.step


class Strikes:
    """Decides for one fault of one trial whether it strikes at an occasion, and notes where it did.

    Nothing is drawn in a sequence: each draw comes from the seed, the fault and the occasion's own key, so it does not
    matter in which order two things happened that happen side by side.
    """

    def __init__(
        self,
        fault: str,
        number: int,
        when: When,
        *,
        seed: int,
        moment: Moment,
        kept: Callable[[int, str], None],
        later: Callable[[Coroutine[Any, Any, None]], None],
        hosts: Sequence[str] = (),
        amendments: Amendments | None = None,
        place: int | None = None,
    ) -> None:
        """``kept`` keeps what is noted, given ``number``; ``later`` sees to what is to be done meanwhile.

        ``place`` tells its draws from those of its like, where that is not its number.
        """
        self.fault = fault
        self.number = number
        self.when = when
        self.later = later
        self.amendments = amendments
        self.count = 0
        """How often it struck."""
        self.memory: dict[str, Any] = {}
        """What the fault has to remember within the trial: it is itself the same in all trials."""
        self.place = number if place is None else place
        self._root = f"{seed} {self.place} {fault}"
        self.moment = moment
        self._kept = kept
        self._hosts = tuple(hosts)
        self._seen: Counter[str] = Counter()
        self._done = False
        first, last = when.between or (when.from_action, None)
        if when.between is not None and when.once:
            first, last = self.whole("begins", *when.between), None
        self._first, self._last = first, last

    @property
    def is_open(self) -> bool:
        """Whether it may strike now."""
        if not self.moment.running or (self.when.once and self._done):
            return False
        return self._first <= self.moment.action and (self._last is None or self.moment.action <= self._last)

    @property
    def is_always_open(self) -> bool:
        """Whether it may strike from the beginning to the end of a run."""
        return not self.when.once and self._first <= 1 and self._last is None

    @property
    def action(self) -> int:
        """How many actions have begun."""
        return self.moment.action

    @property
    def hosts(self) -> tuple[str, ...]:
        """Patterns of the hosts it is kept to; none for all."""
        return self._hosts

    def concerns(self, url: str) -> bool:
        """Whether this address is of the site it is kept to, if it is kept to one."""
        host = urlsplit(url).hostname or ""
        return not self._hosts or any(fnmatchcase(host, pattern) for pattern in self._hosts)

    def due(self, key: str) -> bool:
        """Whether it strikes at this occasion. Each call is one occasion; equal keys are told apart by their number."""
        if not self.is_open:
            return False
        self._seen[key] += 1
        if self.uniform(f"due {key} {self._seen[key]}") >= self.when.probability:
            return False
        self._done = True
        return True

    def missed(self) -> None:
        """There was nothing to strike at the occasion that was due; one that strikes once may do so later."""
        self._done = self.count > 0

    def note(self, what: str) -> None:
        """It struck; say what it did."""
        self.count += 1
        self._done = True
        self._kept(self.number, what)

    def uniform(self, key: str, low: float = 0.0, high: float = 1.0) -> float:
        """A number drawn from the seed for this key."""
        return self._random(key).uniform(low, high)

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return self._random(key).randint(low, high)

    def one_of(self, key: str, options: Sequence[T]) -> T:
        """One of these. Raises: IndexError when there is none."""
        return self._random(key).choice(options)

    @property
    def page_seed(self) -> int:
        """32 bits for the draws that a script makes in a page."""
        return self._random("page").getrandbits(32)

    def _random(self, key: str) -> Random:
        return Random(f"{self._root} {key}")  # noqa: S311 - a trial must be repeatable


def read_strikes(folder: Path) -> list[Strike]:
    """When the faults of a run struck, in order; none where there was no fault."""
    file = folder / STRIKES_NAME
    if not file.exists():
        return []
    return [Strike.model_validate_json(line) for line in file.read_text("utf-8").splitlines()]
