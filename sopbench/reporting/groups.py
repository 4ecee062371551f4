"""Trials counted by scenario, case and condition; pure figures, no words."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from sopbench.reliability.intervals import clopper_pearson
from sopbench.trials.record import TrialRecord
from sopbench.trials.verdict import Grade, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class _Figure(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class Rate(_Figure):
    """A share with its 95 % interval (Clopper–Pearson)."""

    hits: int
    of: int
    """At least 1."""
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.hits / self.of


class RetriesOf(_Figure):
    """The retries of one node, for one cause."""

    node: str
    label: str
    cause: str
    step: int | None
    """Number of the step; None when it was not the same everywhere, as in a loop."""
    retries: int


class Group(_Figure):
    """All trials of one scenario, case and condition.

    A rate counts units: trials, except that trials replayed from a cassette under one seed are one unit between them,
    which passed when all of them did. Broken trials are in no rate but ``counting_broken``.
    """

    scenario: str
    case: str
    condition: str
    trials: int
    verdicts: dict[Verdict, int]
    """Every verdict, zeros included."""
    grades: dict[Grade, int]
    """Of the passed trials; every grade, zeros included."""
    units: int
    """What the rates count; below ``trials`` less the broken ones when seeds repeat."""
    passed: Rate | None
    """None when no trial gave evidence."""
    clean: Rate | None
    """Passed clean alone."""
    counting_broken: Rate | None
    """Passed, with broken trials as failures; None unless there are broken ones."""
    retries: tuple[RetriesOf, ...]
    """The most frequent first."""
    duration_median_s: float | None
    """Of the trials that are not broken and have an end; None when there are none."""
    duration_p95_s: float | None
    duration_max_s: float | None
    durations: int
    model_calls: int
    live_calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    """None when no call had a known price."""
    replayed: bool
    """Whether decisions came from a cassette: the model gave its answers once, however many trials there were."""
    not_passed: tuple[TrialRecord, ...]
    healed: tuple[tuple[str, ...], ...]
    """Of each trial the nodes in which another element was taken for a stale target."""
    other_ways: dict[str, int]
    """How many steps got done after an interruption, by an alternative skill, by exploring, or with an operator's help;
    no zeros."""
    resumed: int
    """How often a run began again from its start."""

    @property
    def name(self) -> str:
        return f"{self.scenario} · {self.case} · {self.condition}"

    @property
    def broken(self) -> int:
        return self.verdicts[Verdict.BROKEN]

    @property
    def failed(self) -> int:
        return self.trials - self.verdicts[Verdict.PASSED] - self.broken


_OTHER_WAYS = ("interrupted", "alternative", "explored", "assisted")


def summarise(records: Sequence[TrialRecord]) -> list[Group]:
    """Count the trials, grouped by scenario, case and condition in the order in which they first appear."""
    grouped: dict[tuple[str, str, str], list[TrialRecord]] = {}
    for record in records:
        grouped.setdefault((record.scenario, record.case, record.condition), []).append(record)
    return [_group(members) for members in grouped.values()]


def _group(members: list[TrialRecord]) -> Group:
    first, judged = members[0], [record.judgement for record in members]
    evidence = [record for record in members if record.judgement.verdict is not Verdict.BROKEN]
    figures = [record.figures for record in members]
    durations = sorted(record.figures.duration_s for record in evidence if record.figures.duration_s > 0)
    costs = [figure.cost_usd for figure in figures if figure.cost_usd is not None]
    verdicts = Counter(judgement.verdict for judgement in judged)
    grades = Counter(judgement.grade for judgement in judged)
    return Group(
        scenario=first.scenario,
        case=first.case,
        condition=first.condition,
        trials=len(members),
        verdicts={verdict: verdicts[verdict] for verdict in Verdict},
        grades={grade: grades[grade] for grade in Grade},
        units=len(_units(evidence)),
        passed=_rate(evidence),
        clean=_rate(evidence, clean=True),
        counting_broken=_rate(members) if len(evidence) < len(members) else None,
        retries=_retries(members),
        duration_median_s=statistics.median(durations) if durations else None,
        duration_p95_s=_p95(durations),
        duration_max_s=durations[-1] if durations else None,
        durations=len(durations),
        model_calls=sum(figure.model_calls for figure in figures),
        live_calls=sum(figure.live_calls for figure in figures),
        input_tokens=sum(figure.input_tokens for figure in figures),
        output_tokens=sum(figure.output_tokens for figure in figures),
        cost_usd=sum(costs) if costs else None,
        replayed=any(record.llm == "replay" and record.figures.model_calls for record in members),
        healed=tuple(figure.healed for figure in figures),
        other_ways={tier: number for tier in _OTHER_WAYS if (number := sum(f.tiers.get(tier, 0) for f in figures))},
        resumed=sum(figure.resumed for figure in figures),
        not_passed=tuple(record for record in members if record.judgement.verdict is not Verdict.PASSED),
    )


def _units(records: Iterable[TrialRecord]) -> list[list[TrialRecord]]:
    """What is independent of each other: verdicts.md, "Trials replayed from one cassette under one seed are not"."""
    units: dict[object, list[TrialRecord]] = {}
    for number, record in enumerate(records):
        units.setdefault(("seed", record.seed) if record.llm == "replay" else number, []).append(record)
    return list(units.values())


def _rate(records: Sequence[TrialRecord], *, clean: bool = False) -> Rate | None:
    units = _units(records)
    if not units:
        return None
    hits = sum(all(_hit(record, clean=clean) for record in unit) for unit in units)
    low, high = clopper_pearson(hits, len(units))
    return Rate(hits=hits, of=len(units), low=low, high=high)


def _hit(record: TrialRecord, *, clean: bool) -> bool:
    judged = record.judgement
    return judged.verdict is Verdict.PASSED and (not clean or judged.grade is Grade.CLEAN)


def _retries(records: Iterable[TrialRecord]) -> tuple[RetriesOf, ...]:
    counted: Counter[tuple[str, str, str]] = Counter()
    steps: dict[tuple[str, str, str], set[int]] = {}
    for record in records:
        for retried in record.figures.retried:
            key = (retried.node, retried.label, retried.cause)
            counted[key] += retried.attempts - 1
            steps.setdefault(key, set()).add(retried.step)
    return tuple(
        RetriesOf(
            node=key[0],
            label=key[1],
            cause=key[2],
            step=next(iter(steps[key])) if len(steps[key]) == 1 else None,
            retries=retries,
        )
        for key, retries in counted.most_common()
    )


def _p95(ordered: list[float]) -> float | None:
    """The value that 95 % do not exceed: the nearest rank, so always one that was measured."""
    return ordered[-(-95 * len(ordered) // 100) - 1] if ordered else None
