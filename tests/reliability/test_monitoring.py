"""Nightly monitors: few false alarms over all nights together, falls are seen, the simulation plays the same."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.gate import TRIALS_A_NIGHT, accepted_alarms, before_alarms
from sopbench.reliability.monitoring import Alarm, Night, accepted_from, worse_than_accepted, worse_than_before


def nights(*passed: int, of: int = TRIALS_A_NIGHT) -> list[Night]:
    return [Night(number, of - number) for number in passed]


@pytest.mark.parametrize("rate", [0.9, 0.99])
def test_over_300_steady_nights_false_alarms_stay_under_5_percent(rate: float) -> None:
    steady, rng = np.full(300, rate), np.random.default_rng(9)

    against_accepted = (accepted_alarms(steady, rate, 400, rng) > 0).mean()
    against_before = (before_alarms(steady, 400, rng) > 0).mean()

    assert against_accepted <= 0.05
    assert against_before <= 0.05


def test_the_simulation_plays_what_the_monitors_do() -> None:
    rates = np.repeat([0.99, 0.85], [20, 40])
    drawn = [np.random.default_rng(seed).binomial(TRIALS_A_NIGHT, rates) for seed in range(5)]

    for seed, passed in enumerate(drawn):
        accepted = worse_than_accepted(nights(*passed.tolist()), 0.99, horizon=60)
        before = worse_than_before(nights(*passed.tolist()), horizon=60)

        assert accepted is not None
        assert [accepted.night] == accepted_alarms(rates, 0.99, 1, np.random.default_rng(seed)).tolist()
        assert [before.night if before else 0] == before_alarms(rates, 1, np.random.default_rng(seed)).tolist()


def test_a_night_on_which_half_fails_is_seen_the_next_morning_and_dated() -> None:
    history = nights(*[20] * 300, 10)

    accepted, before = worse_than_accepted(history, 0.99), worse_than_before(history)

    assert accepted is not None
    assert before is not None
    assert (accepted.night, accepted.since) == (301, 301)
    assert (before.night, before.since) == (301, 301)
    assert min(accepted.evidence, before.evidence) >= 20


def test_a_small_fall_is_seen_after_some_nights_and_dated_to_its_beginning() -> None:
    alarm = worse_than_accepted(nights(*[20] * 50, 18, 19, 17, 18, 19, 17, 18, 18), 0.99)

    assert alarm is not None
    assert 51 <= alarm.since <= 53
    assert alarm.since < alarm.night <= 58


def test_getting_better_is_no_alarm() -> None:
    better = nights(*[10] * 50, *[20] * 50)

    assert worse_than_before(better) is None
    assert worse_than_accepted(better, 0.4) is None


def test_a_night_without_evidence_changes_nothing() -> None:
    history = nights(*[20] * 30, 12)

    with_gap = [*history[:30], Night(0, 0), history[30]]

    assert worse_than_before(history[:30]) is None
    assert worse_than_before([*history[:30], Night(0, 0)]) is None
    assert worse_than_accepted(with_gap, 0.99) is not None


def test_even_a_night_beyond_all_measure_gives_a_number() -> None:
    alarm = worse_than_accepted(nights(0, of=5_000), 0.99)

    assert isinstance(alarm, Alarm)
    assert math.isfinite(alarm.evidence)


def test_a_measured_baseline_is_monitored_by_its_lower_bound() -> None:
    assert accepted_from(299, 300, 0.025) == pytest.approx(0.98157, abs=1e-4)
    with pytest.raises(ValueError, match="none of 5 trials passed cannot be fallen below"):
        accepted_from(0, 5, 0.025)


def test_what_the_bound_was_not_made_for_is_refused() -> None:
    with pytest.raises(ValueError, match="the bound is for 2 nights, got 3"):
        worse_than_before(nights(20, 20, 20), horizon=2)
    with pytest.raises(ValueError, match="night 2: counts must be at least 0"):
        worse_than_accepted([Night(1, 0), Night(-1, 0)], 0.9)
    with pytest.raises(ValueError, match="accepted must be between 0 and 1, got 1"):
        worse_than_accepted(nights(20), 1)
