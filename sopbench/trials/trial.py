"""A trial: one run of a scenario under one condition with one seed, and the verdict on it."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from sopbench.events.log import LOG_NAME, EventLog, read_log
from sopbench.records.figures import Figures, figures
from sopbench.records.folder import new_run_folder, write_trial
from sopbench.trials.causes import attribute_trial
from sopbench.trials.record import Held, TrialRecord
from sopbench.trials.verdict import Grade, Judgement, Outcome, Verdict, broken, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager
    from datetime import datetime
    from pathlib import Path

    from sopbench.engine.run import Engine, RunResult
    from sopbench.events.masking import Masker
    from sopbench.events.types import Event
    from sopbench.ports.browser import Browser
    from sopbench.ports.tool import Tool
    from sopbench.sop.document import Limits
    from sopbench.sop.loader import Loaded
    from sopbench.trials.case import Case
    from sopbench.trials.condition import PlannedFault
    from sopbench.trials.oracle import Oracle
    from sopbench.trials.record import FaultRecord


class BrowserSession(Protocol):
    """An open browser session."""

    @property
    def browser(self) -> Browser: ...

    keep_trace: bool
    """Whether its trace outlives it; decided when the run is judged."""


@dataclass(frozen=True)
class TrialSpec:
    """What tells one trial from all others."""

    scenario: str
    case: Case
    condition: str
    number: int
    """Within its case and condition, from 1."""
    seed: int
    site: str
    llm: str
    autonomy: str
    faults: tuple[PlannedFault, ...] = ()
    """Of its condition."""
    held: Held | None = None
    """How to hold it again."""

    @property
    def id(self) -> str:
        return f"{self.case.name}-{self.condition}-{self.number}"


@dataclass
class Trial:
    """Ties document, case, site, engine and oracles together for one test."""

    spec: TrialSpec
    procedure: Loaded
    variables: Mapping[str, Any]
    """Resolved, secrets in clear."""
    limits: Limits
    oracles: Mapping[str, Oracle]
    records: Path
    masker: Masker
    engine: Engine
    open_browser: Callable[[Path], AbstractAsyncContextManager[BrowserSession]]
    """Opens a fresh browser session whose trace, if kept, goes to the folder."""
    open_tools: Callable[[], AbstractAsyncContextManager[Tool]] | None = None
    """Opens what else than the browser a run may call; None where it has none."""
    listeners: Sequence[Callable[[Event], None]] = ()
    """Told of every event while the run goes on."""
    fault_records: Callable[[], tuple[FaultRecord, ...]] = tuple
    """What its faults did so far."""
    done: list[TrialRecord] = field(default_factory=list)
    """One per run; usually there is one."""

    async def run(self) -> RunResult:
        """Run the procedure once in a fresh browser session, and judge it by the oracles.

        May be called again: the sites keep their state, as they would from one day to the next.

        Raises: SopbenchError and the harness's own errors when the trial could not be held; it is then *broken*.
        """
        folder = new_run_folder(self.records, f"{self.spec.scenario}-{self.spec.id}", self.engine.clock.now())
        try:
            async with self.open_browser(folder) as session, self._tools() as tools:
                result = await self._run_in(folder, session.browser, tools)
                judgement = self._judge(folder)
                session.keep_trace = judgement.grade is not Grade.CLEAN
        except asyncio.CancelledError:
            self._record(folder, self._judge(folder))
            raise
        except Exception as error:
            self._record(folder, broken(f"{type(error).__name__}: {error}"))
            raise
        self._record(folder, judgement)
        return result

    def oracle(self, name: str) -> Any:
        """The oracle of one site. Raises: KeyError, naming those there are."""
        try:
            return self.oracles[name]
        except KeyError:
            raise KeyError(f"no oracle {name!r}; there are {', '.join(sorted(self.oracles)) or 'none'}") from None

    @property
    def worst(self) -> TrialRecord | None:
        """The run with the worst verdict; None before the first."""
        return max(self.done, key=lambda record: _SEVERITY.index(record.judgement.verdict), default=None)

    def _tools(self) -> AbstractAsyncContextManager[Tool | None]:
        return nullcontext() if self.open_tools is None else self.open_tools()

    async def _run_in(self, folder: Path, browser: Browser, tools: Tool | None) -> RunResult:
        spec = self.spec
        context = {
            "document": str(self.procedure.path),
            "scenario": spec.scenario,
            "case": spec.case.name,
            "condition": spec.condition,
            "trial": spec.number,
            "seed": spec.seed,
        }
        now, listeners = self.engine.clock.now, self.listeners
        with EventLog(folder / LOG_NAME, now=now, masker=self.masker, listeners=listeners) as log:
            return await self.engine.run(
                self.procedure.sop,
                browser=browser,
                tools=tools,
                log=log,
                variables=self.variables,
                limits=self.limits,
                folder=folder,
                sha256=self.procedure.sha256,
                context=context,
            )

    def _judge(self, folder: Path) -> Judgement:
        if not self.oracles:
            return broken("no oracle looked at the outcome")
        total = Outcome()
        for oracle in self.oracles.values():
            total += oracle.outcome()
        return judge(figures(read_log(folder)), total)

    def _record(self, folder: Path, judgement: Judgement) -> None:
        masked = judgement.model_copy(update={"reason": self.masker.text(judgement.reason)})
        held = None if self.spec.held is None else Held.model_validate(self.masker.value(self.spec.held.model_dump()))
        run, faults = len(self.done) + 1, self.fault_records()
        self.done.append(_written(replace(self.spec, held=held), folder, masked, faults, run))


def not_held(spec: TrialSpec, records: Path, now: datetime, reason: str) -> TrialRecord:
    """The record of a trial that could not even begin, because what it needs could not be set up: it is *broken*."""
    folder = new_run_folder(records, f"{spec.scenario}-{spec.id}", now)
    return _written(replace(spec, held=None), folder, broken(reason))


def _written(
    spec: TrialSpec, folder: Path, judgement: Judgement, faults: tuple[FaultRecord, ...] = (), run: int = 1
) -> TrialRecord:
    found = attribute_trial(read_log(folder), judgement) if (folder / LOG_NAME).exists() else None
    if found is not None:
        judgement = judgement.model_copy(update={"cause": found.cause})
    record = TrialRecord(
        scenario=spec.scenario,
        case=spec.case.name,
        condition=spec.condition,
        trial=spec.number,
        seed=spec.seed,
        site=spec.site,
        llm=spec.llm,
        autonomy=spec.autonomy,
        folder=str(folder),
        faults=faults,
        figures=_figures(folder),
        judgement=judgement,
        attribution=found,
        run=run,
        held=spec.held,
    )
    write_trial(folder, record.model_dump(mode="json"))
    return record


def _figures(folder: Path) -> Figures:
    if not (folder / LOG_NAME).exists():
        return Figures(status="killed", reason="the run did not begin")
    return figures(read_log(folder))


_SEVERITY = (Verdict.PASSED, Verdict.BROKEN, Verdict.FAILED_SAFE, Verdict.FAILED_SILENT, Verdict.FAILED_HARMFUL)
