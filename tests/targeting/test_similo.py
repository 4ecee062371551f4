"""The shipped weights on the pages they were learnt from: shows that they are whole, not that they generalise."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.similo_data import is_right, read
from sopbench.sop.verbs.base import Effect
from sopbench.targeting.choosing import choose
from sopbench.targeting.scoring import rank

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "similo" / "train.jsonl.gz"


@pytest.mark.skipif(not DATA.exists(), reason="the pairs of real pages are not beside the project")
def test_the_shipped_weights_reach_what_is_asked_of_them() -> None:
    pairs = right = taken = wrong = 0
    for page in read(DATA):
        for pair in page.pairs:
            ranking = rank(pair.old, page.candidates)
            found = ranking.entries[0].number in pair.right
            took = choose(ranking, Effect.READ).taken is not None
            pairs, right, taken, wrong = pairs + 1, right + found, taken + took, wrong + (took and not found)

    assert pairs == 229
    assert right / pairs >= 0.94
    assert taken / pairs >= 0.90
    assert wrong / taken <= 0.025


@pytest.mark.parametrize(
    ("xpath", "counts"),
    [
        ("/a/b[1]", True),
        ("/a", True),
        ("/a/b[1]/c[1]", True),
        ("/a/b[2]", False),
        ("/a/b[1]/c[1]/d[1]", False),
        ("/", False),
    ],
)
def test_the_meant_element_its_parent_and_what_lies_directly_in_it_count_as_right(xpath: str, counts: bool) -> None:
    assert is_right(xpath, "/a/b[1]") == counts
