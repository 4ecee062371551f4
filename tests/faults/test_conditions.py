"""Conditions: small files that say which faults there are and when they strike."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sopbench.errors import ConditionInvalid, UsageError
from sopbench.faults.at_work import Disturbance
from sopbench.faults.network import Latency
from sopbench.trials.condition import find_conditions, parse_condition, read_condition, shipped
from sopbench.trials.condition_text import condition_text
from sopbench.trials.fault import Moment, Strikes, When
from sopbench.trials.fault_registry import all_faults

SLOW = """
title = "Every answer comes late"

[[faults]]
fault = "network.latency"
delay_s = [0.2, 0.8]
site = "gmail"
when = { probability = 0.3, from_action = 4 }
"""


def strikes(when: When, *, seed: int = 1, moment: Moment | None = None) -> Strikes:
    def kept(_: int, __: str) -> None:
        """Nobody keeps it."""

    now = moment or Moment()
    now.running = True
    return Strikes("f", 0, when, seed=seed, moment=now, kept=kept, later=lambda work: work.close())


def test_a_condition_says_its_faults_their_parameters_and_when() -> None:
    condition = parse_condition(SLOW, "slow.toml", "slow")

    [fault] = condition.faults
    assert (condition.name, condition.title, condition.recoverable) == ("slow", "Every answer comes late", True)
    assert (fault.fault, fault.site) == ("network.latency", "gmail")
    assert fault.does == Latency(delay_s=(0.2, 0.8))
    assert fault.when == When(probability=0.3, from_action=4)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("network.latency", "network.latancy", "slow.toml:5 faults[0].fault: there is no fault 'network.latancy'"),
        ("network.latency", "network.latancy", "did you mean 'network.latency'?"),
        ("network.latency", "nework.latency", "did you mean 'network'?"),
        ("network.latency", "latency", "a fault is called family.name"),
        ("delay_s", "delay", "slow.toml:6 faults[0].delay: no such setting; did you mean 'delay_s'?"),
        ("delay_s = [0.2, 0.8]\n", "", "slow.toml:4 faults[0].delay_s: is missing"),
        ("[0.2, 0.8]", '"long"', "slow.toml:6 faults[0].delay_s: input should be a valid tuple, got 'long'"),
        ("probability = 0.3", "probability = 3", "probability: input should be less than or equal to 1, got 3"),
        ("probability", "propability", "slow.toml:8 faults[0].when.propability: no such setting; did you mean"),
        ("{ probability = 0.3, from_action = 4 }", '"sometimes"', "when: 'sometimes' is not 'always', 'once'"),
        ("probability = 0.3", "between = [9, 2]", "from_action and between both say where it begins"),
        ("{ probability = 0.3, from_action = 4 }", "{ between = [9, 2] }", "[9, 2] is not from a number"),
        ("title", "titel", "slow.toml:2 titel: no such setting; did you mean 'title'?"),
        ("[[faults]]", "[[faults", "is not TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place_and_what_was_probably_meant(old: str, new: str, told: str) -> None:
    with pytest.raises(ConditionInvalid) as error:
        parse_condition(SLOW.replace(old, new, 1), "slow.toml", "slow")

    assert told in str(error.value)


def test_every_mistake_of_a_file_is_told() -> None:
    text = SLOW.replace("delay_s", "delay") + '\n[[faults]]\nfault = "network.lag"\n'

    with pytest.raises(ConditionInvalid) as error:
        parse_condition(text, "slow.toml", "slow")

    assert len(str(error.value).splitlines()) == 3


def test_names_files_and_all_are_found_each_once(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text(SLOW)

    found = find_conditions(["clean", str(own), "clean"])
    everything = find_conditions(["all"])

    assert [condition.name for condition in found] == ["clean", "mine"]
    assert {condition.name for condition in everything} == set(shipped())
    assert everything[0].name == "clean"


def test_a_scenario_may_bring_its_own_conditions(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(SLOW)

    [condition] = find_conditions(["mine"], [tmp_path])

    assert condition.title == "Every answer comes late"


def test_an_unknown_name_says_what_was_probably_meant() -> None:
    with pytest.raises(UsageError, match="did you mean 'clean'"):
        find_conditions(["claen"])


def test_all_shipped_conditions_can_be_read_and_every_fault_has_one() -> None:
    conditions = [read_condition(path) for path in shipped().values()]

    used = {fault.fault for condition in conditions for fault in condition.faults}
    assert used == set(all_faults())


def test_a_condition_survives_being_written_as_json() -> None:
    condition = parse_condition(SLOW, "slow.toml", "slow")

    written = json.loads(condition.model_dump_json())

    assert written["faults"][0]["does"] == {"resources": [], "path": "", "delay_s": [0.2, 0.8]}


def test_always_strikes_at_every_occasion_and_once_at_one() -> None:
    always, once = strikes(When()), strikes(When(once=True))
    for each in (always, once):
        each.moment.action = 1

    assert [always.due("x") for _ in range(3)] == [True] * 3
    assert [once.due("x") for _ in range(3)] == [True, False, False]


def test_nothing_strikes_before_its_action_or_when_no_run_goes_on() -> None:
    moment = Moment()
    fault = strikes(When(from_action=3), moment=moment)

    struck = []
    for moment.action in range(1, 5):
        struck.append(fault.due("x"))
    moment.running = False

    assert struck == [False, False, True, True]
    assert not fault.due("x")


def test_once_between_begins_at_an_action_that_the_seed_draws() -> None:
    def first(seed: int) -> int:
        moment = Moment()
        fault = strikes(When(once=True, between=(5, 30)), seed=seed, moment=moment)
        for moment.action in range(1, 40):
            if fault.due("x"):
                return moment.action
        raise AssertionError("it never struck")

    drawn = [first(seed) for seed in range(20)]

    assert drawn == [first(seed) for seed in range(20)]
    assert all(5 <= action <= 30 for action in drawn)
    assert len(set(drawn)) > 5


def test_what_was_due_but_found_nothing_strikes_later() -> None:
    fault = strikes(When(once=True))
    fault.moment.action = 1

    assert fault.due("x")
    fault.missed()

    assert fault.due("x")


def test_the_share_that_is_struck_is_the_probability() -> None:
    fault = strikes(When(probability=0.3))
    fault.moment.action = 1

    share = sum(fault.due(f"occasion {number}") for number in range(3000)) / 3000

    assert 0.27 < share < 0.33


def test_the_page_about_conditions_has_a_line_for_each_condition_and_each_fault() -> None:
    lines = (Path(__file__).parents[2] / "docs" / "conditions.md").read_text("utf-8").splitlines()
    named = {line.split("|")[1].strip().strip("`"): line for line in lines if line.startswith("| `")}

    for condition in find_conditions(["all"]):
        assert condition.title in named[condition.name]
        assert all(fault.does.cause in named[condition.name] for fault in condition.faults)
    for name, kind in all_faults().items():
        assert named[name].endswith(f"| {kind.cause} |")
        assert all(f"`{parameter}`" in named[name] for parameter in kind.model_fields)


def test_conditions_are_put_together_by_name_and_each_fault_keeps_its_place() -> None:
    [both] = find_conditions(["modal-dialog+flaky-network"])

    assert both.name == "modal-dialog+flaky-network"
    assert [(fault.fault, fault.place) for fault in both.faults] == [
        ("page.modal", 0),
        ("network.status", 0),
        ("network.reset", 1),
    ]
    assert both.recoverable


def test_one_that_a_careful_person_does_not_get_through_makes_the_whole_so() -> None:
    [both] = find_conditions(["slow-network+second-factor"])

    assert not both.recoverable


def test_a_fault_strikes_alike_wherever_its_place_is_kept() -> None:
    def drawn(number: int, place: int | None) -> float:
        moment = Moment()
        moment.running = True
        return Strikes(
            "f", number, When(), seed=1, moment=moment, kept=lambda *_: None, later=lambda w: w.close(), place=place
        ).uniform("x")

    assert drawn(0, 3) == drawn(2, 3) == drawn(3, None)
    assert drawn(0, None) != drawn(2, None)


def test_a_recorded_fault_is_written_so_that_it_is_read_back_the_same() -> None:
    [condition] = find_conditions(["odd-mail+rate-limited+overlay"])
    records = Disturbance(condition.faults, seed=1).records()

    again = parse_condition(condition_text('A "title"', records), "again.toml", condition.name)

    assert again.title == 'A "title"'
    assert again.faults == condition.faults
