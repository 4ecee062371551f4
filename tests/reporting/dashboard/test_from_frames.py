"""From stored runs to what the dashboard says."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from sopbench.records.frames import RunFrames
from sopbench.reliability.intervals import clopper_pearson
from sopbench.reporting.dashboard.facts import DashboardFacts
from sopbench.reporting.dashboard.from_frames import dashboard_facts
from tests.reporting.dashboard.nights import BEGAN, nights

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def run(number: int, verdict: str = "passed", **fields: Any) -> dict[str, Any]:
    return {
        "run": f"run-{number}", "folder": f"run-{number}", "scenario": "shop", "case": "first_day",
        "condition": "clean", "trial": number, "seed": number, "sop": "shop", "version": "1.0.0", "sha256": "a" * 64,
        "site": "mock", "llm": "live", "autonomy": "light", "began": BEGAN + timedelta(minutes=number),
        "verdict": verdict, "grade": "clean" if verdict == "passed" else "", "status": "completed", "duration_s": 2.0,
        "cost_usd": 0.0, **fields,
    }  # fmt: skip


def facts(*runs: dict[str, Any], **rows: Any) -> DashboardFacts:
    return dashboard_facts(RunFrames.from_rows(runs=runs, **rows), NOW)


def test_without_a_run_there_is_no_figure() -> None:
    told = facts()

    assert (told.trials, told.scenarios, told.bad, told.last) == (0, (), (), None)


def test_a_rate_has_its_exact_interval_and_broken_trials_are_in_none() -> None:
    told = facts(*[run(n) for n in range(9)], run(9, "failed_safe"), run(10, "broken"))

    shown = told.scenarios[0].headline
    assert shown.rate is not None
    assert (shown.rate.hits, shown.rate.of) == (9, 10)
    assert (shown.rate.low, shown.rate.high) == clopper_pearson(9, 10)
    assert shown.mix == {"clean": 9, "failed_safe": 1, "broken": 1}
    assert told.evidence == 10


def test_only_broken_trials_have_no_rate() -> None:
    told = facts(run(1, "broken"))

    assert told.scenarios[0].headline.rate is None
    assert told.scenarios[0].periods[0].rate is None
    assert told.scenarios[0].cost is None


def test_replays_of_one_seed_count_once_and_the_worst_of_them_speaks() -> None:
    replayed = [run(n, llm="replay", seed=1) for n in range(5)] + [run(5, "failed_safe", llm="replay", seed=1)]

    told = facts(*replayed, run(6, llm="replay", seed=2))

    rate = told.scenarios[0].headline.rate
    assert rate is not None
    assert (rate.hits, rate.of) == (1, 2)
    assert (told.evidence, told.units) == (7, 2)


def test_seeds_of_different_cases_are_different_trials() -> None:
    told = facts(run(1, llm="replay", seed=1), run(2, llm="replay", seed=1, case="second_day"))

    rate = told.scenarios[0].headline.rate
    assert rate is not None
    assert rate.of == 2


def test_a_version_that_is_no_longer_run_is_in_the_chart_alone() -> None:
    old = [run(n, "failed_silent", sha256="b" * 64, version="0.9.0") for n in range(3)]

    told = facts(*old, run(1000, began=BEGAN + timedelta(days=2)))

    shown = told.scenarios[0]
    assert (shown.version, shown.trials, shown.older) == ("1.0.0", 1, 3)
    assert (told.silent, told.bad_older) == (0, 3)
    assert [(each.start, each.mix) for each in shown.periods] == [
        (date(2026, 10, 1), {"failed_silent": 3}),
        (date(2026, 10, 3), {"clean": 1}),
    ]
    assert shown.periods[1].versions == ("1.0.0 · aaaaaa",)


@pytest.mark.parametrize("other", [{"site": "real"}, {"llm": "record"}, {"autonomy": "full"}])
def test_another_setting_is_neither_in_the_rate_nor_in_the_chart(other: dict[str, str]) -> None:
    told = facts(run(1, "failed_safe", **other), run(2))

    shown = told.scenarios[0]
    assert (shown.trials, shown.older) == (1, 1)
    assert [period.mix for period in shown.periods] == [{"clean": 1}]


def test_a_run_that_still_goes_on_does_not_say_how_trials_are_held_now() -> None:
    going_on = run(3, "broken", llm="", site="", status="killed")

    told = facts(run(1), run(2, "failed_silent"), going_on)

    assert told.evidence == 2
    assert told.scenarios[0].headline.mix == {"clean": 1, "failed_silent": 1, "broken": 1}


def test_procedures_of_one_scenario_are_shown_apart() -> None:
    told = facts(run(1), run(2, "failed_safe", sop="returns"), run(3, "broken", sop=""))

    shown = {each.scenario: each.headline.mix for each in told.scenarios}
    assert shown == {"shop": {"broken": 1}, "shop · returns": {"failed_safe": 1}, "shop · shop": {"clean": 1}}


def test_a_run_that_says_too_little_of_itself_counts() -> None:
    told = facts(run(1), run(2, "broken", sop="", version="", sha256="", site="", llm="", autonomy=""))

    assert told.scenarios[0].headline.mix == {"clean": 1, "broken": 1}


def test_the_newest_silent_and_harmful_failures_come_first_with_their_reason() -> None:
    told = facts(run(1, "failed_silent", reason="amount 25"), run(2, "failed_harmful", reason="two records"), run(3))

    assert [(bad.run, bad.verdict, bad.reason) for bad in told.bad] == [
        ("run-2", "failed_harmful", "two records"),
        ("run-1", "failed_silent", "amount 25"),
    ]
    assert (told.silent, told.harmful) == (1, 1)


def test_clean_is_the_main_condition_and_then_the_worst_come_first() -> None:
    passed = [run(n, condition=("slow", "clean", "offline")[n % 3]) for n in range(9)]
    failed = [run(20, "failed_safe", condition="offline"), run(21, "failed_silent", condition="toasts")]

    told = facts(*passed, *failed)

    assert [each.condition for each in told.scenarios[0].conditions] == ["clean", "toasts", "offline", "slow"]
    assert told.scenarios[0].main == "clean"


def test_scenarios_with_silent_failures_come_first() -> None:
    told = facts(run(1), run(2, "failed_safe", scenario="mail"), run(3, "failed_harmful", scenario="zoo"))

    assert [each.scenario for each in told.scenarios] == ["zoo", "mail", "shop"]


def test_costs_that_are_not_known_are_not_nothing() -> None:
    told = facts(run(1, cost_usd=0.0), run(2, cost_usd=None, model_calls=3))

    cost = told.scenarios[0].cost
    assert cost is not None
    assert (cost.known, cost.unknown, cost.mean_usd) == (1, 1, None)
    assert told.scenarios[0].headline.cost_usd is None


def test_runs_without_a_model_cost_nothing() -> None:
    told = facts(run(1), run(2))

    cost = told.scenarios[0].cost
    assert cost is not None
    assert cost.mean_usd == 0


@pytest.mark.parametrize(("days", "period"), [(10, "day"), (100, "week"), (500, "month")])
def test_the_longer_the_history_the_longer_its_periods(days: int, period: str) -> None:
    told = facts(*[run(n, began=BEGAN + timedelta(days=n)) for n in range(0, days + 1, 10)])

    assert told.scenarios[0].period == period
    assert sum(sum(each.mix.values()) for each in told.scenarios[0].periods) == days // 10 + 1


def test_nodes_are_timed_without_what_is_inside_them() -> None:
    rows = nights(2, 5, {"clean": 1.0})

    told = dashboard_facts(RunFrames.from_rows(**rows), NOW)

    nodes = {node.node: node for node in told.scenarios[0].nodes}
    own = sum(step["own_s"] for step in rows["steps"] if step["node"] == "save")
    assert nodes["save"].own_s == pytest.approx(own / 10)
    assert sum(node.share for node in nodes.values()) == pytest.approx(1)
    assert nodes["save"].retried == sum(each["grade"] == "recovered" for each in rows["runs"])


def test_what_fails_inside_a_loop_does_not_make_the_loop_unsteady() -> None:
    loop = {"run": "run-1", "step": 1, "node": "each", "kind": "loop", "outcome": "failed", "attempts": 1}
    inside = {
        "run": "run-1",
        "step": 2,
        "parent": 1,
        "node": "save",
        "kind": "task",
        "outcome": "failed",
        "attempts": 1,
    }

    told = facts(run(1, "failed_safe"), steps=[loop, inside])

    nodes = {node.node: (node.failed, node.is_container) for node in told.scenarios[0].nodes}
    assert nodes == {"each": (1, True), "save": (1, False)}


def test_what_counts_nowhere_is_said() -> None:
    left = [{"run": f"other-{n}", "folder": f"other-{n}", "why": "of no scenario"} for n in range(3)]

    told = facts(run(1), excluded=left)

    assert told.excluded == {"of no scenario": 3}


def test_without_logs_coverage_is_not_known() -> None:
    told = facts(run(1))

    assert told.scenarios[0].coverage is None
    assert told.scenarios[0].no_coverage == "no log of its trials is here"
