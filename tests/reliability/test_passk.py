"""pass^k and its error: against counting by hand, against simulation, and what is refused."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from sopbench.reliability.passk import pass_k, pass_k_of_cases, pass_k_of_one


@pytest.mark.parametrize(("passed", "trials", "k"), [(3, 5, 2), (5, 5, 3), (1, 6, 2), (0, 4, 1), (7, 8, 8)])
def test_it_is_the_share_of_choices_in_which_all_pass(passed: int, trials: int, k: int) -> None:
    results = [True] * passed + [False] * (trials - passed)
    choices = [all(choice) for choice in combinations(results, k)]

    value = pass_k(passed, trials, k)

    assert value == pytest.approx(sum(choices) / len(choices))


def test_its_mean_and_error_are_those_of_simulated_trials() -> None:
    counts = np.random.default_rng(3).binomial(30, 0.9, 20_000)
    estimates = [pass_k_of_one(int(count), 30, 4) for count in counts]
    values = np.array([estimate.value for estimate in estimates])
    errors = np.array([estimate.error for estimate in estimates], dtype=np.float64)

    mean, variance = values.mean(), (errors**2).mean()

    assert mean == pytest.approx(0.9**4, abs=4 * values.std() / np.sqrt(len(values)))
    assert variance == pytest.approx(values.var(), rel=0.05)


def test_the_interval_holds_at_least_as_often_as_it_says() -> None:
    counts = np.random.default_rng(4).binomial(40, 0.97, 5_000)

    estimates = [pass_k_of_one(int(count), 40, 8) for count in counts]

    assert np.mean([each.low <= 0.97**8 <= each.high for each in estimates]) >= 0.95


def test_twenty_of_twenty_do_not_make_ten_days_in_a_row_sure() -> None:
    estimate = pass_k_of_one(20, 20, 10)

    assert estimate.value == 1
    assert estimate.error == 0
    assert estimate.low == pytest.approx(0.1581, abs=1e-4)


def test_too_few_trials_for_an_error_say_so() -> None:
    assert pass_k_of_one(9, 10, 6).error is None


def test_over_cases_it_is_their_mean_with_the_error_between_them() -> None:
    estimate = pass_k_of_cases([(4, 4), (2, 4), (4, 4), (3, 4)], k=2)

    values = [1, 1 / 6, 1, 1 / 2]
    assert estimate.value == pytest.approx(np.mean(values))
    assert estimate.error == pytest.approx(np.std(values, ddof=1) / 2)


def test_one_case_says_nothing_of_others() -> None:
    estimate = pass_k_of_cases([(9, 10)], k=2)

    assert (estimate.error, estimate.low, estimate.high) == (None, 0, 1)


@pytest.mark.parametrize(
    ("passed", "trials", "k", "complaint"),
    [
        (2, 2, 3, r"pass\^3 needs at least 3 trials, got 2"),
        (3, 2, 1, "passed must be from 0 to 2, got 3"),
        (2, 2, 0, "k must be at least 1, got 0"),
    ],
)
def test_what_is_undefined_is_refused(passed: int, trials: int, k: int, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        pass_k(passed, trials, k)


def test_no_case_has_no_mean() -> None:
    with pytest.raises(ValueError, match="cases must be at least 1"):
        pass_k_of_cases([], k=1)
