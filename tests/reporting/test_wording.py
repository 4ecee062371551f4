"""Figures read naturally, and never rounder than the truth."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.reporting.wording import count, dollars, fields, one_line, percent, seconds, value


@pytest.mark.parametrize(
    ("duration_s", "shown"),
    [
        (0, "0 ms"), (0.0015, "2 ms"), (0.043, "43 ms"), (0.0994, "99 ms"), (0.0996, "0.1 s"), (14.16, "14.2 s"),
        (59.94, "59.9 s"), (59.96, "1 min 00 s"), (185, "3 min 05 s"), (3599.7, "1 h 00 min"), (3725, "1 h 02 min"),
    ],
)  # fmt: skip
def test_a_duration_has_the_unit_a_person_would_use(duration_s: float, shown: str) -> None:
    assert seconds(duration_s) == shown


@pytest.mark.parametrize(
    ("share", "shown"), [(1, "100.0"), (0.9999, "99.9"), (0.8316, "83.2"), (0.0001, "0.1"), (0, "0.0")]
)
def test_only_a_whole_is_a_hundred_percent(share: float, shown: str) -> None:
    assert percent(share) == shown


@pytest.mark.parametrize(
    ("cost_usd", "shown"),
    [(0, "$0.00"), (1234.5, "$1,234.50"), (0.12, "$0.12"), (0.0034, "$0.0034"), (1e-6, "under $0.0001")],
)
def test_small_costs_do_not_round_to_nothing(cost_usd: float, shown: str) -> None:
    assert dollars(cost_usd) == shown


def test_nouns_agree_with_their_number() -> None:
    assert [count(1, "trial"), count(1204, "token"), count(2, "retry", "retries")] == [
        "1 trial",
        "1,204 tokens",
        "2 retries",
    ]


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ("a\n b", "'a b'"),
        ("x" * 50, "'" + "x" * 17 + "…'"),
        (None, "null"),
        ([1, 2], "[1, 2]"),
        ({"ä": 1.5}, '{"ä": 1.5}'),
        ([1, 2, 3, 4], "4 items: [1, 2,…"),
    ],
)
def test_a_value_is_short_and_on_one_line(data: Any, shown: str) -> None:
    assert value(data, 20) == shown


def test_a_record_reads_as_pairs() -> None:
    assert fields({"name": "Jane", "amount": 5}) == "name = 'Jane', amount = 5"


def test_emptiness_is_not_shortened() -> None:
    assert one_line("", 5) == ""
