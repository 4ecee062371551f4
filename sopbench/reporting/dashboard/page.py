"""The dashboard as one HTML page: no script, no font, no picture and no address but its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from sopbench.records.coverage import KINDS
from sopbench.reliability.intervals import rate_still_possible
from sopbench.reporting.dashboard.charts import floor_of, rate_chart, spark, whisker
from sopbench.reporting.dashboard.coverage_graph import coverage_graph
from sopbench.reporting.dashboard.facts import WORTHS
from sopbench.reporting.wording import count, dollars, one_line, percent, seconds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sopbench.records.coverage import Covered
    from sopbench.reporting.dashboard.facts import (
        ConditionFacts,
        CoverageFacts,
        DashboardFacts,
        NodeFacts,
        Period,
        ScenarioFacts,
        Worth,
    )
    from sopbench.reporting.groups import Rate

WIDE, NARROW = 936.0, 340.0
"""Pixels of a chart on a wide and on a narrow screen."""
GRAPH_WIDE = 640.0
SHOWN_BAD = 4
SHOWN_CONDITIONS = 8
SHOWN_NODES = 6
WORTH_WORDS: dict[Worth, str] = {
    "clean": "passed clean",
    "recovered": "passed after recovery",
    "assisted": "passed with help",
    "failed_safe": "failed safe",
    "failed_silent": "failed silent",
    "failed_harmful": "failed harmful",
    "broken": "broken",
}
_KIND_WORDS = {"when": ("condition of an action", "conditions of actions"), "tier": ("recovery", "recoveries")}


def dashboard_page(facts: DashboardFacts) -> str:
    """The whole page, ready to be written."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters |= {
        "percent": percent,
        "seconds": seconds,
        "dollars": dollars,
        "one_line": one_line,
        "when": _when,
        "ways": _ways,
    }
    environment.globals |= {
        "count": count,
        "worths": WORTH_WORDS,
        "whisker": whisker,
        "spark": spark,
        "floor_of": floor_of,
        "charts": _charts,
        "graphs": _graphs,
        "slowest": _slowest,
        "unsteady": _unsteady,
        "mix_words": _mix_words,
        "still_possible": rate_still_possible,
        "shown_bad": SHOWN_BAD,
        "shown_conditions": SHOWN_CONDITIONS,
        "alarming": _alarming,
        "kinds": KINDS,
        "rate_words": _rate_words,
        "unsteady_words": _unsteady_words,
    }
    style = Markup((Path(__file__).parent / "page.css").read_text("utf-8"))  # noqa: S704 - ours
    return environment.get_template("page.html.jinja").render(facts=facts, style=style)


def _when(moment: datetime | None) -> str:
    return f"{moment:%d %b %Y, %H:%M} UTC" if moment else "not known"


def _charts(scenario: ScenarioFacts) -> dict[str, Any]:
    title = _chart_title(scenario)
    return {"wide": rate_chart(scenario.periods, WIDE, title), "narrow": rate_chart(scenario.periods, NARROW, title)}


def _chart_title(scenario: ScenarioFacts) -> str:
    rates = [period for period in scenario.periods if period.rate]
    if not rates:
        return f"{scenario.scenario} under {scenario.main}: no trial gave evidence"
    last = rates[-1]
    told = f"Share of trials of {scenario.scenario} that passed under {scenario.main}, by {scenario.period}"
    return f"{told}; the last, {last.start:%d %B %Y}: {_rate_words(last.rate)}. The table below has all of them."


def _rate_words(rate: Rate | None) -> str:
    if rate is None:
        return "no rate"
    return f"{percent(rate.share)} % ({percent(rate.low)} to {percent(rate.high)} %)"


def _graphs(coverage: CoverageFacts) -> dict[str, Markup]:
    return {
        name: Markup(coverage_graph(coverage.sop, coverage.covered, coverage.trials, width=width))  # noqa: S704 - escaped
        for name, width in (("wide", GRAPH_WIDE), ("narrow", NARROW))
    }


def _ways(coverage: CoverageFacts, kind: str) -> dict[str, Any] | None:
    own: Sequence[Covered] = [each for each in coverage.covered if each.way.kind == kind]
    if not own:
        return None
    plural = _KIND_WORDS.get(kind, (kind, f"{kind}es" if kind == "branch" else f"{kind}s"))
    return {
        "name": plural[0] if len(own) == 1 else plural[1],
        "taken": sum(bool(each.trials) for each in own),
        "of": len(own),
        "never": [each for each in own if not each.trials],
        "told": [each for each in own if not each.trials and _is_told(each, coverage)],
    }


def _is_told(each: Covered, coverage: CoverageFacts) -> bool:
    """Whether it is worth a line of its own: details are not, nor are the skills of a node that was never taken."""
    if each.way.kind == "skill":
        nodes = {other.way.node for other in coverage.covered if other.way.kind == "node" and other.trials}
        return each.way.node in nodes
    return each.way.kind in ("node", "branch", "loop", "interruption")


def _slowest(scenario: ScenarioFacts) -> list[NodeFacts]:
    ordered = sorted(scenario.nodes, key=lambda node: -node.share)
    return [node for node in ordered[:SHOWN_NODES] if node.share >= 0.01]


def _unsteady(scenario: ScenarioFacts) -> list[NodeFacts]:
    own = [node for node in scenario.nodes if node.unsteady and not node.is_container]
    return sorted(own, key=lambda node: (-node.unsteady, -node.visits))[:SHOWN_NODES]


def _unsteady_words(node: NodeFacts) -> str:
    counted = (
        ("failed", node.failed),
        ("retried", node.retried),
        ("healed", node.healed),
        ("done otherwise", node.otherwise),
    )
    told = ", ".join(f"{number:,} {name}" for name, number in counted if number)
    return f"{told} of {count(node.visits, 'visit')}"


def _mix_words(each: ConditionFacts | Period) -> str:
    return ", ".join(f"{each.mix[worth]:,} {WORTH_WORDS[worth]}" for worth in WORTHS if each.mix.get(worth))


def _alarming(each: ConditionFacts) -> str:
    told: tuple[tuple[Worth, str], ...] = (("failed_silent", "silent"), ("failed_harmful", "harmful"))
    return " · ".join(f"{number:,} {name}" for worth, name in told if (number := each.mix.get(worth)))
