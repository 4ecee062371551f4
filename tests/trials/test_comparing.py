"""Two logs of one trial: what may differ, and where they part."""

from __future__ import annotations

import pytest

from sopbench.events.types import ActionFailed, ActionFinished, Event, StepStarted
from sopbench.trials.comparing import compare

from .troubles import NOT_FOUND, attempt, load, numbered, page, run_of


def with_field(events: list[Event], kind: str, **changes: object) -> list[Event]:
    return [event.model_copy(update=changes) if event.type == kind else event for event in events]


def test_times_and_what_a_page_shows_of_a_moment_do_not_count() -> None:
    one = run_of(*attempt(NOT_FOUND, page(text="Loading")))
    other = run_of(*attempt(NOT_FOUND, page(text="Loaded", troubles=(load("answered late", 200, 3),))))
    other = with_field(with_field(other, "action_failed", duration_s=7.5), "step_failed", at="2026-01-01")

    compared = compare(one, other)

    assert compared.difference is None
    assert compared.same == compared.events == len(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://127.0.0.1:4711/ is down", "http://127.0.0.1:5000/ is down"),
        ("it took 5.2 s", "it took 4 s"),
        ("no file /tmp/a1/x.csv", "no file /tmp/b2/x.csv"),
    ],
)
def test_ports_lengths_of_time_and_passing_folders_do_not_count_within_texts(one: str, other: str) -> None:
    assert compare(run_of(*attempt(one)), run_of(*attempt(other))).difference is None


def test_the_first_event_that_differs_is_shown_with_its_fields() -> None:
    one, other = run_of(*attempt("no element fits A")), run_of(*attempt("no element fits B"))

    difference = compare(one, other).difference

    assert difference is not None
    assert difference.fields == ("message",)
    assert difference.one is not None
    assert (difference.one["seq"], difference.one["message"]) == (4, "no element fits A")


def test_another_kind_of_event_is_a_difference_as_a_whole() -> None:
    done = ActionFinished(step=1, action=0, duration_s=1)
    failed = ActionFailed(step=1, action=0, duration_s=1, error="E", message="m", performed=None)

    difference = compare([done], [failed]).difference

    assert difference is not None
    assert difference.fields == ()


def test_a_log_that_ends_sooner_is_a_difference() -> None:
    one = numbered(StepStarted(step=number, node="n", kind="task", label="l") for number in (1, 2))

    compared = compare(one, one[:1])

    assert compared.same == 1
    assert compared.difference is not None
    assert compared.difference.other is None
