"""The dashboard's facts from stored runs. Everything is counted where the runs are kept, however many there are."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from sopbench.reliability.intervals import clopper_pearson
from sopbench.reporting.dashboard import questions
from sopbench.reporting.dashboard.coverage_facts import NEWEST_READ, coverage_of
from sopbench.reporting.dashboard.facts import (
    WORTHS,
    BadRun,
    ConditionFacts,
    CostFacts,
    DashboardFacts,
    GateFacts,
    Mix,
    NodeFacts,
    Period,
    ScenarioFacts,
)
from sopbench.reporting.groups import Rate

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sopbench.records.frames import RunFrames

_DAYS_SHOWN, _WEEKS_SHOWN = 45, 45 * 7
_Row = dict[str, Any]
_PeriodName = Literal["day", "week", "month"]


def dashboard_facts(
    frames: RunFrames, made: datetime, gate: GateFacts | None = None, *, newest_read: int = NEWEST_READ
) -> DashboardFacts:
    """All of the page. The logs of the ``newest_read`` newest trials of each scenario are read for its coverage.

    Raises: UsageError when the stored runs cannot be read.
    """
    frames.query(questions.PREPARE)
    scenarios = _rows(frames, questions.SCENARIOS)
    conditions = _by_scenario(_rows(frames, questions.CONDITIONS))
    mains = {name: _main(rows) for name, rows in conditions.items()}
    spans = {(row["scenario"], row["condition"]): row for row in _rows(frames, questions.SPANS)}
    lengths = {name: _period(spans[name, main["condition"]]) for name, main in mains.items()}
    chosen = {name: (main["condition"], lengths[name]) for name, main in mains.items()}
    periods = _by_scenario(_rows(frames, questions.periods_of(chosen))) if chosen else {}
    costs = {row["scenario"]: row for row in _rows(frames, questions.COST)}
    nodes = _by_scenario(_rows(frames, questions.NODES))
    containers = {(row["scenario"], row["node"]) for row in _rows(frames, questions.CONTAINERS)}
    newest = _by_scenario(_rows(frames, questions.newest(newest_read)))
    told = []
    for row in scenarios:
        name = row["scenario"]
        if name not in conditions:
            continue
        coverage, no_coverage = coverage_of(Path(frames.records), newest.get(name, []))
        told.append(
            ScenarioFacts(
                scenario=name,
                version=row["version"] or "",
                sha256=row["sha256"] or "",
                setting=_setting(row),
                trials=row["trials"],
                older=row["older"],
                main=mains[name]["condition"],
                conditions=_conditions(conditions[name], mains[name]),
                period=lengths[name],
                periods=tuple(_one_period(each) for each in periods.get(name, [])),
                nodes=_nodes(nodes.get(name, []), {node for of, node in containers if of == name}),
                cost=_cost(costs.get(name)),
                coverage=coverage,
                no_coverage=no_coverage,
            )
        )
    counted = {what: sum(row[what] for row in scenarios) for what in ("silent", "harmful", "evidence", "bad_older")}
    return DashboardFacts(
        made=made,
        records=frames.records,
        trials=sum(row["trials"] + row["older"] for row in scenarios),
        first=min((row["first"] for row in scenarios if row["first"]), default=None),
        last=max((row["last"] for row in scenarios if row["last"]), default=None),
        scenarios=tuple(sorted(told, key=_worst_first)),
        units=sum(each.rate.of for scenario in told for each in scenario.conditions if each.rate),
        bad=tuple(_bad(row) for row in _rows(frames, questions.BAD)),
        gate=gate,
        excluded={str(why): int(n) for why, n in frames.excluded["why"].value_counts().items() if n},
        **counted,
    )


def _rows(frames: RunFrames, question: str) -> list[_Row]:
    """The answer as plain rows; what is not known is None."""
    rows: list[_Row] = frames.query(question).to_dict("records")
    return [{name: _known(value) for name, value in row.items()} for row in rows]


def _known(value: Any) -> Any:
    if value is None or value != value:  # neither NaN nor NaT equals itself
        return None
    if hasattr(value, "to_pydatetime"):
        return value.to_pydatetime()
    return value.item() if hasattr(value, "item") and not hasattr(value, "shape") else value


def _by_scenario(rows: Iterable[_Row]) -> dict[str, list[_Row]]:
    grouped: dict[str, list[_Row]] = {}
    for row in rows:
        grouped.setdefault(row["scenario"], []).append(row)
    return grouped


def _main(rows: list[_Row]) -> _Row:
    clean = next((row for row in rows if row["condition"] == "clean"), None)
    return clean or max(rows, key=lambda row: sum(_mix(row).values()))


def _period(span: _Row) -> _PeriodName:
    days = (span["last"] - span["first"]).days if span["first"] else 0
    return "day" if days <= _DAYS_SHOWN else "week" if days <= _WEEKS_SHOWN else "month"


def _setting(row: _Row) -> str:
    answers = {"replay": "answers of the model replayed", "live": "a live model", "record": "a live model, recorded"}
    parts = [f"{row['site']} site" if row["site"] else "", answers.get(row["llm"] or "", row["llm"] or "")]
    return ", ".join([*filter(None, parts), *([f"autonomy {row['autonomy']}"] if row["autonomy"] else [])])


def _mix(row: _Row) -> Mix:
    mix = dict(row["mix"] or {})
    return cast("Mix", {worth: int(mix[worth]) for worth in WORTHS if mix.get(worth)})


def _rate(row: _Row, of: str = "passed") -> Rate | None:
    if not row["units"]:
        return None
    hits, units = int(row[of]), int(row["units"])
    low, high = clopper_pearson(hits, units)
    return Rate(hits=hits, of=units, low=low, high=high)


def _conditions(rows: list[_Row], main: _Row) -> tuple[ConditionFacts, ...]:
    found = [
        ConditionFacts(
            condition=row["condition"],
            mix=_mix(row),
            rate=_rate(row),
            clean=_rate(row, "clean"),
            duration_p50_s=row["p50_s"],
            duration_p95_s=row["p95_s"],
            cost_usd=row["cost_usd"],
            last=row["last"],
        )
        for row in rows
    ]
    return tuple(sorted(found, key=lambda each: (each.condition != main["condition"], *_badness(each))))


def _badness(each: ConditionFacts) -> tuple[float, float, str]:
    worst = each.mix.get("failed_silent", 0) + each.mix.get("failed_harmful", 0)
    return -worst, each.rate.share if each.rate else 2.0, each.condition


def _worst_first(scenario: ScenarioFacts) -> tuple[bool, float, str]:
    worst = sum(each.mix.get("failed_silent", 0) + each.mix.get("failed_harmful", 0) for each in scenario.conditions)
    rate = scenario.headline.rate
    return not worst, math.inf if rate is None else rate.share, scenario.scenario


def _one_period(row: _Row) -> Period:
    return Period(
        start=row["start"].date(),
        mix=_mix(row),
        rate=_rate(row),
        cost_usd=row["cost_usd"],
        duration_p50_s=row["p50_s"],
        versions=tuple((row["versions"] or "").split("\n")) if row["versions"] else (),
    )


def _nodes(rows: list[_Row], containers: set[str]) -> tuple[NodeFacts, ...]:
    whole = sum(row["own_s"] for row in rows)
    return tuple(
        NodeFacts(
            node=row["node"],
            label=row["label"] or row["node"],
            kind=row["kind"],
            visits=row["visits"],
            own_s=row["own_s"] / row["visits"],
            p95_s=row["p95_s"],
            share=row["own_s"] / whole if whole else 0.0,
            retried=row["retried"],
            healed=row["healed"],
            otherwise=row["otherwise"],
            failed=row["failed"],
            is_container=row["node"] in containers,
        )
        for row in rows
    )


def _cost(row: _Row | None) -> CostFacts | None:
    if row is None:
        return None
    return CostFacts(**{name: value for name, value in row.items() if name != "scenario"})


def _bad(row: _Row) -> BadRun:
    return BadRun(**row)
