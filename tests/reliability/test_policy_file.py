"""Policies as people write them: read whole, and every fault with its place and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopbench.errors import PolicyInvalid
from sopbench.reliability.policy import AtMost, Policy, Reliability
from sopbench.reliability.policy_file import parse_policy, read_policy

POLICY = """
alpha_for = "each_claim"

[[claims]]
scenario = "gmail_airtable"
reliability = { p0 = 0.99, p1 = 0.95, of = "passed_clean" }
silent = {}
duration = { p95_s = 60 }

[[claims]]
scenario = "weekly_update"
condition = "slow_network"
not_worse = { drop = 0.1 }

[claims.cost]
median_usd = 0.02
"""


def test_a_policy_is_read_with_what_is_usual_filled_in(tmp_path: Path) -> None:
    file = tmp_path / "gate.toml"
    file.write_text(POLICY, encoding="utf-8")

    first, second = read_policy(file).claims

    assert (first.scenario, first.condition, first.broken_at_most) == ("gmail_airtable", "clean", 0.05)
    assert first.reliability == Reliability(p0=0.99, p1=0.95, alpha=0.05, beta=0.05, of="passed_clean")
    assert first.silent == AtMost(at_most=0, below=0.05, beta=0.05)
    assert (first.harmful, second.reliability) == (None, None)
    assert second.cost is not None
    assert second.cost.median_usd == 0.02


def test_a_pyproject_says_it_in_its_own_table(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text('[[tool.sopbench.gate.claims]]\nscenario = "s"\nsilent = {}\n', encoding="utf-8")

    assert read_policy(file).claims[0].scenario == "s"


@pytest.mark.parametrize(
    ("written", "instead", "fault"),
    [
        ("p1 = 0.95", "p1 = 0.995", "gate.toml:6 claims[0].reliability: rates must be 0 < p1 < p0 < 1, got"),
        ("p1 = 0.95", "p1 = 0.9899", "gate.toml:6 claims[0].reliability: 0.99 and 0.9899 are too close: it"),
        ("p1 = 0.95", "p2 = 0.95", "gate.toml:6 claims[0].reliability.p2: no such setting; there are p0, p1, alpha"),
        ("p1 = 0.95", 'p1 = "high"', "gate.toml:6 claims[0].reliability.p1: input should be a valid number"),
        ("reliability", "reliabilty", "gate.toml:6 claims[0].reliabilty: no such setting; did you mean 'reliab"),
        ("silent = {}", "silent = 3", "gate.toml:7 claims[0].silent: is a table, got 3; write { setting"),
        ("p95_s = 60", "p95_s = -1", "gate.toml:8 claims[0].duration.p95_s: input should be greater than 0, got -1"),
        ("p95_s = 60", "", "gate.toml:8 claims[0].duration: say median_s, p95_s or both"),
        ("median_usd", "mean_usd", "gate.toml:16 claims[1].cost.mean_usd: no such setting; did you mean 'median"),
        ('scenario = "weekly_update"', "", "gate.toml:10 claims[1].scenario: is missing; write it"),
        (
            "not_worse = { drop = 0.1 }",
            "not_worse = {drop = 2}",
            "gate.toml:13 claims[1].not_worse.drop: input should be",
        ),
        (
            "each_claim",
            "some_claims",
            "gate.toml:2 alpha_for: input should be 'each_claim' or 'all_claims', got 'some_",
        ),
    ],
)
def test_a_fault_says_where_what_and_what_to_do(written: str, instead: str, fault: str) -> None:
    assert written in POLICY

    with pytest.raises(PolicyInvalid) as raised:
        parse_policy(POLICY.replace(written, instead, 1), "gate.toml")

    assert str(raised.value).startswith(fault)


def test_every_fault_is_told_at_once() -> None:
    text = POLICY.replace("p1 = 0.95", "p1 = 7").replace("drop = 0.1", "drop = 7")

    with pytest.raises(PolicyInvalid) as raised:
        parse_policy(text, "gate.toml")

    assert len(str(raised.value).splitlines()) == 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "gate.toml: the file claims nothing; write"),
        ("x =", "gate.toml: is not TOML: Invalid value"),
        ("claims = []", "gate.toml: it claims nothing"),
        ('[[claims]]\nscenario = "a"\n', "gate.toml:1 claims[0]: claim at least one of reliability, silent"),
        ('[[claims]]\nscenario="a"\nsilent={}\n' * 2, "gate.toml: a under clean is there 2 times: make one of them"),
    ],
)
def test_a_policy_that_claims_nothing_clear_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(PolicyInvalid) as raised:
        parse_policy(text, "gate.toml")

    assert str(raised.value).startswith(complaint)


def test_a_file_that_is_not_there_says_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(PolicyInvalid, match=r"cannot be read: .* write one with \[\[claims\]\]"):
        read_policy(tmp_path / "gate.toml")


def test_a_pyproject_without_the_table_says_which_is_missing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.other]\nx = 1\n", encoding="utf-8")

    with pytest.raises(PolicyInvalid, match=r"\[tool.sopbench.gate\] claims nothing"):
        read_policy(tmp_path / "pyproject.toml")


def test_for_all_claims_each_alpha_is_divided_by_those_that_have_one() -> None:
    policy = parse_policy(POLICY.replace("each_claim", "all_claims"), "gate.toml")

    assert policy.alpha_share == pytest.approx(1 / 4)
    assert Policy(claims=policy.claims).alpha_share == 1
