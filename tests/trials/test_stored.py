"""Runs read back: in the order in which they began, and nothing mixed up becomes a number in silence."""

from __future__ import annotations

import json
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from sopbench.errors import UsageError
from sopbench.trials.stored import read_trials
from sopbench.trials.verdict import Verdict

from .stored_runs import MORNING, keep


def verdicts(records: Path) -> list[str]:
    return [trial.record.judgement.verdict.value for trial in read_trials(records).trials]


def left_out(records: Path) -> list[str]:
    return [each.why for each in read_trials(records).left_out]


def test_trials_stand_in_the_order_in_which_they_began(tmp_path: Path) -> None:
    keep(tmp_path, 1, minutes=9)
    keep(tmp_path, 2, minutes=3)
    keep(tmp_path, 10, minutes=5)

    numbers = [trial.record.trial for trial in read_trials(tmp_path).trials]

    assert numbers == [2, 10, 1]


def test_only_those_since_then_are_read_and_the_others_are_said(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    keep(tmp_path, 2)

    stored = read_trials(tmp_path, MORNING + timedelta(minutes=2))

    assert [trial.record.trial for trial in stored.trials] == [2]
    assert [str(each) for each in stored.left_out] == [
        "1 run from before 2026-11-21 06:02: 20261121-060100-shop-first_day-clean-1"
    ]


def test_no_folder_is_an_error_and_an_empty_one_has_no_trials(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder of runs"):
        read_trials(tmp_path / "nowhere")

    assert read_trials(tmp_path).trials == ()


def test_a_run_that_was_never_judged_is_broken_and_said(tmp_path: Path) -> None:
    (keep(tmp_path) / "trial.json").unlink()

    assert verdicts(tmp_path) == ["broken"]
    assert left_out(tmp_path) == ["never judged (killed, or still running): counted as broken"]


def test_a_judgement_that_was_cut_off_is_broken_though_it_may_have_been_good(tmp_path: Path) -> None:
    file = keep(tmp_path, verdict=Verdict.FAILED_SILENT) / "trial.json"
    file.write_bytes(file.read_bytes()[:200])

    assert verdicts(tmp_path) == ["broken"]
    assert left_out(tmp_path) == ["with a trial.json that is cut off or cannot be read: counted as broken"]


def test_a_log_that_was_cut_off_bears_out_nothing(tmp_path: Path) -> None:
    log = keep(tmp_path) / "events.jsonl"
    log.write_text(log.read_text(encoding="utf-8")[:-30], encoding="utf-8")

    assert verdicts(tmp_path) == ["broken"]
    assert left_out(tmp_path) == ["with a log that is cut off: counted as broken"]


def test_a_judgement_without_its_log_is_broken(tmp_path: Path) -> None:
    (keep(tmp_path) / "events.jsonl").unlink()

    assert verdicts(tmp_path) == ["broken"]


def test_the_log_of_another_trial_is_no_evidence(tmp_path: Path) -> None:
    one, other = keep(tmp_path, 1), keep(tmp_path, 2)
    shutil.copy(one / "events.jsonl", other / "events.jsonl")

    assert verdicts(tmp_path) == ["passed", "broken"]
    assert left_out(tmp_path) == ["with the log of another trial: counted as broken"]


def test_a_record_of_another_version_is_left_out_and_said(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    file = keep(tmp_path, 2) / "trial.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"format": 2}), encoding="utf-8")

    assert verdicts(tmp_path) == ["passed"]
    assert left_out(tmp_path) == ["with a trial.json of another version"]


def test_a_verdict_nobody_knows_is_not_guessed(tmp_path: Path) -> None:
    file = keep(tmp_path) / "trial.json"
    record = json.loads(file.read_text())
    file.write_text(json.dumps(record | {"judgement": {"verdict": "probably fine"}}), encoding="utf-8")

    assert verdicts(tmp_path) == []
    assert left_out(tmp_path) == ["with a trial.json of another version"]


def test_two_runs_of_one_name_are_an_error(tmp_path: Path) -> None:
    folder = keep(tmp_path, verdict=Verdict.FAILED_HARMFUL)
    shutil.copytree(folder, tmp_path / "copied")

    with pytest.raises(UsageError, match=r"2 runs are called '20261121-060100-.*keep one of them"):
        read_trials(tmp_path)


def test_a_run_by_hand_is_no_trial(tmp_path: Path) -> None:
    folder = keep(tmp_path)
    (folder / "trial.json").unlink()
    first, *rest = (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    plain = json.dumps(json.loads(first) | {"context": {"document": "shop.sop.json"}})
    (folder / "events.jsonl").write_text("\n".join([plain, *rest]) + "\n", encoding="utf-8")

    assert verdicts(tmp_path) == []
    assert left_out(tmp_path) == ["of no scenario"]
