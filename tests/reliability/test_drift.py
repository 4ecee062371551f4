"""The site or the model: named only where the trials tell them apart."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.proportion import confint_proportions_2indep  # type: ignore[import-untyped]

from sopbench.reliability.comparison import Counts
from sopbench.reliability.drift import change_interval, drift

FROZEN, MODEL, SITE, LIVE = (False, False), (False, True), (True, False), (True, True)
GOOD, BAD = Counts(198, 200), Counts(150, 200)


def test_the_model_is_named_when_only_trials_with_live_decisions_fell() -> None:
    found = drift({FROZEN: GOOD, MODEL: GOOD, SITE: GOOD}, {FROZEN: GOOD, MODEL: BAD, SITE: GOOD})

    assert found.moved == ("model",)
    assert found.sentence.startswith("The model moved, and the site did not.")


def test_the_site_is_named_when_only_trials_on_the_live_site_fell() -> None:
    found = drift({FROZEN: GOOD, MODEL: GOOD, SITE: GOOD}, {FROZEN: GOOD, MODEL: GOOD, SITE: BAD})

    assert found.moved == ("site",)


def test_both_are_named_when_both_fell() -> None:
    found = drift({MODEL: GOOD, SITE: GOOD}, {MODEL: BAD, SITE: BAD})

    assert set(found.moved) == {"site", "model"}


def test_a_rate_that_rose_moved_too() -> None:
    assert drift({MODEL: BAD, SITE: GOOD}, {MODEL: GOOD, SITE: GOOD}).moved == ("model",)


def test_nothing_is_named_when_what_is_frozen_moved_by_itself() -> None:
    found = drift({FROZEN: GOOD, MODEL: GOOD, SITE: GOOD}, {FROZEN: BAD, MODEL: BAD, SITE: BAD})

    assert found.moved == ("procedure",)
    assert "nothing can be said of the site or the model" in found.sentence


def test_too_few_trials_cannot_tell() -> None:
    few = {MODEL: Counts(5, 5), SITE: Counts(5, 5)}

    found = drift(few, {MODEL: Counts(4, 5), SITE: Counts(3, 5)})

    assert found.moved == ()
    assert {each.answer for each in found.compared} == {"cannot tell"}
    assert found.sentence.startswith("It cannot be told whether the model or the site moved.")


def test_trials_in_which_both_were_live_name_nothing() -> None:
    found = drift({LIVE: GOOD}, {LIVE: BAD})

    assert found.moved == ()
    assert "Only the site live: no trials before and after" in found.sentence


def test_of_what_was_not_tried_it_cannot_be_told() -> None:
    found = drift({MODEL: GOOD, SITE: GOOD}, {MODEL: BAD})

    assert found.sentence.startswith("The model moved; of the site it cannot be told.")


def test_enough_trials_without_a_change_say_that_neither_moved() -> None:
    same = {FROZEN: Counts(990, 1000), MODEL: Counts(985, 1000), SITE: Counts(970, 1000)}

    assert drift(same, same).sentence.startswith("Neither the site nor the model moved.")


@pytest.mark.parametrize(("before", "after"), [((56, 70), (48, 80)), ((9, 10), (3, 10)), ((10, 10), (0, 20))])
def test_the_interval_of_a_change_is_newcombes(before: tuple[int, int], after: tuple[int, int]) -> None:
    reference = confint_proportions_2indep(*after, *before, method="newcomb", compare="diff", alpha=0.05)

    assert change_interval(Counts(*before), Counts(*after)) == pytest.approx(reference, abs=1e-12)


def test_if_nothing_moved_something_is_named_no_more_often_than_stated() -> None:
    draws = np.random.default_rng(7)
    arms = FROZEN, MODEL, SITE
    named = 0
    for _ in range(400):
        rate = draws.uniform(0.7, 0.99)
        before, after = ({arm: Counts(int(draws.binomial(80, rate)), 80) for arm in arms} for _ in range(2))
        named += bool(drift(before, after).moved)

    assert named / 400 <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


def test_a_large_fall_of_one_is_named_nearly_always() -> None:
    draws = np.random.default_rng(8)
    right = 0
    for _ in range(200):
        before = {arm: Counts(int(draws.binomial(100, 0.97)), 100) for arm in (FROZEN, MODEL, SITE)}
        after = before | {SITE: Counts(int(draws.binomial(100, 0.7)), 100)}
        right += drift(before, after).moved == ("site",)

    assert right / 200 >= 0.97


def test_shares_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="alpha must be between 0 and 1"):
        drift({}, {}, alpha=0)
    with pytest.raises(ValueError, match="margin must be between 0 and 1"):
        drift({}, {}, margin=1.5)
