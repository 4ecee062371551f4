"""What counts together: trials held alike; replayed ones of a seed once; the rest is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sopbench.errors import UsageError
from sopbench.reliability.gate import decide
from sopbench.reliability.policy import Policy
from sopbench.trials.baselines import Accepted, accepted, read_baselines, write_baselines
from sopbench.trials.stored import read_trials
from sopbench.trials.tallying import Tallied, tallied
from sopbench.trials.verdict import Grade, Verdict

from .stored_runs import MORNING, keep


def of(records: Path, *baselines: Accepted) -> Tallied:
    return tallied(read_trials(records).trials, baselines)


def baseline(found: Tallied, **changed: Any) -> Accepted:
    tally = found.tallies[0]
    cases = found.cases[tally.scenario, tally.condition]
    setting = found.settings[tally.scenario]
    taken = accepted(tally, setting, cases, who="Ada", when=MORNING, because="a good week")
    return taken.model_copy(update=changed)


def test_each_scenario_and_condition_has_a_tally(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    keep(tmp_path, 2, condition="slow")
    keep(tmp_path, 3, Verdict.FAILED_SILENT)
    keep(tmp_path, 4, scenario="bank", sop="bank")

    found = of(tmp_path)

    counts = [(each.scenario, each.condition, each.sop, len(each.rows)) for each in found.tallies]
    assert counts == [("shop", "clean", "shop", 2), ("shop", "slow", "shop", 1), ("bank", "clean", "bank", 1)]
    assert found.tallies[0].units()[1].ended("failed_silent")


def test_trials_of_an_older_version_are_left_out_under_every_condition(tmp_path: Path) -> None:
    keep(tmp_path, 1, sha256="b" * 64, condition="slow")
    keep(tmp_path, 2, sha256="b" * 64)
    keep(tmp_path, 3)

    found = of(tmp_path)

    assert [(each.condition, len(each.rows)) for each in found.tallies] == [("clean", 1)]
    assert [each.why for each in found.left_out] == ["of another version of shop (1.0.0, bbbbbbbb)"]
    assert len(found.left_out[0].runs) == 2


@pytest.mark.parametrize("other", [{"site": "real"}, {"llm": "replay"}, {"autonomy": "full"}])
def test_trials_held_otherwise_are_not_mixed_in(tmp_path: Path, other: dict[str, Any]) -> None:
    keep(tmp_path, 1, Verdict.FAILED_SAFE, **other)
    keep(tmp_path, 2)

    found = of(tmp_path)

    assert [row.verdict for row in found.tallies[0].rows] == ["passed"]
    assert [each.why.split()[1] for each in found.left_out] == [next(iter(other))]


def test_replayed_trials_of_one_case_and_seed_are_one_unit_and_live_ones_are_not(tmp_path: Path) -> None:
    for name, llm in (("replayed", "replay"), ("live", "live")):
        keep(tmp_path / name, 1, llm=llm)
        keep(tmp_path / name, 1, Verdict.FAILED_SAFE, llm=llm, minutes=9)
        keep(tmp_path / name, 1, llm=llm, case="second_day")

    replayed, live = of(tmp_path / "replayed").tallies[0], of(tmp_path / "live").tallies[0]

    assert sorted(unit.passed for unit in replayed.units()) == [False, True]
    assert len(live.units()) == 3


def test_a_run_whose_judgement_is_lost_counts_as_broken_where_it_belongs(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    (keep(tmp_path, 2) / "trial.json").unlink()
    (keep(tmp_path, 3, sha256="b" * 64, minutes=0) / "trial.json").unlink()

    found = of(tmp_path)

    assert [row.verdict for row in found.tallies[0].rows] == ["passed", "broken"]
    assert [each.why for each in found.left_out] == ["of another version of shop (1.0.0, bbbbbbbb)"]


def test_a_baseline_is_written_and_read_back(tmp_path: Path) -> None:
    keep(tmp_path / "runs", 1)
    keep(tmp_path / "runs", 2, grade=Grade.RECOVERED)
    keep(tmp_path / "runs", 3, Verdict.FAILED_SAFE)
    keep(tmp_path / "runs", 4, Verdict.BROKEN)
    taken = baseline(of(tmp_path / "runs"))

    write_baselines(tmp_path / "gate-baseline.json", [taken])

    assert read_baselines(tmp_path / "gate-baseline.json") == (taken,)
    assert (taken.passed, taken.passed_clean, taken.trials, taken.broken) == (2, 1, 3, 1)
    assert sorted(taken.seeds.values()) == [False, True, True]
    assert (taken.who, taken.when, taken.because) == ("Ada", "2026-11-21T06:00:00+00:00", "a good week")


def test_a_new_version_is_compared_with_the_baseline_of_the_old_one(tmp_path: Path) -> None:
    keep(tmp_path / "old", 1, sha256="b" * 64)
    keep(tmp_path / "new", 1)

    found = of(tmp_path / "new", baseline(of(tmp_path / "old")))

    assert found.tallies[0].baseline is not None
    assert found.left_out == ()


@pytest.mark.parametrize(
    ("otherwise", "why"),
    [
        ({"llm": "replay"}, "it was taken with llm replay, these trials with live"),
        ({"cases": ("other_day",)}, "it was taken on other_day, these trials on first_day"),
    ],
)
def test_a_baseline_taken_otherwise_is_not_compared_with_and_said(
    tmp_path: Path, otherwise: dict[str, Any], why: str
) -> None:
    keep(tmp_path, 1)

    found = of(tmp_path, baseline(of(tmp_path), **otherwise))

    assert found.tallies[0].baseline is None
    assert str(found.left_out[0]) == f"1 baseline not compared with, {why}: shop under clean"


def test_a_baseline_of_another_procedure_is_refused_by_the_gate(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    policy = Policy.model_validate({"claims": [{"scenario": "shop", "not_worse": {}}]})

    answer = decide(policy, of(tmp_path, baseline(of(tmp_path), sop="bank", cases=("x",))).tallies)

    assert (answer.outcome, answer.exit_code) == ("undecided", 2)
    assert "the baseline is of 'bank', these trials are of 'shop': they cannot be compared" in answer.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"trials": 1', '"trials": 0'), "trials"),
        (('"passed": 1', '"passed": 2'), "counts do not fit together"),
        (('"format": 1', '"format": 2'), "format"),
        (("{", "", 1), "Invalid JSON"),
    ],
)
def test_a_baseline_file_that_was_tampered_with_is_an_error(tmp_path: Path, change: Any, message: str) -> None:
    keep(tmp_path / "runs", 1)
    file = tmp_path / "gate-baseline.json"
    write_baselines(file, [baseline(of(tmp_path / "runs"))])
    file.write_text(file.read_text(encoding="utf-8").replace(*change), encoding="utf-8")

    with pytest.raises(UsageError, match=message):
        read_baselines(file)


def test_trials_that_all_broke_are_no_baseline(tmp_path: Path) -> None:
    keep(tmp_path, 1, Verdict.BROKEN)

    with pytest.raises(UsageError, match="no trial gave evidence"):
        baseline(of(tmp_path))
