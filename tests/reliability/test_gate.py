"""The gate's answers: pass, fail, undecided; in words; and never a number where there is nothing to count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sopbench.reliability.answers import Answer, ClaimAnswer, percent
from sopbench.reliability.gate import decide
from sopbench.reliability.policy import Claims, Policy
from sopbench.reliability.sequential import sequential_design, walk
from sopbench.reliability.tallies import Baseline, Row, Tally, VerdictName


def tally(*verdicts: VerdictName, condition: str = "clean", baseline: Baseline | None = None, **row: Any) -> Tally:
    rows = tuple(
        Row(run=f"{condition}-{number}", verdict=verdict, clean=verdict == "passed", seed=number, **row)
        for number, verdict in enumerate(verdicts)
    )
    return Tally("shop", condition, "shop", rows, baseline)


def policy(**claims: Any) -> Policy:
    return Policy.model_validate({"claims": [{"scenario": "shop", **claims}]})


def answered(answer: Answer, claim: str) -> ClaimAnswer:
    return next(each for each in answer.claims if each.claim == claim)


RELIABLE = policy(reliability={})
PASSED: VerdictName = "passed"
SAFE: VerdictName = "failed_safe"
SILENT: VerdictName = "failed_silent"
BROKEN: VerdictName = "broken"


def test_73_good_trials_pass_and_72_do_not() -> None:
    passes, undecided = decide(RELIABLE, [tally(*[PASSED] * 73)]), decide(RELIABLE, [tally(*[PASSED] * 72)])

    assert (passes.outcome, passes.exit_code, passes.more_trials) == ("pass", 0, 0)
    assert passes.text == (
        "The gate passes: every claim holds. shop under clean: 73 of 73 trials passed: enough for 99 %, against 95 %."
        " By its policy, a good one fails it in at most 5 % of gates and a bad one passes it in at most 5 %."
    )
    assert (undecided.outcome, undecided.exit_code) == ("undecided", 2)
    assert undecided.more_trials is not None
    assert 1 <= undecided.more_trials < 40


def test_early_failures_fail_at_once() -> None:
    answer = decide(RELIABLE, [tally(*[PASSED] * 9, "failed_safe", "failed_silent")])

    assert (answer.outcome, answer.exit_code) == ("fail", 1)
    assert "9 of 11 trials passed: too few for 99 %" in answer.text
    assert answered(answer, "reliability").numbers["rate"] == 9 / 11


def test_zero_trials_are_undecided_and_have_no_rate() -> None:
    everything = policy(reliability={}, silent={}, harmful={}, duration={"p95_s": 9}, cost={"median_usd": 1})
    for tallies in ([], [tally()], [tally("passed", condition="slow")]):
        answer = decide(everything, tallies)

        assert answer.outcome == "undecided"
        assert "no trial was run" in answer.text
        assert answer.more_trials == pytest.approx(109.3, abs=0.1)
        assert not any({"rate", "share", "low"} & claim.numbers.keys() for claim in answer.claims)


def test_broken_trials_are_left_out_and_said() -> None:
    answer = decide(RELIABLE, [tally(*[PASSED] * 50, "broken", *[PASSED] * 23)])

    assert answer.outcome == "pass"
    assert "1 of 74 trials broke and is left out" in answer.text
    assert answered(answer, "reliability").numbers["trials"] == 73


def test_too_many_broken_trials_pass_nothing_but_still_fail() -> None:
    good = decide(RELIABLE, [tally(*[PASSED] * 80, *[BROKEN] * 8)])
    bad = decide(RELIABLE, [tally(*[SAFE] * 5, *[BROKEN] * 8)])

    assert (good.outcome, bad.outcome) == ("undecided", "fail")
    assert "more than the 5 % past which nothing can pass" in good.text
    assert good.more_trials == pytest.approx(72)


def test_only_broken_trials_say_nothing() -> None:
    answer = decide(RELIABLE, [tally("broken", "broken")])

    assert answer.outcome == "undecided"
    assert "no trial gave evidence" in answer.text
    assert "rate" not in answered(answer, "reliability").numbers


@pytest.mark.parametrize(
    ("verdicts", "outcome"),
    [([PASSED] * 59, "pass"), ([PASSED] * 58, "undecided"), ([PASSED] * 900 + [SILENT], "fail")],
)
def test_no_silent_failure_is_shown_by_59_trials_and_undone_by_one(verdicts: list[VerdictName], outcome: str) -> None:
    assert decide(policy(silent={}), [tally(*verdicts)]).outcome == outcome


def test_harmful_failures_are_counted_apart_from_silent_ones() -> None:
    answer = decide(policy(silent={}, harmful={"at_most": 1}), [tally("failed_harmful", *[PASSED] * 92)])

    assert answer.outcome == "pass"
    assert "1 harmful failure in 93 trials" in answer.text


def test_passed_clean_is_asked_for_by_itself() -> None:
    rows = tuple(Row(run=str(number), verdict="passed", clean=number % 2 == 0) for number in range(80))

    recovered = Tally("shop", "clean", "shop", rows)

    assert decide(RELIABLE, [recovered]).outcome == "pass"
    assert decide(policy(reliability={"of": "passed_clean"}), [recovered]).outcome == "fail"


def test_trials_of_one_unit_count_once_and_pass_only_together() -> None:
    same = tuple(Row(run=str(number), verdict="passed", unit=f"seed {number % 3}") for number in range(90))
    one_bad = (*same, Row(run="90", verdict="failed_safe", unit="seed 0"))

    counts = [
        answered(decide(RELIABLE, [Tally("shop", "clean", "shop", rows)]), "reliability").numbers
        for rows in (same, one_bad)
    ]

    assert [(each["trials"], each["good"]) for each in counts] == [(3, 3), (3, 2)]


def test_a_pass_that_later_trials_contradict_is_withdrawn() -> None:
    answer = decide(RELIABLE, [tally(*[PASSED] * 73, *[SAFE] * 30)])

    assert (answer.outcome, answer.more_trials) == ("undecided", None)
    assert "73 of the first 73 trials passed, 73 of all 103: the rate changed on the way" in answer.text


def test_a_decision_is_told_by_the_trials_that_made_it() -> None:
    answer = decide(RELIABLE, [tally(*[SAFE] * 3, *[PASSED] * 200)])

    assert answer.outcome == "fail"
    assert "0 of the first 2 trials passed, 200 of all 203: too few" in answer.text


def test_ceilings_ask_about_trials_that_passed() -> None:
    claims = policy(duration={"p95_s": 20, "median_s": 10}, cost={"p95_usd": 0.1})
    quick = tally(*[PASSED] * 73, *[SAFE] * 20, duration_s=9, cost_usd=0.02)
    slow = tally(*[PASSED] * 73, duration_s=21, cost_usd=0.02)

    assert decide(claims, [quick]).outcome == "pass"
    assert answered(decide(claims, [slow]), "duration p95").outcome == "fail"
    assert answered(decide(claims, [slow]), "cost p95").outcome == "pass"


def test_a_cost_that_is_not_known_is_not_taken_for_nothing() -> None:
    answer = decide(policy(cost={"p95_usd": 0.1}), [tally(*[PASSED] * 80)])

    assert (answer.outcome, answer.more_trials) == ("undecided", None)
    assert "the cost of 80 trials that passed is not known" in answer.text


def test_the_whole_fails_if_any_claim_fails_and_passes_only_if_all_pass() -> None:
    both = Policy(
        claims=(
            Claims.model_validate({"scenario": "shop", "silent": {}}),
            Claims.model_validate({"scenario": "shop", "condition": "slow", "silent": {}}),
        )
    )
    good, few, bad = tally(*[PASSED] * 59), tally("passed", condition="slow"), tally("failed_silent", condition="slow")

    assert decide(both, [good, few]).outcome == "undecided"
    assert decide(both, [good, few]).more_trials == 58
    assert decide(both, [good, bad]).outcome == "fail"


def test_the_gate_decides_where_its_test_does_for_any_trials() -> None:
    design = sequential_design(0.99, 0.95)
    for row in np.random.default_rng(11).random((40, 150)) < 0.96:
        verdicts: list[VerdictName] = ["passed" if good else "failed_safe" for good in row]
        progress = walk(design, row.tolist())

        answer = answered(decide(RELIABLE, [tally(*verdicts[: progress.trials])]), "reliability")
        before = answered(decide(RELIABLE, [tally(*verdicts[: progress.trials - 1])]), "reliability")

        assert answer.outcome == progress.outcome
        assert before.outcome == "undecided"


def test_two_runs_with_one_name_are_refused() -> None:
    row = Row(run="a", verdict="passed")

    with pytest.raises(ValueError, match="shop under clean: 2 runs are called 'a'"):
        Tally("shop", "clean", "shop", (row, row))
    with pytest.raises(ValueError, match="run 'a' is in 2 tallies"):
        decide(RELIABLE, [Tally("shop", "clean", "shop", (row,)), Tally("shop", "slow", "shop", (row,))])
    with pytest.raises(ValueError, match="shop under clean is tallied 2 times"):
        decide(RELIABLE, [tally(), tally()])


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"verdict": "green"}, "run a: no verdict is called 'green'"),
        ({"verdict": "broken", "clean": True}, "only what passed is clean"),
        ({"verdict": "passed", "duration_s": float("nan")}, "duration must be at least 0 s"),
        ({"verdict": "passed", "cost_usd": -1}, r"cost must be at least \$0"),
    ],
)
def test_a_row_that_cannot_be_is_refused(row: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Row(run="a", **row)


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (0.99, "99 %"),
        (0.9996, "99.96 %"),
        (0.05, "5 %"),
        (1 / 3, "33.3 %"),
        (0.0001, "0.01 %"),
    ],
)
def test_a_share_is_shown_as_exactly_as_it_takes(share: float, shown: str) -> None:
    assert percent(share) == shown
