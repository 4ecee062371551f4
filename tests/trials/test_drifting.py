"""Trials by what was frozen, and what moved between two times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sopbench.records.frames import RunFrames
from sopbench.trials.drifting import drifts, moved_at

FIRST = datetime(2026, 11, 1, 3, tzinfo=UTC)


def nights(
    *rates: float, site: str = "mock", llm: str = "live", trials: int = 20, **fields: Any
) -> list[dict[str, Any]]:
    """Nights with so many trials each, of which this share passed."""
    rows = []
    for day, rate in enumerate(rates):
        for number in range(trials):
            passed = number < rate * trials
            rows.append(
                {
                    "run": f"{site}-{llm}-{day}-{number}",
                    "scenario": "shop",
                    "condition": "clean",
                    "case": "a_day",
                    "sha256": "a" * 64,
                    "site": site,
                    "llm": llm,
                    "autonomy": "light",
                    "seed": day * 1000 + number,
                    "began": FIRST + timedelta(days=day, minutes=number),
                    "verdict": "passed" if passed else "failed_safe",
                    "grade": "clean" if passed else "",
                    **fields,
                }
            )
    return rows


def test_each_way_of_freezing_has_its_rate() -> None:
    rows = nights(1.0, llm="replay") + nights(0.5, llm="live") + nights(0.9, site="real", llm="record")

    table = RunFrames.from_rows(runs=rows).frozen

    told = {(each.site_is, each.decisions_are): (each.passed, each.units) for each in table.itertuples()}
    assert told == {("frozen", "frozen"): (20, 20), ("frozen", "live"): (10, 20), ("live", "live"): (18, 20)}


def test_replays_of_one_seed_are_one_unit() -> None:
    rows = nights(0.5, llm="replay", seed=7) + nights(1.0, llm="replay", seed=8, case="b_day")
    rows = [row | {"run": str(number)} for number, row in enumerate(rows)]

    (row,) = RunFrames.from_rows(runs=rows).frozen.itertuples()

    assert (row.trials, row.units, row.passed) == (40, 2, 1)


def test_where_all_trials_broke_there_is_no_rate() -> None:
    (row,) = RunFrames.from_rows(runs=nights(1.0, verdict="broken", grade="")).frozen.itertuples()

    assert (row.trials, row.broken, row.units, row.passed) == (20, 20, 0, 0)


def test_the_model_is_found_by_the_night_from_which_on_it_is_worse() -> None:
    rows = nights(*[1.0] * 14, llm="replay") + nights(*[1.0] * 10, *[0.5] * 4, llm="live")

    (told,) = drifts(RunFrames.from_rows(runs=rows).runs)

    assert told.drift.moved == ("model",)
    assert told.at == datetime(2026, 11, 11, tzinfo=UTC)
    assert told.why_then == "since then the rate is worse"


def test_the_site_is_found_by_trials_with_recorded_decisions() -> None:
    rows = nights(*[1.0] * 4, llm="live") + nights(1.0, 1.0, 0.5, 0.5, site="real", llm="replay")

    (told,) = drifts(RunFrames.from_rows(runs=rows).runs, datetime(2026, 11, 3, tzinfo=UTC))

    assert told.drift.moved == ("site",)


def test_without_a_move_the_last_seven_days_are_compared_and_of_one_day_nothing_can_be_told() -> None:
    many = RunFrames.from_rows(runs=nights(*[0.95] * 14)).runs
    one = RunFrames.from_rows(runs=nights(0.95)).runs

    assert moved_at(many) == (datetime(2026, 11, 8, tzinfo=UTC), "the last seven days")
    (told,) = drifts(one)
    assert told.drift.sentence.startswith("It cannot be told")


def test_trials_of_another_version_do_not_count() -> None:
    rows = nights(1.0, 1.0, sha256="b" * 64) + nights(0.0, 0.0, trials=30, run="")
    rows = [row | {"run": f"{row['sha256'][0]}-{index}"} for index, row in enumerate(rows)]

    (told,) = drifts(RunFrames.from_rows(runs=rows).runs, FIRST + timedelta(days=1))

    assert "0 % of 30 trials before, 0 % of 30 trials after" in told.drift.sentence


def test_runs_of_which_it_is_not_known_what_was_frozen_are_in_no_table() -> None:
    told = RunFrames.from_rows(runs=nights(1.0, site="", llm=""))

    assert told.frozen.empty
    assert drifts(told.runs) == ()
