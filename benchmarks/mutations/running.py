"""One case: an element, a change of its page, and a procedure of one action that meets the page afterwards."""

from __future__ import annotations

import asyncio
import json
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from playwright.async_api import Browser, ElementHandle, JSHandle
from playwright.async_api import Page as Tab

from benchmarks.mutations.catalog import Element, Page
from benchmarks.mutations.kinds import Mutation
from benchmarks.mutations.staging import NotThere, World, changed, prepared, shown, source
from sopbench.adapters.playwright_locators import locate
from sopbench.adapters.playwright_session import PlaywrightSession, opened
from sopbench.adapters.system_clock import SystemClock
from sopbench.adapters.unattended_operator import UnattendedOperator
from sopbench.engine.context import Autonomy
from sopbench.engine.run import Engine, RunResult
from sopbench.events.log import EventLog
from sopbench.events.masking import Masker
from sopbench.events.types import Event, TargetHealed, TargetUnclear
from sopbench.ports.browser import Browser as BrowserPort
from sopbench.records.recorded_targets import with_fingerprints
from sopbench.sop.document import Limits, Sop
from sopbench.sop.targets import Target
from sopbench.testing.model import FakeModel

Kept = Literal["recorded", "sparse"]
"""The target with the fingerprint that ``record-targets`` writes, or as a person wrote it."""
_RUN_S = 30.0
_CASE_S = 90.0


class Outcome(StrEnum):
    """What a case came to."""

    EXACT = "exact"
    """The meant element, by the target's own words."""
    HEALED = "healed"
    """The meant element, by healing."""
    ABSTAINED = "abstained"
    """The run stopped, and nothing was touched."""
    WRONG_HEALED = "wrong healed"
    """Something else was touched, or nothing and the run called it done; after healing."""
    WRONG_EXACT = "wrong exact"
    """The same, by the target's own words."""


RIGHT = (Outcome.EXACT, Outcome.HEALED)
WRONG = (Outcome.WRONG_HEALED, Outcome.WRONG_EXACT)


@dataclass(frozen=True)
class Case:
    """What happened."""

    page: str
    element: str
    mutation: Mutation
    kept: Kept
    said: str
    """What the change came to."""
    outcome: Outcome | None
    """None when there is no such change of this element."""
    took: str = ""
    """What received the action first, when it was not the meant one; what the run said, when none did."""
    completed: bool = False
    probability: float | None = None
    """Of the heal."""
    margin: float | None = None
    why: str = ""
    """Why healing took none."""

    @property
    def as_wanted(self) -> bool:
        match self.mutation.wanted:
            case "act":
                return self.outcome in RIGHT
            case "abstain":
                return self.outcome is Outcome.ABSTAINED
            case "either":
                return self.outcome is Outcome.ABSTAINED or self.outcome in RIGHT

    def data(self) -> dict[str, Any]:
        return {
            "page": self.page,
            "element": self.element,
            "mutation": self.mutation.name,
            "target": self.kept,
            "said": self.said,
            "outcome": self.outcome and self.outcome.value,
            "as_wanted": self.as_wanted,
            "took": self.took,
            "completed": self.completed,
            "probability": self.probability,
            "margin": self.margin,
            "why": self.why,
        }


