"""Delta debugging: the part that is found fails, and nothing can be left out of it."""

from __future__ import annotations

import random

import pytest

from sopbench.trials.ddmin import ddmin


@pytest.mark.parametrize("guilty", [{3}, {0, 7}, {1, 2, 5}, set(range(8))])
def test_the_guilty_ones_are_found_among_many(guilty: set[int]) -> None:
    whole = tuple(range(8))

    assert set(ddmin(whole, lambda part: guilty <= set(part))) == guilty


def test_one_guilty_of_many_takes_few_trials() -> None:
    tried: list[tuple[int, ...]] = []

    def fails(part: tuple[int, ...]) -> bool:
        tried.append(part)
        return 13 in part

    found = ddmin(tuple(range(16)), fails)

    assert found == (13,)
    assert len(tried) <= 8  # 2·log₂ 16


def test_what_is_found_is_one_minimal_whatever_makes_it_fail() -> None:
    draw = random.Random(4)
    for _ in range(200):
        sets = [frozenset(draw.sample(range(6), draw.randint(1, 3))) for _ in range(draw.randint(1, 3))]

        def fails(part: tuple[int, ...], sets: list[frozenset[int]] = sets) -> bool:
            return any(each <= set(part) for each in sets)

        found = ddmin(tuple(range(6)), fails)

        assert fails(found)
        assert not any(fails(tuple(at for at in found if at != left_out)) for left_out in found)


def test_no_part_is_tried_twice() -> None:
    tried: list[tuple[str, ...]] = []

    def fails(part: tuple[str, ...]) -> bool:
        tried.append(part)
        return {"a", "d", "e"} <= set(part)

    ddmin("abcdef", fails)

    assert len(tried) == len(set(tried))
