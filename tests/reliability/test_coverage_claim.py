"""A claim that nothing was left untried: passed, or not yet; never failed, and never guessed."""

from __future__ import annotations

import pytest

from sopbench.errors import PolicyInvalid
from sopbench.reliability.gate import decide
from sopbench.reliability.policy import Policy
from sopbench.reliability.policy_file import parse_policy
from sopbench.reliability.tallies import Row, Tally, WayTally

POLICY = Policy.model_validate({"claims": [{"scenario": "shop", "coverage": {}}]})
TRIED = (WayTally("node", "open", 3), WayTally("branch", "open → yes", 2), WayTally("tier", "healed", 0))


def tally(*ways: WayTally) -> Tally:
    return Tally("shop", "clean", "shop", (Row("one", "passed"),), ways=ways)


def test_it_passes_when_every_way_of_its_kinds_was_taken() -> None:
    answer = decide(POLICY, [tally(*TRIED)])

    assert (answer.outcome, answer.more_trials) == ("pass", 0)
    assert "every way (node, branch) was taken, 2 in all" in answer.text


def test_a_branch_that_was_never_taken_is_named_and_no_number_of_trials_is_promised() -> None:
    answer = decide(POLICY, [tally(*TRIED, WayTally("branch", "open → no", 0))])

    assert (answer.outcome, answer.exit_code, answer.more_trials) == ("undecided", 2, None)
    assert "1 of 3 ways (node, branch) never taken: branch open → no" in answer.text


def test_it_may_ask_for_more_trials_of_each_and_for_other_kinds() -> None:
    claims = {"scenario": "shop", "coverage": {"of": ["branch", "tier"], "trials": 3}}

    answer = decide(Policy.model_validate({"claims": [claims]}), [tally(*TRIED)])

    assert "2 of 2 ways (branch, tier) taken by fewer than 3 trials: branch open → yes, tier healed" in answer.text


def test_without_trials_or_logs_nothing_is_said_of_ways() -> None:
    unknown = Tally("shop", "clean", "shop", (Row("one", "passed"),))

    assert "cannot be told" in decide(POLICY, [unknown]).text
    assert "no trial was run" in decide(POLICY, []).text
    assert "ways" not in decide(POLICY, [unknown]).claims[-1].numbers


def test_a_kind_nobody_knows_is_refused() -> None:
    with pytest.raises(PolicyInvalid, match="of"):
        parse_policy('[[claims]]\nscenario = "shop"\ncoverage = { of = ["branches"] }\n', "gate.toml")
