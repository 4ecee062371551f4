"""What the dashboard shows, as plain facts: filled in from stored runs, and put on a page by ``page``.

Rates count units as everywhere: trials of one case that were replayed under one seed are one unit, which passed when
all of them did; broken trials are in no rate.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from sopbench.records.coverage import Covered
    from sopbench.reliability.answers import Answer
    from sopbench.reporting.groups import Rate
    from sopbench.sop.document import Sop

Worth = Literal["clean", "recovered", "assisted", "failed_safe", "failed_silent", "failed_harmful", "broken"]
"""A verdict; for what passed, its grade."""
WORTHS: tuple[Worth, ...] = (
    "clean",
    "recovered",
    "assisted",
    "failed_safe",
    "failed_silent",
    "failed_harmful",
    "broken",
)
Mix = dict[Worth, int]
"""How many trials were worth what; without zeros."""


@dataclass(frozen=True)
class Period:
    """A day, a week or a month of one scenario under its main condition."""

    start: date
    mix: Mix
    rate: Rate | None
    """None when no trial gave evidence."""
    cost_usd: float | None
    """Of a run, at the mean; None when no run's cost is known."""
    duration_p50_s: float | None
    """Of trials that passed."""
    versions: tuple[str, ...]
    """Of the procedure, as they began in this period: those that were not there before."""


@dataclass(frozen=True)
class ConditionFacts:
    """One scenario under one condition, as it is now."""

    condition: str
    mix: Mix
    rate: Rate | None
    clean: Rate | None
    """Passed at the first attempt everywhere."""
    duration_p50_s: float | None
    """Of trials that passed."""
    duration_p95_s: float | None
    cost_usd: float | None
    """Of a run, at the mean; None when no run's cost is known."""
    last: datetime | None

    @property
    def trials(self) -> int:
        return sum(self.mix.values())


@dataclass(frozen=True)
class NodeFacts:
    """One node over all trials of its scenario, conditions together."""

    node: str
    label: str
    kind: str
    visits: int
    own_s: float
    """Of one visit at the mean, without what is inside the node."""
    p95_s: float | None
    """With what is inside it; None when it is not known."""
    share: float
    """Of all the time of all nodes, 0 to 1."""
    retried: int
    healed: int
    otherwise: int
    """Visits done after an interruption, by another skill, by exploring, or with an operator's help."""
    failed: int
    is_container: bool = False
    """Whether others are inside it: their failures are its own too."""

    @property
    def unsteady(self) -> float:
        """Share of visits that did not get done at the first attempt; at most 1."""
        return min(1.0, (self.retried + self.healed + self.otherwise + self.failed) / self.visits) if self.visits else 0


@dataclass(frozen=True)
class CostFacts:
    """What one run of the scenario takes, conditions together."""

    known: int
    """Runs whose cost is known; those that asked no model cost nothing."""
    unknown: int
    mean_usd: float | None
    p95_usd: float | None
    model_calls: float
    """Of one run, at the mean; likewise the others."""
    live_calls: float
    input_tokens: float
    output_tokens: float


@dataclass(frozen=True)
class CoverageFacts:
    """Which ways of the procedure were taken, by the newest trials of this version."""

    sop: Sop
    covered: tuple[Covered, ...]
    trials: int
    of: int
    """How many there are; more than ``trials`` when only the newest were read."""


@dataclass(frozen=True)
class ScenarioFacts:
    """One scenario: its last version under its last setting, and how it came there."""

    scenario: str
    """With the procedure's name, where the scenario has several."""
    version: str
    sha256: str
    setting: str
    """Site, source of answers and autonomy, in words."""
    trials: int
    older: int
    """Trials of other versions or settings: they are in ``periods`` only."""
    main: str
    """The condition that ``periods`` and the headline speak of: ``clean``, or else the most frequent one."""
    conditions: tuple[ConditionFacts, ...]
    """The main one first, then the least reliable first."""
    period: Literal["day", "week", "month"]
    periods: tuple[Period, ...]
    nodes: tuple[NodeFacts, ...]
    cost: CostFacts | None
    coverage: CoverageFacts | None
    no_coverage: str = ""
    """Why ``coverage`` is not there."""

    @property
    def headline(self) -> ConditionFacts:
        return self.conditions[0]


@dataclass(frozen=True)
class BadRun:
    """A run that was worse than a failure: it lied, or it did harm."""

    run: str
    folder: str
    """In the records."""
    scenario: str
    case: str
    condition: str
    verdict: Literal["failed_silent", "failed_harmful"]
    began: datetime | None
    cause: str
    reason: str


@dataclass(frozen=True)
class GateFacts:
    """The last answer of the gate."""

    answer: Answer
    when: datetime
    source: str


@dataclass(frozen=True)
class DashboardFacts:
    """All of the page."""

    made: datetime
    records: str
    trials: int
    first: datetime | None
    last: datetime | None
    scenarios: tuple[ScenarioFacts, ...]
    silent: int
    """Of the versions and settings that are shown; likewise ``harmful``."""
    harmful: int
    evidence: int
    """Trials of them that are not broken."""
    units: int
    """Independent ones among those."""
    bad: tuple[BadRun, ...]
    """The newest of the silent and harmful ones first; not all of them when there are many."""
    bad_older: int
    """Silent and harmful failures of other versions or settings."""
    gate: GateFacts | None
    excluded: dict[str, int] = field(default_factory=dict)
    """Why runs do not count → how many."""
