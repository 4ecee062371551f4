"""What a rule keeps: any of its parts is enough, and failures stay longest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from sopbench.errors import UsageError
from sopbench.records.frames import RunFrames
from sopbench.records.pruning import Rule, prune, runs_to_prune

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def pruned(rule: Rule, **verdicts: tuple[str, int]) -> list[str]:
    """Names of the runs to prune; each is given by its verdict and its age in days."""
    rows: list[dict[str, Any]] = [
        {"run": run, "scenario": "shop", "verdict": verdict, "began": (NOW - timedelta(days=age)).replace(tzinfo=None)}
        for run, (verdict, age) in verdicts.items()
    ]
    return sorted(runs_to_prune(RunFrames.from_rows(runs=rows).runs, rule, NOW)["run"])


def test_old_passes_go_and_old_failures_stay() -> None:
    rule = Rule(keep_days=14)

    assert pruned(rule, old=("passed", 20), young=("passed", 3), bad=("failed_safe", 400)) == ["old"]


def test_failures_go_after_their_own_time() -> None:
    rule = Rule(keep_days=14, keep_failures_days=180)

    assert pruned(rule, old=("failed_safe", 200), young=("failed_silent", 20), odd=("broken", 181)) == ["odd", "old"]


def test_the_last_runs_stay_however_old() -> None:
    rule = Rule(keep_days=1, keep_runs=2)

    assert pruned(rule, a=("passed", 30), b=("passed", 20), c=("passed", 10)) == ["a"]


def test_a_rule_for_failures_alone_keeps_every_pass() -> None:
    assert pruned(Rule(keep_failures_days=1), a=("passed", 30), b=("failed_safe", 30)) == ["b"]


def test_no_runs_are_nothing_to_prune() -> None:
    assert pruned(Rule(keep_days=0, keep_runs=0)) == []


def test_a_run_of_unknown_age_stays() -> None:
    runs = RunFrames.from_rows(runs=[{"run": "a", "verdict": "passed"}]).runs

    assert runs_to_prune(runs, Rule(keep_days=0), NOW).empty


def test_a_rule_that_says_nothing_or_less_than_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="say what is to be kept"):
        Rule()
    with pytest.raises(UsageError, match="--keep-runs must be at least 0, got -1"):
        Rule(keep_runs=-1)


def a_run(folder: Path) -> Path:
    (folder / "screenshots").mkdir(parents=True)
    (folder / "screenshots" / "1.jpg").write_bytes(b"1" * 1000)
    (folder / "trace-crm.zip").write_bytes(b"2" * 500)
    (folder / "events.jsonl").write_text("{}\n", encoding="utf-8")
    return folder


def test_pictures_and_traces_go_and_the_log_stays(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "run")

    gone = prune([(folder, "passed")], whole=False, dry_run=False)

    assert [each.size for each in gone] == [1500]
    assert [each.name for each in folder.iterdir()] == ["events.jsonl"]
    assert prune([(folder, "passed")], whole=False, dry_run=False) == []


def test_a_dry_run_removes_nothing(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "run")

    told = prune([(folder, "passed")], whole=True, dry_run=True)

    assert len(told) == 1
    assert (folder / "screenshots" / "1.jpg").exists()


def test_a_whole_run_goes_and_what_an_earlier_call_left_half_too(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "run")
    a_run(tmp_path / ".pruned-earlier")

    prune([(folder, "passed")], whole=True, dry_run=False)

    assert list(tmp_path.iterdir()) == []
