"""The simulation of the gate, smaller and with a fixed seed: the promised errors hold, and the naive gate's do not."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from benchmarks.gate import measured


@functools.cache
def figures() -> dict[str, Any]:
    return measured(number=4_000, repetitions=200, nights=150, seed=1)


@pytest.mark.parametrize("policy", range(3))
def test_the_gate_errs_no_more_often_than_stated(policy: int) -> None:
    played = figures()["policies"][policy]

    assert played["false_fail_at_p0"] <= played["alpha"] + played["three_standard_errors"]
    assert played["false_pass_at_p1"] <= played["beta"] + played["three_standard_errors"]


@pytest.mark.parametrize("policy", range(3))
def test_what_was_played_agrees_with_what_was_computed(policy: int) -> None:
    for point in figures()["policies"][policy]["points"]:
        own = point["sequential"]

        assert own["passes"] == pytest.approx(own["passes_exact"], abs=0.032)
        assert own["trials"] == pytest.approx(own["trials_exact"], rel=0.06)


def test_it_takes_fewer_trials_than_a_fixed_number() -> None:
    played = figures()["policies"][0]

    assert played["fixed_trials"] == 181
    assert played["trials_at_p0"] <= 115
    assert played["trials_at_p1"] <= 80


def test_the_naive_gate_passes_most_of_what_is_bad() -> None:
    bad = next(point for point in figures()["policies"][0]["points"] if point["rate"] == 0.95)

    assert bad["naive_passes"] > 0.7
    assert bad["sequential"]["passes"] < 0.07


def test_steady_nights_hardly_ever_alarm_and_falls_are_seen() -> None:
    nightly = figures()["nightly"]

    for steady in nightly["steady"]:
        assert max(steady["accepted_alarms"], steady["before_alarms"], steady["sequence_misses"]) <= 0.05
    assert {fall["to"]: fall["accepted_nights"]["seen"] for fall in nightly["falls"]}[0.8] == 1
