"""The sequential test: its errors hold exactly, it takes few trials, and what it walks is what was designed."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from sopbench.reliability.fixed_designs import fixed_design, trials_to_bound
from sopbench.reliability.sequential import LONGEST, Design, sequential_design, walk

POLICIES = [(0.99, 0.95, 0.05, 0.05), (0.9, 0.5, 0.05, 0.05), (0.95, 0.9, 0.1, 0.05), (0.99, 0.95, 0.01, 0.1)]


@pytest.mark.parametrize(("p0", "p1", "alpha", "beta"), POLICIES)
def test_the_exact_errors_are_at_most_the_stated_ones(p0: float, p1: float, alpha: float, beta: float) -> None:
    design = sequential_design(p0, p1, alpha, beta)

    assert 1 - design.characteristic(p0).passes <= alpha
    assert design.characteristic(p1).passes <= beta


@pytest.mark.parametrize(("p0", "p1", "alpha", "beta"), POLICIES)
def test_it_never_takes_longer_than_it_says(p0: float, p1: float, alpha: float, beta: float) -> None:
    design = sequential_design(p0, p1, alpha, beta)

    assert design.most_trials <= LONGEST * fixed_design(p0, p1, alpha, beta).trials
    assert design.fail_at[-1] == design.pass_at[-1] + 1


def test_for_99_against_95_percent_it_takes_fewer_trials_than_was_asked() -> None:
    design = sequential_design(0.99, 0.95)

    assert fixed_design(0.99, 0.95).trials == 181
    assert design.characteristic(0.99).expected_trials <= 110
    assert design.characteristic(0.97).expected_trials <= 117
    assert design.characteristic(0.95).expected_trials <= 68


def test_the_better_the_rate_the_likelier_it_passes() -> None:
    design = sequential_design(0.99, 0.95)

    passes = [design.characteristic(rate).passes for rate in np.linspace(0.9, 1, 41)]

    assert all(before <= after for before, after in itertools.pairwise(passes))
    assert passes[-1] == pytest.approx(1)


@pytest.mark.parametrize("rate", [0.2, 0.55, 0.9])
def test_the_characteristic_is_that_of_all_paths_counted_one_by_one(rate: float) -> None:
    design = sequential_design(0.9, 0.3, 0.1, 0.1)
    passes = trials = 0.0
    for path in itertools.product([True, False], repeat=design.most_trials):
        chance = rate ** sum(path) * (1 - rate) ** (len(path) - sum(path))
        progress = walk(design, path)
        passes += chance * (progress.outcome == "pass")
        trials += chance * progress.trials

    characteristic = design.characteristic(rate)

    assert 3 < design.most_trials < 16
    assert characteristic.passes == pytest.approx(passes, abs=1e-12)
    assert characteristic.expected_trials == pytest.approx(trials, abs=1e-12)


def test_what_is_still_expected_agrees_with_simulated_trials() -> None:
    design, rng = sequential_design(0.99, 0.95), np.random.default_rng(6)
    start = [True] * 30 + [False]
    more = [walk(design, start + list(row)).trials - len(start) for row in rng.random((4_000, 271)) < 0.97]

    expected = design.expected_more(31, 1, np.array([0.97]))

    assert expected == pytest.approx(np.mean(more), abs=4 * np.std(more) / np.sqrt(len(more)))


def test_trials_after_the_decision_change_nothing() -> None:
    design = sequential_design(0.99, 0.95)
    enough = [True] * design.fewest_to_pass

    progress = walk(design, enough + [False] * 50)

    assert (progress.outcome, progress.trials, progress.failures) == ("pass", design.fewest_to_pass, 0)


def test_one_trial_fewer_than_it_takes_is_undecided() -> None:
    design = sequential_design(0.99, 0.95)

    assert walk(design, [True] * (design.fewest_to_pass - 1)).outcome == "undecided"
    assert walk(design, []).trials == 0


def test_cutting_walds_test_off_without_a_search_would_break_the_stated_errors() -> None:
    wald = 2.9444 / (np.log(5) + np.log(0.99 / 0.95))
    slope = np.log(0.99 / 0.95) / (np.log(5) + np.log(0.99 / 0.95))
    n = np.arange(1, 201)
    fail_at, pass_at = np.ceil(slope * n + wald), np.floor(slope * n - wald)
    fail_at[-1], pass_at[-1] = 6, 5
    plain = Design(0.99, 0.95, 0.05, 0.05, tuple(map(int, pass_at)), tuple(map(int, fail_at)))

    errors = 1 - plain.characteristic(0.99).passes, plain.characteristic(0.95).passes

    assert max(errors) > 0.05


@pytest.mark.parametrize(
    ("p0", "p1", "trials", "failures"), [(0.99, 0.95, 181, 4), (0.95, 0.9, 298, 21), (0.9, 0.5, 13, 3)]
)
def test_no_smaller_fixed_design_keeps_the_errors(p0: float, p1: float, trials: int, failures: int) -> None:
    design = fixed_design(p0, p1)

    assert (design.trials, design.most_failures) == (trials, failures)


@pytest.mark.parametrize(("at_most", "trials"), [(0, 59), (1, 93), (2, 124), (3, 153)])
def test_trials_that_bound_a_rate_are_the_published_ones(at_most: int, trials: int) -> None:
    assert trials_to_bound(at_most, below=0.05, beta=0.05) == trials


@pytest.mark.parametrize(
    ("p0", "p1", "alpha", "complaint"),
    [
        (0.95, 0.99, 0.05, "0 < p1 < p0 < 1"),
        (1.0, 0.99, 0.05, "0 < p1 < p0 < 1"),
        (0.99, 0.95, 0.5, "alpha must be between 0 and 0.5, got 0.5"),
        (0.99, 0.9899, 0.05, "too close: it takes more than 20,000 trials"),
    ],
)
def test_a_test_that_cannot_be_is_refused(p0: float, p1: float, alpha: float, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        sequential_design(p0, p1, alpha)
