"""The trials that a gate judges by, as plain rows; and what of them counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, get_args

VerdictName = Literal["passed", "failed_silent", "failed_safe", "failed_harmful", "broken"]
_VERDICTS = frozenset(get_args(VerdictName))


@dataclass(frozen=True, slots=True)
class Row:
    """One judged trial."""

    run: str
    """Name of its run: no other has it."""
    verdict: VerdictName
    clean: bool = False
    """Passed at the first attempt everywhere."""
    duration_s: float = 0.0
    cost_usd: float | None = None
    """None when it is not known."""
    seed: int | None = None
    unit: str = ""
    """Rows with the same one are not independent, as those replayed from one cassette under one seed: they count as one
    trial between them, which passed when all did. Empty: it is independent of all others."""

    def __post_init__(self) -> None:
        if self.verdict not in _VERDICTS:
            raise ValueError(f"run {self.run}: no verdict is called {self.verdict!r}")
        if self.clean and self.verdict != "passed":
            raise ValueError(f"run {self.run}: only what passed is clean, this is {self.verdict}")
        if not self.duration_s >= 0:
            raise ValueError(f"run {self.run}: duration must be at least 0 s, got {self.duration_s}")
        if self.cost_usd is not None and not self.cost_usd >= 0:
            raise ValueError(f"run {self.run}: cost must be at least $0, got {self.cost_usd}")


@dataclass(frozen=True)
class Baseline:
    """What was accepted as good enough: the trials that later ones are compared with."""

    sop: str
    """Name of the procedure; not of its version, since a new version is what one wants to compare."""
    passed: int
    trials: int
    """Without broken ones."""
    passed_clean: int = 0
    seeds: Mapping[int, bool] = field(default_factory=dict)
    """Whether the trial of a seed passed; empty when it is not known."""

    def __post_init__(self) -> None:
        if not 0 <= self.passed_clean <= self.passed <= self.trials:
            counts = f"{self.passed_clean} clean, {self.passed} passed, {self.trials} trials"
            raise ValueError(f"baseline of {self.sop}: counts do not fit together: {counts}")


@dataclass(frozen=True, slots=True)
class WayTally:
    """One way through the procedure, and how many trials took it."""

    kind: str
    """``node``, ``branch``, ``loop``, ``skill``, ``when``, ``expectation``, ``interruption`` or ``tier``."""
    name: str
    trials: int
    """Without broken ones."""


@dataclass(frozen=True)
class Tally:
    """All trials of a scenario under a condition.

    ``rows`` stand in the order in which the trials were meant to run, not in which they ended: what ends late is more
    often what fails. While one is still running, those after it are left out.
    """

    scenario: str
    condition: str
    sop: str
    rows: tuple[Row, ...]
    baseline: Baseline | None = None
    ways: tuple[WayTally, ...] | None = None
    """All the ways of the procedure; None when it is not known which were taken."""

    def __post_init__(self) -> None:
        name, number = next(iter(Counter(row.run for row in self.rows).most_common(1)), ("", 0))
        if number > 1:
            raise ValueError(f"{self.scenario} under {self.condition}: {number} runs are called {name!r}")

    @property
    def broken(self) -> int:
        return sum(row.verdict == "broken" for row in self.rows)

    @property
    def broken_share(self) -> float:
        """From 0 to 1. Raises: ValueError without a trial."""
        if not self.rows:
            raise ValueError("trials must be at least 1, got 0")
        return self.broken / len(self.rows)

    def units(self) -> tuple[Unit, ...]:
        """The independent trials that gave evidence, each at the place of its first row."""
        grouped: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows:
            if row.verdict != "broken":
                grouped.setdefault(("unit", row.unit) if row.unit else ("run", row.run), []).append(row)
        return tuple(Unit(tuple(rows)) for rows in grouped.values())


@dataclass(frozen=True)
class Unit:
    """What counts as one trial: a row, or several that are not independent; the worst of them speaks for all."""

    rows: tuple[Row, ...]

    @property
    def passed(self) -> bool:
        return all(row.verdict == "passed" for row in self.rows)

    @property
    def clean(self) -> bool:
        return all(row.clean for row in self.rows)

    @property
    def duration_s(self) -> float:
        return max(row.duration_s for row in self.rows)

    @property
    def cost_usd(self) -> float | None:
        costs = [row.cost_usd for row in self.rows]
        return None if None in costs else max(cost for cost in costs if cost is not None)

    @property
    def seed(self) -> int | None:
        return self.rows[0].seed

    def ended(self, verdict: VerdictName) -> bool:
        """Whether any of the rows ended so."""
        return any(row.verdict == verdict for row in self.rows)


def check_apart(tallies: tuple[Tally, ...]) -> None:
    """Raises: ValueError when a scenario and condition is there twice, or a run is in two of them."""
    counted = Counter((tally.scenario, tally.condition) for tally in tallies)
    for (scenario, condition), number in counted.items():
        if number > 1:
            raise ValueError(f"{scenario} under {condition} is tallied {number} times")
    runs = Counter(chain.from_iterable((row.run for row in tally.rows) for tally in tallies))
    for run, number in runs.most_common(1):
        if number > 1:
            raise ValueError(f"run {run!r} is in {number} tallies")
