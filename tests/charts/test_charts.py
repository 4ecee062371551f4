"""What the notebooks show: right with much, with little, and with nothing."""

from __future__ import annotations

import importlib
import io
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from sopbench.charts import cost, decision_drift, failure_rates
from sopbench.charts.data import NO_RUNS, NOTHING, what_is_in
from sopbench.charts.showing import Listing, Picture, Words
from sopbench.records.frames import RunFrames

from .histories import a_month

if TYPE_CHECKING:
    from collections.abc import Callable

VIEWS = {
    "failure_rates": (
        "by_condition", "with_broken", "by_cause", "by_node", "by_tier", "over_time", "in_a_row", "what_was_frozen",
        "what_moved",
    ),
    "decision_drift": ("summary", "by_node", "changes", "branches", "by_model"),
    "cost": ("per_run", "what_it_means", "by_day", "by_node", "by_verdict"),
}  # fmt: skip
ALL = [(module, view) for module, views in VIEWS.items() for view in views]


def view(module: str, name: str) -> Callable[[RunFrames], Any]:
    found: Callable[[RunFrames], Any] = getattr(importlib.import_module(f"sopbench.charts.{module}"), name)
    return found


@pytest.fixture(scope="module")
def month() -> RunFrames:
    return a_month()


@pytest.fixture(scope="module")
def one_trial() -> RunFrames:
    return RunFrames.from_rows(
        runs=[{"run": "only", "scenario": "shop", "condition": "clean", "verdict": "passed", "grade": "clean"}],
        steps=[{"run": "only", "step": 1, "node": "save", "outcome": "done", "tier": "exact", "attempts": 1}],
    )


@pytest.fixture(scope="module")
def one_broken() -> RunFrames:
    return RunFrames.from_rows(runs=[{"run": "only", "scenario": "shop", "condition": "clean", "verdict": "broken"}])


@pytest.mark.parametrize(("module", "name"), ALL)
def test_a_month_of_nights_has_something_to_show(month: RunFrames, module: str, name: str) -> None:
    shown = view(module, name)(month)

    assert shown is not NO_RUNS
    if isinstance(shown, Picture):
        picture = Image.open(io.BytesIO(shown.png)).convert("L")
        dark = sum(picture.histogram()[:200]) / (picture.width * picture.height)
        assert 0.005 < dark < 0.7, "neither blank nor full"
        assert picture.width == 1296
    elif isinstance(shown, Listing):
        assert shown.rows
    else:
        assert len(str(shown)) > 40


@pytest.mark.parametrize(("module", "name"), ALL)
def test_without_runs_each_says_so(module: str, name: str) -> None:
    assert view(module, name)(RunFrames.from_rows()) is NO_RUNS


@pytest.mark.parametrize(("module", "name"), ALL)
def test_one_trial_is_shown_for_what_it_is(one_trial: RunFrames, module: str, name: str) -> None:
    assert isinstance(view(module, name)(one_trial), Picture | Words | Listing)


@pytest.mark.parametrize(("module", "name"), ALL)
def test_trials_that_all_broke_have_no_rate(one_broken: RunFrames, module: str, name: str) -> None:
    assert isinstance(view(module, name)(one_broken), Picture | Words | Listing)
    assert "100 %" not in str(view(module, name)(one_broken))


def test_what_is_in_says_what_is_left_out(month: RunFrames) -> None:
    told = str(what_is_in(month, as_rates=True))

    assert "1,008 runs" in told
    assert "broke: they are no evidence" in told
    assert "Not counted with the others: 252 of gmail_airtable: with llm live" in told


def test_without_runs_it_is_said_what_to_do() -> None:
    assert what_is_in(RunFrames.from_rows()) is NOTHING


def test_excluded_runs_are_counted_by_their_reason() -> None:
    excluded = [{"folder": each, "run": each, "why": "with a trial.json of another version"} for each in "ab"]

    assert "* 2 folders with a trial.json of another version" in str(what_is_in(RunFrames.from_rows(excluded=excluded)))


def test_one_trial_has_no_row_of_two(one_trial: RunFrames) -> None:
    assert str(failure_rates.in_a_row(one_trial)).startswith("No scenario has two independent trials")


def test_the_fall_of_the_model_is_named(month: RunFrames) -> None:
    assert "The model moved; of the site it cannot be told." in str(failure_rates.what_moved(month, "2026-11-14"))


def test_questions_that_got_another_answer_are_found(month: RunFrames) -> None:
    pairs = decision_drift.paired(month)

    assert set(pairs.loc[pairs["same"] < 1, "question_id"]) == {"q0", "q1"}
    assert str(decision_drift.summary(month)).endswith("2 got another answer (40 %, 95 % interval 5 to 85 %).")


def test_reasons_and_long_texts_are_not_compared() -> None:
    runs = [{"run": run, "scenario": "shop", "verdict": "passed"} for run in ("a", "b")]
    answers = ('{"choice": "yes", "quote": "our round"}', '{"choice": "yes", "quote": "the round of ours"}')
    calls = [
        {"run": run, "step": 1, "node": "n", "question_id": "q", "replayed": run == "a", "answer": answer}
        for run, answer in zip(("a", "b"), answers, strict=True)
    ]

    assert list(decision_drift.paired(RunFrames.from_rows(runs=runs, model_calls=calls))["same"]) == [1.0]


def test_where_a_price_is_not_known_no_cost_is_told() -> None:
    runs = [
        {"run": str(number), "scenario": "shop", "verdict": "passed", "model_calls": 1, "cost_usd": known}
        for number, known in enumerate((0.1, None))
    ]

    (row,) = cost.per_run(RunFrames.from_rows(runs=runs)).rows  # type: ignore[union-attr]

    assert row[5:] == ("not known", "not known", "not known", "1")
