"""Filters for loose text."""

from __future__ import annotations

import pytest

from sopbench.errors import TemplateFailed
from sopbench.sop.templates import evaluate

SENTENCE = 'Select "Ab", "ab" and "x y", then press Submit.'


def test_all_matches_are_found_from_left_to_right() -> None:
    found = evaluate(r"sentence | regex_find_all('\w+')", {"sentence": "one two, three"})

    assert found == ["one", "two", "three"]


def test_a_group_of_every_match_is_found() -> None:
    found = evaluate("""sentence | regex_find_all('"([^"]+)"', 1)""", {"sentence": SENTENCE})

    assert found == ["Ab", "ab", "x y"]


def test_no_match_is_an_empty_list() -> None:
    found = evaluate(r"sentence | regex_find_all('\d+')", {"sentence": SENTENCE})

    assert found == []


def test_a_group_that_took_no_part_in_a_match_is_empty() -> None:
    found = evaluate("sentence | regex_find_all('(a)|b', 1)", {"sentence": "ab"})

    assert found == ["a", ""]


def test_a_group_that_is_not_in_the_pattern_is_an_error() -> None:
    with pytest.raises(TemplateFailed, match="has no group 2"):
        evaluate("sentence | regex_find_all('(a)', 2)", {"sentence": "a"})
