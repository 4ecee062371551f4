"""Not worse than the baseline: by counts, by seed, and what cannot be compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sopbench.reliability.answers import Outcome
from sopbench.reliability.baseline_claim import not_worse
from sopbench.reliability.comparison import Counts
from sopbench.reliability.policy import NotWorse
from sopbench.reliability.power import trials_for_drop
from sopbench.reliability.tallies import Baseline, Row, Tally

CLAIM = NotWorse(drop=0.05)
SEEDED = Baseline("shop", passed=200, trials=200, seeds=dict.fromkeys(range(200), True))


def tally(passed: list[bool], baseline: Baseline | None, sop: str = "shop") -> Tally:
    rows = tuple(
        Row(run=str(number), verdict="passed" if good else "failed_safe", seed=number)
        for number, good in enumerate(passed)
    )
    return Tally("shop", "clean", sop, rows, baseline)


def test_it_passes_once_no_further_trial_could_make_it_worse() -> None:
    baseline, planned = Baseline("shop", 300, 300), trials_for_drop(Counts(300, 300), 0.05)
    assert planned is not None

    whole = not_worse(CLAIM, tally([True] * planned, baseline), 1)
    half = not_worse(CLAIM, tally([True] * (planned // 2), baseline), 1)

    assert (whole.outcome, whole.more_trials) == ("pass", 0)
    assert (half.outcome, half.more_trials) == ("undecided", planned - planned // 2)


def test_it_fails_as_soon_as_enough_failed() -> None:
    answer = not_worse(CLAIM, tally([False] * 5 + [True] * 3, Baseline("shop", 300, 300)), 1)

    assert answer.outcome == "fail"
    assert "3 of 8 trials passed, against the baseline's 300 of 300: worse" in answer.sentence


def test_trials_beyond_the_plan_are_not_looked_at() -> None:
    planned = trials_for_drop(Counts(300, 300), 0.05)
    assert planned is not None

    answer = not_worse(CLAIM, tally([True] * planned + [False] * 50, Baseline("shop", 300, 300)), 1)

    assert (answer.outcome, answer.numbers["trials"]) == ("pass", planned)


@pytest.mark.parametrize(("rate", "most"), [(0.97, {"fail": 0.05}), (0.92, {"pass": 0.05})])
def test_simulated_comparisons_err_no_more_often_than_stated(rate: float, most: dict[Outcome, float]) -> None:
    rng = np.random.default_rng(12)
    outcomes = []
    for _ in range(200):
        passed = int(rng.binomial(300, 0.97)) if "fail" in most else 291
        trials = (rng.random(250) < rate).tolist()
        outcomes.append(not_worse(CLAIM, tally(trials, Baseline("shop", passed, 300)), 1).outcome)

    for outcome, share in most.items():
        assert outcomes.count(outcome) / len(outcomes) <= share + 3 * np.sqrt(share * (1 - share) / 200)


def test_by_seed_it_waits_for_all_seeds_of_the_baseline() -> None:
    claim = NotWorse(drop=0.05, paired=True)

    early = not_worse(claim, tally([True] * 150, SEEDED), 1)
    done = not_worse(claim, tally([True] * 197 + [False] * 3, SEEDED), 1)
    worse = not_worse(claim, tally([True] * 190 + [False] * 10, SEEDED), 1)

    assert (early.outcome, early.more_trials) == ("undecided", 50)
    assert (done.outcome, worse.outcome) == ("pass", "fail")
    assert "of 200 seeds 10 turned worse, 0 better: worse than the baseline" in worse.sentence


def test_seeds_without_a_partner_are_left_out_and_said() -> None:
    answer = not_worse(NotWorse(paired=True), tally([True] * 210, SEEDED), 1)

    assert answer.outcome == "pass"
    assert "(10 seeds without a partner left out)" in answer.sentence


@pytest.mark.parametrize(
    ("baseline", "sop", "claim", "said"),
    [
        (None, "shop", {}, "there is no accepted baseline"),
        (Baseline("bank", 300, 300), "shop", {}, "the baseline is of 'bank', these trials are of 'shop'"),
        (Baseline("shop", 0, 0), "shop", {}, "the baseline has no trials"),
        (Baseline("shop", 20, 20), "shop", {}, "20 of 20 are too few to tell a fall by 5 %: accept a"),
        (Baseline("shop", 1, 100), "shop", {}, "1 of 100 cannot fall by 5 %"),
        (
            Baseline("shop", 300, 300),
            "shop",
            {"paired": True},
            "the baseline has no seeds: to tell a fall by",
        ),
    ],
)
def test_what_cannot_be_compared_is_undecided_and_stays_so(
    baseline: Baseline | None, sop: str, claim: dict[str, Any], said: str
) -> None:
    answer = not_worse(NotWorse(**claim), tally([True] * 300, baseline, sop), 1)

    assert (answer.outcome, answer.more_trials) == ("undecided", None)
    assert said in answer.sentence
    assert "rate" not in answer.numbers


def test_a_baseline_whose_counts_do_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="baseline of shop: counts do not fit together"):
        Baseline("shop", passed=5, trials=4)
