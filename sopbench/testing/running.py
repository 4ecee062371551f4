"""Run a procedure with fakes, and see what it did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sopbench.engine.context import Autonomy, Capture
from sopbench.engine.run import Engine, RunResult
from sopbench.events.log import LOG_NAME, EventLog
from sopbench.events.masking import Masker
from sopbench.events.types import Event, StepStarted
from sopbench.sop.document import Limits, Sop
from sopbench.sop.loader import load
from sopbench.sop.needs import resolve_variables
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.clock import FakeClock
from sopbench.testing.model import FakeModel
from sopbench.testing.operator import FakeOperator

if TYPE_CHECKING:
    from sopbench.ports.browser import Browser
    from sopbench.ports.clock import Clock
    from sopbench.ports.llm import LanguageModel
    from sopbench.ports.operator import Operator
    from sopbench.ports.tool import Tool

EventT = TypeVar("EventT", bound=Event)


@dataclass(frozen=True)
class Ran:
    """A run that is over."""

    result: RunResult
    events: list[Event]
    """As they stand in the log: numbered, dated, secrets masked."""

    @property
    def nodes(self) -> list[str]:
        """Every node that was reached, in order."""
        return [event.node for event in self.of(StepStarted)]

    def of(self, kind: type[EventT]) -> list[EventT]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]


async def run_sop(
    sop: Sop | Mapping[str, Any] | Path,
    browser: Browser | None = None,
    *,
    model: LanguageModel | None = None,
    operator: Operator | None = None,
    tools: Tool | None = None,
    clock: Clock | None = None,
    variables: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    limits: Mapping[str, Any] | None = None,
    autonomy: Autonomy = Autonomy.LIGHT,
    capture: Capture = "off",
    folder: Path | None = None,
    events: list[Event] | None = None,
) -> Ran:
    """Run a procedure once, with fakes for whatever is not given.

    ``sop`` is a document: a file, its data, or read already. ``limits`` go over the document's own. With a ``folder``
    the log is written there too. Events are appended to ``events`` as they happen: what is in it is still there when
    the run is cancelled.

    Raises: DocumentInvalid for a file with mistakes, UsageError for variables that do not fit; and what a mistaken test
    brings about, such as an AssertionError of a fake that was asked too much.
    """
    document = _document(sop)
    values, secrets = resolve_variables(document, variables or {}, env or {})
    seen: list[Event] = [] if events is None else events
    time = clock or (browser.clock if isinstance(browser, FakeBrowser) else FakeClock())
    engine = Engine(
        model=model or FakeModel(),
        operator=operator or FakeOperator(),
        clock=time,
        autonomy=autonomy,
        capture=capture,
    )
    path = folder / LOG_NAME if folder is not None else None
    with EventLog(path, now=time.now, masker=Masker(secrets), listeners=(seen.append,)) as log:
        result = await engine.run(
            document,
            browser=browser or FakeBrowser(clock=time),
            tools=tools,
            log=log,
            variables=values,
            limits=Limits.model_validate({**document.private.limits.model_dump(), **(limits or {})}),
            folder=folder,
        )
    return Ran(result, seen)


def _document(sop: Sop | Mapping[str, Any] | Path) -> Sop:
    if isinstance(sop, Sop):
        return sop
    if isinstance(sop, Path):
        loaded = load(sop)
        loaded.require_runnable()
        return loaded.sop
    return Sop.model_validate(sop)


def texts(events: Iterable[Event]) -> str:
    """All events as the lines of a log: for asserting what is *not* in it."""
    return "\n".join(event.model_dump_json() for event in events)
