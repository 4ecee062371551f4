"""The matrix of conditions and verdicts: what is counted, what it comes down to, and how it is shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sopbench.matrix_commands import Progress
from sopbench.records.figures import Figures
from sopbench.reporting.matrix import matrix_lines, matrix_page
from sopbench.reporting.terminal import text_lines
from sopbench.trial_runs import Listed
from sopbench.trials.condition import Condition, find_conditions
from sopbench.trials.matrix import as_json, drawn_pairs, is_single, matrix
from sopbench.trials.record import FaultRecord, Held, TrialRecord
from sopbench.trials.verdict import Grade, Judgement, Verdict

from .stored_runs import keep


def conditions(*names: str) -> list[Condition]:
    return find_conditions(names)


def trial(condition: str, verdict: Verdict = Verdict.PASSED, cause: str = "", strikes: int = 1) -> TrialRecord:
    grade = None
    if verdict is Verdict.PASSED:
        grade = Grade.RECOVERED if cause else Grade.CLEAN
    fault = FaultRecord(fault="a.b", cause="data", parameters={}, when={}, strikes=strikes, first_seq=1)
    given: dict[str, Any] = {"scenario": "shop", "case": "c", "trial": 1, "seed": 1, "site": "mock", "llm": "live"}
    return TrialRecord(
        **given,
        condition=condition,
        autonomy="light",
        folder=f"runs/{condition}",
        faults=() if condition == "clean" else (fault,),
        figures=Figures(status="completed"),
        judgement=Judgement(verdict=verdict, grade=grade, cause=cause),
    )


def test_trials_are_counted_by_condition_and_grade_or_verdict() -> None:
    trials = [
        trial("clean"),
        trial("toasts", cause="target"),
        trial("toasts", Verdict.FAILED_SAFE, "target"),
        trial("toasts", strikes=0),
        trial("toasts", Verdict.BROKEN),
        trial("unknown"),
    ]

    found = matrix("shop", conditions("clean", "toasts"), trials)

    clean, toasts = found.rows
    assert (clean.counts, clean.untouched) == ({"clean": 1}, 0)
    assert toasts.counts == {"clean": 1, "recovered": 1, "failed_safe": 1, "broken": 1}
    assert (toasts.trials, toasts.judged, toasts.passed, toasts.untouched) == (4, 3, 2, 1)
    assert toasts.attributed == {"target": 2}


@pytest.mark.parametrize(
    ("trials", "code"),
    [
        ([trial("clean")], 0),
        ([], 2),
        ([trial("clean", Verdict.BROKEN)], 2),
        ([trial("clean"), trial("clean", Verdict.FAILED_SAFE, "target")], 1),
        ([trial("second-factor", Verdict.FAILED_SAFE, "session")], 0),
        ([trial("second-factor", Verdict.FAILED_HARMFUL, "session")], 1),
        ([trial("clean"), trial("second-factor", Verdict.FAILED_SILENT, "session")], 1),
    ],
)
def test_the_exit_code_says_whether_anything_lied_did_harm_or_was_not_coped_with(
    trials: list[TrialRecord], code: int
) -> None:
    assert matrix("shop", conditions("clean", "second-factor"), trials).exit_code == code


def test_what_is_missing_cannot_be_told_to_be_good() -> None:
    found = matrix("shop", conditions("clean"), [trial("clean")])
    found.rows[0].missing = 3

    assert found.exit_code == 2
    assert as_json(found)["missing"] == 3


def test_runs_that_lied_are_named() -> None:
    found = matrix("shop", conditions("toasts"), [trial("toasts", Verdict.FAILED_SILENT, "data")])

    told = "\n".join(text_lines(matrix_lines(found), 120, colour=False))

    assert "1 trial under 1 condition: 1 silent, 0 harmful" in told
    assert "toasts: runs/toasts" in told


def test_the_heat_map_needs_nothing_from_elsewhere_and_says_names_as_they_are() -> None:
    found = matrix("<shop>", conditions("toasts"), [trial("toasts", cause="target")])

    html = matrix_page(found)

    assert "<shop>" not in html
    assert "&lt;shop&gt;" in html
    assert not re.search(r"https?:|src=|url\(|<script", html)
    assert 'title="100.0%">1</td>' in html


def test_both_pictures_say_where_the_fault_found_nothing_to_strike() -> None:
    found = matrix("shop", conditions("toasts"), [trial("toasts", cause="target"), trial("toasts", strikes=0)])

    told = "\n".join(text_lines(matrix_lines(found), 120, colour=False))

    assert "1 target; 1 untouched" in told
    assert "1 target; 1 untouched" in matrix_page(found)


def test_single_conditions_are_those_of_one_fault_however_often() -> None:
    told = {each.name: is_single(each) for each in conditions("clean", "toasts", "odd-mail", "flaky-network")}

    assert told == {"clean": False, "toasts": True, "odd-mail": True, "flaky-network": False}


def test_pairs_are_different_and_the_same_for_the_same_seed() -> None:
    drawn = drawn_pairs("abcdef", 10, seed=3)

    assert len(set(drawn)) == 10
    assert all(one < other for one, other in drawn)
    assert drawn == drawn_pairs("fedcba", 10, seed=3)
    assert drawn != drawn_pairs("abcdef", 10, seed=4)
    assert len(drawn_pairs("abc", 10, seed=1)) == 3


def asked(trial: int, test: str = "shop/test_shop.py::test_buys") -> Listed:
    return Listed(f"{test}[{trial}]", "shop", "first_day", "clean", trial, 0, test, "/", "")


def held(test: str = "shop/test_shop.py::test_buys") -> Held:
    return Held(root="/", test=test, seed=0, options=(), sources={})


def test_a_trial_of_several_runs_is_one_trial_of_the_progress(tmp_path: Path) -> None:
    keep(tmp_path, 1, held=held(), minutes=1)
    progress = Progress([asked(1), asked(2)], tmp_path)

    begun = progress.done()
    for run in (1, 2, 3):
        keep(tmp_path, 1, held=held(), run=run, minutes=10 + run)
    one = progress.done()
    keep(tmp_path, 2, held=held("shop/test_shop.py::test_of_somebody_else"), minutes=20)
    keep(tmp_path, 9, held=held(), minutes=21)
    (keep(tmp_path, 2, held=held(), minutes=22) / "trial.json").write_text("{}", "utf-8")
    still_one = progress.done()
    keep(tmp_path, 2, held=held(), minutes=23)

    assert (begun, one, still_one, progress.done()) == (0, 1, 1, 2)
