"""Drafts held against what the case expects: recipients, subject, figures by meaning, and nothing sent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopbench.trials.case import ExpectedDraft
from sopbench.trials.letters import Letter, compare_letters

WANTED = ExpectedDraft(
    to=("ann@lee.test", "bob@stone.test"),
    subject="Week 22",
    figures=("June 1, 2025", "$1,284,300.50", "3.2%", "-$400"),
    facts="up 3.2%; Headcount: not reported; !grew",
)
RIGHT = Letter(
    to=("BOB@stone.test", "ann@lee.test"),
    cc=(),
    subject="Week 22",
    text="Cash on 2025-06-01: $1,284,300.50, up 3.2%.\nNet: -$400. Headcount: not reported.",
)


def problems(*written: Letter, wanted: tuple[ExpectedDraft, ...] = (WANTED,)) -> tuple[tuple[str, ...], ...]:
    outcome = compare_letters(wanted, written)
    return outcome.missing, outcome.wrong


def test_the_draft_that_was_expected_is_as_expected_in_any_order_and_wording() -> None:
    # the subject's own figure counts as well
    wanted = WANTED.model_copy(update={"figures": (*WANTED.figures, "22")})

    assert problems(RIGHT, wanted=(wanted,)) == ((), ())


def test_a_draft_that_is_not_there_is_missing() -> None:
    assert problems() == (("no draft 'Week 22'",), ())


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"to": ("ann@lee.test",)}, "to is ann@lee.test, expected ann@lee.test, bob@stone.test"),
        ({"cc": ("eve@x.test",)}, "cc is eve@x.test, expected nobody"),
        ({"subject": "Week"}, "its subject is 'Week'"),
        ({"text": RIGHT.text.replace("3.2", "3.4")}, "does not say '3.2%'"),
        ({"text": RIGHT.text.replace("3.2", "3.4")}, "says '3.4%', which it should not"),
        ({"text": RIGHT.text.replace("2025-06-01", "2025-06-08")}, "says '2025-06-08', which it should not"),
        ({"text": RIGHT.text + " We hired two people."}, "says 'two', which it should not"),
        ({"text": RIGHT.text.replace("not reported", "12")}, "says '12', which it should not"),
        ({"text": RIGHT.text + " Revenue grew."}, "mentions 'grew'"),
    ],
)
def test_whatever_differs_is_told(change: dict[str, str], problem: str) -> None:
    found = replace(RIGHT, **change)  # type: ignore[arg-type]
    wanted = WANTED.model_copy(update={"figures": (*WANTED.figures, "22")})

    missing, wrong = problems(found, wanted=(wanted,))

    assert missing == ()
    assert any(f"draft 'Week 22': {problem}" in each for each in wrong), wrong


def test_a_second_draft_is_wrong_even_if_it_is_the_same() -> None:
    wanted = WANTED.model_copy(update={"figures": (*WANTED.figures, "22")})

    assert problems(RIGHT, RIGHT, wanted=(wanted,)) == ((), ("extra draft 'Week 22'",))


def test_a_mail_that_was_sent_is_wrong_and_no_draft() -> None:
    sent = replace(RIGHT, is_sent=True)

    assert problems(sent) == (
        ("no draft 'Week 22'",),
        ("mail 'Week 22' was sent to BOB@stone.test, ann@lee.test",),
    )


def test_where_nothing_is_expected_nothing_may_be_written() -> None:
    assert problems(wanted=()) == ((), ())
    assert problems(RIGHT, wanted=()) == ((), ("extra draft 'Week 22'",))
