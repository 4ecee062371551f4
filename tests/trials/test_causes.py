"""Causes: each from the evidence in the log alone, in the order of what leaves least doubt."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.events.types import (
    DecisionMade,
    Event,
    Interrupted,
    ModelFailed,
    RunFinished,
    RunResumed,
    StepFinished,
    TargetHealed,
    VariableSet,
)
from sopbench.trials.causes import attribute, attribute_trial
from sopbench.trials.verdict import Grade, Judgement, Verdict

from .troubles import EMAIL, NOT_FOUND, attempt, finished, load, numbered, page, run_of, started

COVERED = "button 'Save' is there but cannot take the action: <div>…</div> intercepts pointer events"
UNSEEN = "expected: dialog 'Order' is visible; found: none"
ORDER = {"id": "order-20251102-A7", "sender": "Ada"}


def healed(old: dict[str, str] | None = None, new: dict[str, str] | None = None) -> TargetHealed:
    return TargetHealed(
        step=1,
        action=0,
        says="button 'Store'",
        by="score",
        old=old or {},
        new=new or {},
        target={},
        candidates=3,
        score=1,
        probability=1,
        margin=1,
    )


@pytest.mark.parametrize(
    ("events", "cause"),
    [
        (attempt("the browser or its page is gone: it crashed", error="BrowserLost"), "browser"),
        (attempt("the page asked 'Stay?' (confirm)", error="DialogFailed"), "navigation"),
        (attempt("https://shop.test/ answered 503", error="NetworkFailed"), "network"),
        (attempt("https://shop.test/ answered 404", error="NavigationFailed"), "navigation"),
        (attempt("expected: address is */orders; found: address is /", error="ExpectationFailed"), "navigation"),
        (attempt(COVERED), "target"),
        (attempt("2 elements fit button 'Save'; say which one is meant"), "target"),
        (attempt(NOT_FOUND, page()), "target"),
        (attempt(UNSEEN, page(), error="ExpectationFailed"), "target"),
        (attempt("button 'Save' is there but cannot take the action: it was not ready"), "timing"),
        (attempt("textbox 'Sum' holds '1', not '2'", error="ValueNotHeld"), "data"),
        (attempt("variable 'x' should have been set here", error="DataInvalid"), "data"),
        (attempt("it took longer than its 5 s", error="LimitReached"), "limit"),
        (attempt("the operator said no", error="Rejected"), "operator"),
        (attempt("template: no variable 'y'", error="TemplateFailed"), "procedure"),
    ],
)
def test_a_failure_is_told_by_what_went_wrong(events: list[Event], cause: str) -> None:
    found = attribute(run_of(*events))

    assert found is not None
    assert found.cause == cause


@pytest.mark.parametrize(
    ("facts", "cause"),
    [
        ({"headings": ("Sign in",)}, "session"),
        ({"url": "https://accounts.test/signin/v2", "title": ""}, "session"),
        ({"asks_password": True}, "session"),
        ({"headings": ("Choose an account",)}, "session"),
        ({"headings": ("2-Step Verification",)}, "session"),
        ({"text": "Press and hold to confirm you are a human and not a bot."}, "session"),
        ({"accounts": ("Account: Robin (robin@elsewhere.example)",)}, "session"),
        ({"accounts": (f"Account: Dana ({EMAIL})",)}, "target"),
        ({"troubles": (load("answered 401", 401),)}, "session"),
        ({"troubles": (load("answered 503", 503),)}, "network"),
        ({"troubles": (load("answered 429", 429),)}, "network"),
        ({"troubles": (load("ERR_CONNECTION_RESET"),)}, "network"),
        ({"troubles": (load("no answer yet", None, 4.0),)}, "network"),
        ({"troubles": (load("answered 404", 404),)}, "target"),
        ({"complaints": ("Unexpected end of JSON input",)}, "network"),
        ({"complaints": ("x is not a function",)}, "target"),
        ({"notices": ("Too many requests. Try again later.",)}, "network"),
        ({"headings": ("Something went wrong",)}, "network"),
    ],
)
def test_what_the_page_says_comes_before_what_was_missed_on_it(facts: dict[str, Any], cause: str) -> None:
    found = attribute(run_of(*attempt(NOT_FOUND, page(**facts))))

    assert found is not None
    assert found.cause == cause


def test_a_page_for_signing_in_is_where_a_step_that_signs_in_should_be() -> None:
    events = run_of(*attempt(NOT_FOUND, page(headings=("Sign in",))), label="Sign in to the shop")

    found = attribute(events)

    assert found is not None
    assert found.cause == "target"


@pytest.mark.parametrize("label", ["Sign in to the shop", "Save the order"])
def test_a_challenge_is_one_even_while_signing_in(label: str) -> None:
    found = attribute(run_of(*attempt(NOT_FOUND, page(headings=("Enter the code",))), label=label))

    assert found is not None
    assert (found.cause, found.rule) == ("session", "asked_who_is_there")


def test_what_held_when_tried_again_had_come_late() -> None:
    found = attribute(run_of(*attempt(UNSEEN, page(), error="ExpectationFailed"), recovered=True))

    assert found is not None
    assert found.cause == "timing"


def test_what_held_when_tried_again_after_a_long_answer_was_the_network() -> None:
    slow = page(troubles=(load("answered late", 200, 3.2),))

    found = attribute(run_of(*attempt(UNSEEN, slow, error="ExpectationFailed"), recovered=True))

    assert found is not None
    assert found.cause == "network"
    assert "3.2 s" in found.evidence[0].says


def test_what_failed_for_good_was_not_the_network_only_because_an_answer_had_come_late() -> None:
    slow = page(troubles=(load("answered late", 200, 3.2),))

    found = attribute(run_of(*attempt(NOT_FOUND, slow)))

    assert found is not None
    assert found.cause == "target"


def test_another_element_that_was_taken_says_that_the_target_changed() -> None:
    found = attribute(run_of(*attempt(NOT_FOUND, page()), healed(), recovered=True))

    assert found is not None
    assert (found.cause, found.rule) == ("target", "another_element_taken")


def test_so_does_one_that_was_folded_away() -> None:
    found = attribute(run_of(*attempt(NOT_FOUND, page()), recovered=True, tier="healed"))

    assert found is not None
    assert (found.cause, found.rule) == ("target", "another_element_taken")


def test_a_field_whose_column_is_called_otherwise_is_changed_data() -> None:
    columns = ("Name", "Our Last Contact", "Stage")
    named = {"role": "textbox", "name": "Last Contact"}

    found = attribute(run_of(*attempt("no element fits it", page(columns=columns), target=named), healed()))

    assert found is not None
    assert (found.cause, found.rule) == ("data", "column_changed")
    assert "Our Last Contact" in found.because


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ({"role": "textbox", "name": "Stage"}, {"role": "textbox", "name": "Our Stage"}, "data"),
        ({"role": "combobox", "name": "Stage"}, {"role": "textbox", "name": "Stage"}, "data"),
        ({"role": "textbox", "name": "Stage"}, {"role": "textbox", "name": "Phase"}, "target"),
        ({"role": "textbox", "name": "Stage"}, {"role": "textbox", "name": "Backstage"}, "target"),
        ({"role": "button", "name": "Save"}, {"role": "button", "name": "Save all"}, "target"),
    ],
)
def test_a_field_that_has_more_to_its_name_or_is_of_another_kind_is_changed_data(
    old: dict[str, str], new: dict[str, str], cause: str
) -> None:
    found = attribute(run_of(*attempt("no element fits it", page(), target=old), healed(old, new), recovered=True))

    assert found is not None
    assert found.cause == cause


@pytest.mark.parametrize("message", ["no element fits row", "2 elements fit row; say which one is meant"])
def test_an_element_named_by_what_was_read_before_is_data(message: str) -> None:
    row = {"css": "tr[data-id='order-20251102-A7']"}

    found = attribute(run_of(*attempt(message, page(), target=row), read=ORDER))

    assert found is not None
    assert found.cause == "data"
    assert "order-20251102-A7" in found.because


def test_what_the_run_was_given_is_not_data_that_it_read() -> None:
    found = attribute(run_of(*attempt(NOT_FOUND, page(), target={"text": EMAIL}), read={"to": EMAIL}))

    assert found is not None
    assert found.cause == "target"


def test_a_text_that_was_read_and_of_which_nothing_can_be_made_is_data() -> None:
    shown = VariableSet(step=1, name="at", value="Mon, Jun 31, 2025", source="page")
    failed = attempt("in \"at | date\": 'Mon, Jun 31, 2025' is not a date", error="TemplateFailed")

    found = attribute(run_of(shown, *failed))

    assert found is not None
    assert (found.cause, found.rule) == ("data", "value_unreadable")


@pytest.mark.parametrize("said", ["Cost centre is required", "Please fill in this field.", "Name can't be blank"])
def test_a_form_that_wants_more_is_missing_data(said: str) -> None:
    found = attribute(run_of(*attempt(UNSEEN, page(notices=("Order", said)), error="ExpectationFailed")))

    assert found is not None
    assert (found.cause, found.evidence[0].says) == ("data", said)


def test_what_came_between_and_was_dealt_with_is_a_target_that_was_covered() -> None:
    between = Interrupted(step=1, action=0, interruption="cookies", label="A banner", seen=("dialog is visible",))

    found = attribute(run_of(*attempt(UNSEEN, page(), error="ExpectationFailed"), between, recovered=True))

    assert found is not None
    assert (found.cause, found.rule) == ("target", "something_in_the_way")


def test_a_model_without_an_answer_is_told_by_its_error() -> None:
    silent = ModelFailed(step=1, error="AnswerUnusable", message="the answer is not JSON", duration_s=1)

    found = attribute(run_of(silent))

    assert found is not None
    assert found.cause == "model"


def test_a_run_that_was_begun_again_is_told_by_what_it_foundered_on() -> None:
    first = run_of(*attempt("https://shop.test/ cannot be reached", error="NetworkFailed"))[:-1]
    resumed = RunResumed(number=1, why="w", cause="network", node="save", done=0, waited_s=1)

    found = attribute(numbered([*first, resumed, finished("completed", "")]))

    assert found is not None
    assert found.cause == "network"


def test_the_evidence_names_events_and_the_picture() -> None:
    events = run_of(*attempt(NOT_FOUND, page(headings=("Sign in",))))

    found = attribute(events)

    assert found is not None
    seen = found.evidence[0]
    assert (events[seen.seq - 1].type, seen.picture) == ("page_seen", "screenshots/0001.jpg")
    assert "Sign in" in seen.says


def test_a_run_without_trouble_has_no_cause() -> None:
    done = StepFinished(step=1, node="save", condition="next", tier="exact", attempts=1, duration_s=1)

    assert attribute(numbered([started(), done, finished("completed", "")])) is None


@pytest.mark.parametrize(
    "judged", [Judgement(verdict=Verdict.PASSED, grade=Grade.CLEAN), Judgement(verdict=Verdict.BROKEN)]
)
def test_a_clean_pass_and_a_broken_trial_have_no_cause(judged: Judgement) -> None:
    assert attribute_trial(run_of(*attempt(COVERED)), judged) is None


@pytest.mark.parametrize(("by", "cause"), [("model", "model"), ("check", "procedure")])
def test_a_lie_without_trouble_comes_from_what_was_believed(by: Any, cause: str) -> None:
    decided = DecisionMade(step=1, branch="yes", by=by, evidence="e", question="Is it?")
    events = numbered([started(), decided, finished("completed", "")])

    found = attribute_trial(events, Judgement(verdict=Verdict.FAILED_SILENT))

    assert found is not None
    assert found.cause == cause


@pytest.mark.parametrize(
    ("shown", "cause"), [("2/6/2025, 9:14 AM", "data"), ("02.06.25", "data"), ("6/6/2025", "model")]
)
def test_a_date_of_two_readings_comes_before_what_a_model_said(shown: str, cause: str) -> None:
    judged = Judgement(verdict=Verdict.FAILED_SILENT)
    read = VariableSet(step=1, name="at", value=shown, source="page")
    decision = DecisionMade(step=1, branch="yes", by="model", evidence="e", question="Is it one?")

    found = attribute_trial(numbered([started(), read, decision, finished("completed", "")]), judged)

    assert found is not None
    assert found.cause == cause


def test_an_item_that_is_gone_when_the_run_begins_again_is_data() -> None:
    reason = 'what was to be done before the run began again is not listed any more: Each order: "A7"'
    end = RunFinished(status="failed", reason=reason, cause="data", steps=3, duration_s=1)

    found = attribute([end])

    assert found is not None
    assert (found.cause, found.rule) == ("data", "item_not_listed")