class Bench:
    """Runs cases in one browser."""

    def __init__(self, browser: Browser, world: World) -> None:
        self._browser = browser
        self._world = world
        self._recorded: dict[tuple[str, str, str | None], dict[Kept, Target] | None] = {}
        self._turn = asyncio.Lock()

    async def run(self, page: Page, element: Element, mutation: Mutation, kept: Kept) -> Case:
        """Raises: NotThere, and whatever goes wrong in the bench itself; TimeoutError when it takes too long.

        Cases on the mock sites wait for each other: the sites have one state.
        """
        async with self._turn if page.way else nullcontext():
            return await self._run(page, element, mutation, kept)

    async def _run(self, page: Page, element: Element, mutation: Mutation, kept: Kept) -> Case:
        async with asyncio.timeout(_CASE_S):
            target = await self._target(page, element, mutation, kept)
            if target is None:
                return Case(page.name, element.id, mutation, kept, "", None)
            async with self._session() as session:
                tab = session.context.pages[0]
                handle = await shown(tab, self._world, page, element)
                staged = await changed(handle, page, element, mutation)
                if staged is None:
                    return Case(page.name, element.id, mutation, kept, "", None)
                heard = await tab.evaluate_handle(source("recorder"))
                sop = Sop.model_validate(document(element, target))
                result, events = await perform(sop, session.browser, find_s=mutation.find_s)
                acts = await judged(tab, heard, staged.meant)
        healed = next((event for event in events if isinstance(event, TargetHealed)), None)
        unclear = next((event for event in events if isinstance(event, TargetUnclear)), None)
        outcome, took = verdict(element, acts, completed=result.completed, healed=healed is not None)
        return Case(
            page.name,
            element.id,
            mutation,
            kept,
            staged.said,
            outcome,
            took or ("" if result.completed else str(result.reason)),
            result.completed,
            healed.probability if healed else None,
            healed.margin if healed else None,
            unclear.why if unclear else "",
        )

    def _session(self) -> AbstractAsyncContextManager[PlaywrightSession]:
        options = {"ignore_https_errors": True}
        return opened(self._browser, None, masker=Masker(), tracing="off", options=options)

    async def _target(self, page: Page, element: Element, mutation: Mutation, kept: Kept) -> Target | None:
        """The target as the document has it; ``recorded`` is after a passing run on the page as it was.

        None when no words of a target tell the element from its look-alike. Raises: NotThere.
        """
        key = (page.name, element.id, mutation.recorded_with)
        if key not in self._recorded:
            self._recorded[key] = await self._record(page, element, mutation)
        targets = self._recorded[key]
        return None if targets is None else targets[kept]

    async def _record(self, page: Page, element: Element, mutation: Mutation) -> dict[Kept, Target] | None:
        async with self._session() as session:
            tab = session.context.pages[0]
            what = f"{page.name}/{element.id}"
            handle = await shown(tab, self._world, page, element)
            if not await prepared(handle, page, element, mutation):
                return None
            target = await _told_apart(tab, element.target)
            if target is None:
                return None
            heard = await tab.evaluate_handle(source("recorder"))
            data = document(element, target)
            sop = Sop.model_validate(data)
            result, events = await perform(sop, session.browser, find_s=5, record=True)
            acts = await judged(tab, heard, handle)
        outcome, took = verdict(element, acts, completed=result.completed, healed=False)
        if outcome is not Outcome.EXACT or not result.completed:
            raise NotThere(f"{what}: not acted on as it was recorded: {took or result.reason}")
        text, number = with_fingerprints(json.dumps(data), sop, events)
        if number != 1:
            raise NotThere(f"{what}: no fingerprint was recorded")
        recorded = json.loads(text)["private"]["skills"][0]["actions"][0]["target"]
        return {"sparse": target, "recorded": Target.model_validate(recorded)}


async def _told_apart(tab: Tab, target: Target) -> Target | None:
    """The target as somebody writes it who sees a look-alike beside the element; None when that is not enough."""
    for told in (target, target.model_copy(update={"exact": True})):
        if await locate(tab, told, only_seen=True).count() == 1:
            return told
    return None


def document(element: Element, target: Target) -> dict[str, Any]:
    """A procedure of one action, on the page as it is open.

    It says that it only reads. As it expects nothing, the engine asks for the certainty of what can be done again.
    """
    action = element.action(target.model_dump(mode="json", exclude_defaults=True)) | {"effect": "read"}
    return {
        "meta": {"schema": "1.0", "id": "m", "title": "M", "version": "1.0.0", "goal": "g"},
        "public": {"nodes": [{"id": "act", "type": "task", "label": "Act"}]},
        "private": {
            "skills": [{"id": "do", "app": "app", "actions": [action]}],
            "steps": [{"node_id": "act", "primary_skill": "do"}],
        },
    }


async def perform(
    sop: Sop, browser: BrowserPort, *, find_s: float, record: bool = False
) -> tuple[RunResult, list[Event]]:
    """Run it through the engine: light autonomy, nobody to ask, no model."""
    events: list[Event] = []
    clock = SystemClock()
    engine = Engine(
        model=FakeModel(),
        operator=UnattendedOperator(),
        clock=clock,
        autonomy=Autonomy.LIGHT,
        capture="off",
        record_targets=record,
    )
    limits = Limits(find_s=find_s, attempts=1, run_s=_RUN_S)
    with EventLog(None, now=clock.now, masker=Masker(), listeners=(events.append,)) as log:
        result = await engine.run(sop, browser=browser, log=log, variables={}, limits=limits, folder=None)
    return result, events


async def judged(tab: Tab, heard: JSHandle, meant: ElementHandle | None) -> list[dict[str, Any]]:
    """What received an action, in order: ``{type, meant, on}``."""
    acts: list[dict[str, Any]] = await tab.evaluate(
        f"([heard, meant]) => ({source('judge')})(heard, meant)", [heard, meant]
    )
    return acts


def verdict(element: Element, acts: list[dict[str, Any]], *, completed: bool, healed: bool) -> tuple[Outcome, str]:
    """The outcome, and what was touched instead of the meant element.

    Choosing from a list of the page's own goes on in that list: there the first act tells.
    """
    wrong = Outcome.WRONG_HEALED if healed else Outcome.WRONG_EXACT
    if not acts:
        return (wrong, "nothing, and the run called it done") if completed else (Outcome.ABSTAINED, "")
    telling = acts[:1] if element.do == "select" else acts
    other = next((act for act in telling if not act["meant"]), None)
    if other is not None:
        return wrong, f"{other['type']} on {other['on']}"
    return (Outcome.HEALED if healed else Outcome.EXACT), ""
