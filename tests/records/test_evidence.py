"""Which runs count together, and what of them is one trial."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sopbench.records.evidence import alike, units, versions
from sopbench.records.frames import RunFrames


def a_run(number: int, **fields: Any) -> dict[str, Any]:
    began = datetime(2026, 11, 1, tzinfo=UTC) + timedelta(minutes=number)
    told = {
        "scenario": "shop",
        "condition": "clean",
        "case": "a_day",
        "sop": "shop",
        "sha256": "a" * 64,
        "site": "mock",
    }
    rest = {"llm": "live", "autonomy": "light", "verdict": "passed", "grade": "clean", "seed": number, "began": began}
    return {"run": f"run-{number}", **told, **rest, **fields}


def frames(*runs: dict[str, Any]) -> RunFrames:
    return RunFrames.from_rows(runs=runs)


def test_runs_of_an_older_version_are_left_out_and_said() -> None:
    found = alike(frames(a_run(1, sha256="b" * 64), a_run(2)).runs)

    assert list(found.runs["run"]) == ["run-2"]
    assert found.left_out == ("1 of shop: of another version of the document (bbbbbbbb; the last one is aaaaaaaa)",)


def test_runs_with_another_site_are_left_out_and_said() -> None:
    found = alike(frames(a_run(1, site="real"), a_run(2)).runs)

    assert found.left_out == ("1 of shop: with site real, where the last one has mock",)


def test_each_scenario_is_compared_with_its_own_last_run() -> None:
    found = alike(frames(a_run(1), a_run(2, scenario="desk", llm="replay")).runs)

    assert (len(found.runs), found.left_out) == (2, ())


def test_a_run_of_which_nothing_is_known_stays() -> None:
    killed = a_run(1, site="", llm="", verdict="broken", grade="")

    assert len(alike(frames(killed, a_run(2)).runs).runs) == 2


def test_no_runs_are_alike() -> None:
    assert alike(frames().runs).runs.empty
    assert units(frames().runs).empty


def test_replays_of_one_case_under_one_seed_are_one_trial_that_passed_if_all_did() -> None:
    told = frames(
        a_run(1, llm="replay", seed=7),
        a_run(2, llm="replay", seed=7, verdict="failed_safe", grade=""),
        a_run(3, llm="replay", seed=8),
        a_run(4, llm="replay", seed=8, case="b_day"),
        a_run(5, llm="live", seed=7),
        a_run(6, llm="live", seed=7),
    )

    found = units(told.runs)

    assert len(found) == 5
    assert list(found["passed"]) == [False, True, True, True, True]


def test_broken_trials_are_no_evidence() -> None:
    assert len(units(frames(a_run(1, verdict="broken", grade=""), a_run(2)).runs)) == 1


def test_the_last_version_of_each_procedure() -> None:
    told = frames(a_run(1, sha256="b" * 64), a_run(2), a_run(3, sop="desk", sha256="c" * 64))

    assert versions(told.runs) == {"shop": "a" * 64, "desk": "c" * 64}
