"""One cell held against what it should be, in each way of comparing."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.trials.case import Column, Compare
from sopbench.trials.cells import cell_problem, plain

OLD = "2025-05-01: first call"


def problem(compare: Compare, before: Any, expected: Any, found: Any, kind: str = "multilineText") -> str:
    return cell_problem(Column(type=kind, compare=compare), before, expected, found)


@pytest.mark.parametrize(
    ("kind", "written", "text"),
    [
        ("checkbox", True, "true"), ("checkbox", "checked", "true"), ("checkbox", "TRUE", "true"),
        ("checkbox", None, ""), ("checkbox", False, ""), ("checkbox", "", ""), ("checkbox", "no", ""),
        ("number", "1,500,000", "1500000"), ("number", 1500000.0, "1500000"), ("number", "1.50", "1.5"),
        ("number", 0, "0"), ("number", "", ""), ("number", None, ""), ("number", "n/a", "n/a"),
        ("number", "1e3", "1000"),
        ("multilineText", " a\r\nb ", "a\nb"), ("singleLineText", None, ""), ("date", "2025-06-02", "2025-06-02"),
    ],
)  # fmt: skip
def test_a_cell_reads_the_same_whichever_way_it_was_written(kind: str, written: Any, text: str) -> None:
    assert plain(Column(type=kind), written) == text


@pytest.mark.parametrize(
    ("compare", "before", "expected", "found"),
    [
        (Compare.EXACT, "", "a", " a "),
        (Compare.SET, "", "a, b", "b,a"),
        (Compare.SET, "", "", ""),
        (Compare.IGNORE, "a", "b", "anything"),
        (Compare.FACTS, "", "Series B; 5 M", "They raise  series b, 5 m in all"),
        (Compare.FACTS, "", "call|meeting", "A meeting on Monday"),
        (Compare.FACTS, "", "call|meeting", "A call on Monday"),
        (Compare.FACTS, "", "intro; !declined", "An intro"),
        (Compare.FACTS, "", "ＦＵＬＬ width", "full WIDTH"),
        (Compare.FACTS, "old", "old", "old"),
        (Compare.FACTS, "old", "", ""),
        (Compare.FACTS, "", " ; a ;; ", "A"),
        (Compare.HISTORY, OLD, "demo", f"{OLD}\n2025-06-02: a demo"),
        (Compare.HISTORY, OLD, f"{OLD}\ndemo; !call", f"{OLD}\n2025-06-02: a demo"),
        (Compare.HISTORY, "", "demo", "A demo"),
        (Compare.HISTORY, OLD, OLD, OLD),
    ],
)
def test_a_cell_that_says_what_it_should_is_no_problem(
    compare: Compare, before: str, expected: str, found: str
) -> None:
    assert problem(compare, before, expected, found) == ""


@pytest.mark.parametrize(
    ("compare", "before", "expected", "found", "words"),
    [
        (Compare.EXACT, "", "a", "A", "is 'A', expected 'a'"),
        (Compare.EXACT, "", "a", None, "is '', expected 'a'"),
        (Compare.SET, "", "a, b", "a", "is 'a', expected the set 'a, b'"),
        (Compare.SET, "", "a", "a, b", "is 'a, b', expected the set 'a'"),
        (Compare.FACTS, "", "a; b", "only a", "does not mention 'b': 'only a'"),
        (Compare.FACTS, "", "call|meeting", "mail", "does not mention 'call|meeting': 'mail'"),
        (Compare.FACTS, "", "!declined|passed", "They Passed", "mentions 'declined|passed': 'They Passed'"),
        (Compare.FACTS, "old", "", "new", "is 'new', expected nothing"),
        (Compare.FACTS, "old", "old", "old!", "should have stayed 'old', and is 'old!'"),
        (Compare.HISTORY, OLD, "demo", "2025-06-02: demo", "no longer begins with what was there"),
        (Compare.HISTORY, OLD, "demo", f"2025-06-02: demo\n{OLD}", "no longer begins with what was there"),
        (Compare.HISTORY, OLD, "demo", OLD, "does not mention 'demo': ''"),
        (Compare.HISTORY, OLD, "first call", OLD, "does not mention 'first call': ''"),
        (Compare.HISTORY, OLD, OLD, f"{OLD}\nmore", "should have stayed"),
        (Compare.HISTORY, "", "", "new", "should have stayed '', and is 'new'"),
    ],
)
def test_what_is_wrong_with_a_cell_is_said(
    compare: Compare, before: str, expected: str, found: str | None, words: str
) -> None:
    assert problem(compare, before, expected, found).startswith(words)


def test_long_texts_are_shortened_where_they_are_shown() -> None:
    assert len(problem(Compare.FACTS, "", "b", "a " * 5000)) < 300
