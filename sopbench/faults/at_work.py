"""The faults of one trial at work: between the browser and its pages, before the mock sites, behind the model."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from playwright.async_api import Error

from sopbench.errors import StepError
from sopbench.faults.disturbed_site import DisturbedSite
from sopbench.records.folder import STRIKES_NAME
from sopbench.trials.amendments import Amendments
from sopbench.trials.fault import Moment, Strike, Strikes
from sopbench.trials.record import FaultRecord

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
    from pathlib import Path

    from httpx2 import AsyncBaseTransport
    from playwright.async_api import BrowserContext, Page

    from sopbench.events.masking import Masker
    from sopbench.ports.browser import Browser, Done
    from sopbench.sites.site import Site
    from sopbench.sop.actions import BrowserAction
    from sopbench.trials.condition import PlannedFault


@dataclass
class DisturbedSession:
    """An open browser session with faults in it."""

    browser: Browser
    keep_trace: bool = True


class Disturbance:
    """All faults of one trial. ``moment`` is to hear the run's events."""

    def __init__(
        self, planned: Sequence[PlannedFault], *, seed: int, hosts: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        """``hosts`` of each mock site that a fault may be kept to by its name."""
        self.moment = Moment()
        self.amendments = Amendments()
        self._planned = tuple(planned)
        self._contexts: list[BrowserContext] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._file: Path | None = None
        self._masker: Masker | None = None
        self._first_seq: dict[int, int] = {}
        known = hosts or {}
        self._strikes = [
            Strikes(
                each.fault,
                number,
                each.when,
                seed=seed,
                moment=self.moment,
                kept=self._keep,
                later=self._later,
                hosts=known.get(each.site, (each.site,)) if each.site else (),
                amendments=self.amendments,
                place=each.place,
            )
            for number, each in enumerate(self._planned)
        ]

    @property
    def needs_own_browser(self) -> bool:
        """Whether the trial's browser must be one that nobody else uses."""
        return any(each.does.own_browser for each in self._planned)

    def context_options(self) -> dict[str, Any]:
        """Playwright's options for the trial's contexts."""
        options: dict[str, Any] = {}
        for fault, strikes in self._pairs:
            options |= fault.does.context_options(strikes)
        return options

    @asynccontextmanager
    async def at_work(self, folder: Path, masker: Masker) -> AsyncIterator[None]:
        """While the block lasts strikes are noted in the folder; what was still to be done is dropped at its end."""
        self.begin(folder, masker)
        self._contexts.clear()
        try:
            yield
        finally:
            self.moment.running = False
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def begin(self, folder: Path, masker: Masker) -> None:
        """Note strikes in this folder from now on."""
        self._file, self._masker = folder / STRIKES_NAME, masker

    async def context_opened(self, context: BrowserContext) -> None:
        """Prepare a context that has no page yet."""
        self._contexts.append(context)
        for fault, strikes in self._pairs:
            await fault.does.context_opened(context, strikes)

    def browser(self, browser: Browser) -> Browser:
        """The browser, with the faults asked before each of its actions."""
        return cast("Browser", _DisturbedBrowser(browser, self))

    async def action_begins(self, address: str) -> None:
        """Ask all faults; the page with this address counts as the one in front."""
        pages = [page for context in self._contexts for page in context.pages if not page.is_closed()]
        pages.sort(key=lambda page: page.url != address)
        for fault, strikes in self._pairs:
            with suppress(Error):  # a page that is just going cannot be broken
                await fault.does.action_begins(_still_open(pages), strikes)

    def sites(self, sites: Mapping[str, Site]) -> dict[str, Site]:
        """What is to be served in place of these mock sites."""
        return {name: self._disturbed(site) for name, site in sites.items()}

    def model_transport(self, transport: AsyncBaseTransport) -> AsyncBaseTransport:
        """What the model's client is to send its questions through."""
        for fault, strikes in self._pairs:
            transport = fault.does.model_transport(transport, strikes)
        return transport

    def records(self) -> tuple[FaultRecord, ...]:
        """What the trial's record says of its faults."""
        return tuple(
            FaultRecord(
                fault=planned.fault,
                cause=planned.does.cause,
                parameters=planned.does.model_dump(mode="json"),
                when=planned.when.model_dump(mode="json", exclude_defaults=True),
                site=planned.site,
                place=strikes.place,
                strikes=strikes.count,
                first_seq=self._first_seq.get(strikes.number, 0),
            )
            for planned, strikes in self._pairs
        )

    @property
    def _pairs(self) -> list[tuple[PlannedFault, Strikes]]:
        return list(zip(self._planned, self._strikes, strict=True))

    def _disturbed(self, site: Site) -> Site:
        mine = [
            (fault.does, strikes)
            for fault, strikes in self._pairs
            if site.name in fault.does.sites and (not fault.site or fault.site == site.name)
        ]
        return DisturbedSite(site, mine) if mine else site

    def _keep(self, number: int, what: str) -> None:
        planned, moment = self._planned[number], self.moment
        self._first_seq.setdefault(number, moment.seq)
        strike = Strike(
            fault=planned.fault,
            number=number,
            cause=planned.does.cause,
            action=moment.action,
            step=moment.step,
            seq=moment.seq,
            at=datetime.now(UTC).isoformat(timespec="microseconds"),
            what=self._masker.text(what) if self._masker else what,
        )
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(strike.model_dump_json() + "\n")

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(_unless_gone(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _DisturbedBrowser:
    """A browser port before whose actions the faults are asked. All else goes straight through."""

    def __init__(self, browser: Browser, disturbance: Disturbance) -> None:
        self._browser = browser
        self._disturbance = disturbance

    def __getattr__(self, name: str) -> Any:
        return getattr(self._browser, name)

    async def perform(self, action: BrowserAction, *, timeout_s: float) -> Done:
        await self._disturbance.action_begins(await self._address())
        return await self._browser.perform(action, timeout_s=timeout_s)

    async def _address(self) -> str:
        try:
            return await self._browser.where()
        except StepError:
            return ""


def _still_open(pages: list[Page]) -> list[Page]:
    return [page for page in pages if not page.is_closed()]


async def _unless_gone(work: Coroutine[Any, Any, None]) -> None:
    with suppress(Error):
        await work
