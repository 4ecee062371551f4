"""What failed is put right by whoever is there to be asked."""

from __future__ import annotations

import pytest

from sopbench.adapters.unattended_operator import UnattendedOperator
from sopbench.errors import StepError
from sopbench.events.types import ActionSkipped, AttemptStarted, OperatorAnswered, OperatorAsked
from sopbench.ports.operator import OperatorQuestion
from sopbench.testing.operator import FakeOperator
from sopbench.testing.running import run_sop

from .procedures import loop
from .saving_form import SAVE, Form, skill, tiers, ways


def by_hand(form: Form, *answers: str) -> tuple[FakeOperator, list[OperatorQuestion]]:
    """A person who takes no element for another, and does what the answers say; *done* shows the status."""
    said = list(answers)
    questions: list[OperatorQuestion] = []

    def answer(question: OperatorQuestion) -> str:
        if "what now?" not in question.text:
            return "none"
        questions.append(question)
        word = said.pop(0)
        if word == "done":
            form.status.show()
        if word == "again":
            form.save.show()
        return word

    return FakeOperator(answer), questions


async def test_a_person_does_it_by_hand_and_the_run_goes_on() -> None:
    form = Form(offers=False)
    operator, [*questions] = by_hand(form, "done")
    after = {"do": "fill", "target": {"label": "Name"}, "value": "Ada"}

    ran = await run_sop(ways(skill("page", SAVE, after)), form.browser, operator=operator)

    assert questions == []
    assert ran.result.completed, ran.result.reason
    assert tiers(ran) == ["assisted"]
    assert form.name.value == "Ada"
    assert [event.why for event in ran.of(ActionSkipped)] == ["done by the operator: status is visible"]


async def test_the_question_says_what_failed_and_why() -> None:
    form = Form(offers=False)
    operator, questions = by_hand(form, "stop")

    ran = await run_sop(ways(skill("page", SAVE)), form.browser, operator=operator)

    [question] = questions
    assert question.text.startswith("step 'work' failed at: click button 'Save' (no element fits button 'Save'; none")
    assert (question.options, question.safe) == (("done", "again", "stop"), "stop")
    assert (ran.result.status, ran.result.cause) == ("failed", "target")


async def test_what_stood_in_the_way_is_put_right_and_the_action_is_done_again() -> None:
    form = Form(offers=False)
    operator, _ = by_hand(form, "again")

    ran = await run_sop(ways(skill("page", SAVE)), form.browser, operator=operator)

    assert form.clicked == ["Save"]
    assert tiers(ran) == ["assisted"]
    assert [event.attempt for event in ran.of(AttemptStarted)] == [2, 3]


async def test_what_is_said_to_be_done_must_be_seen() -> None:
    form = Form(offers=False)
    operator = FakeOperator(lambda question: "done" if "what now?" in question.text else "none")

    ran = await run_sop(ways(skill("page", SAVE)), form.browser, operator=operator)

    assert len(ran.of(OperatorAsked)) == 1 + 3
    assert ran.result.status == "failed"
    assert ran.result.reason.startswith("expected: status is visible; found: ")


async def test_what_may_not_be_repeated_is_not_offered_again() -> None:
    form = Form()
    form.browser.fail_next(StepError("odd", performed=None), do="click")
    operator, questions = by_hand(form, "stop")

    await run_sop(ways(skill("page", SAVE)), form.browser, operator=operator)

    assert questions[0].options == ("done", "stop")


async def test_what_would_set_a_variable_cannot_be_done_by_hand() -> None:
    operator, questions = by_hand(Form(), "stop")

    await run_sop(
        ways(skill("page", {"do": "extract", "into": "x", "target": {"role": "row"}})),
        Form().browser,
        operator=operator,
    )

    assert questions[0].options == ("again", "stop")


@pytest.mark.parametrize(("answer", "status", "items"), [("skip item", "failed", 2), ("stop", "stopped", 1)])
async def test_an_item_may_be_skipped_where_the_document_allows_it(answer: str, status: str, items: int) -> None:
    form = Form(offers=False)
    operator, questions = by_hand(form, answer, answer)
    around = loop("each", "work", items="[1, 2]", on_item_error="continue")

    ran = await run_sop(ways(skill("page", SAVE), nodes=(around,)), form.browser, operator=operator)

    assert questions[0].options == ("done", "again", "skip item", "stop")
    assert questions[0].safe == "skip item"
    assert ran.result.status == status
    assert len(questions) == items


async def test_nobody_is_asked_where_nobody_would_answer() -> None:
    ran = await run_sop(ways(skill("page", SAVE)), Form(offers=False).browser, operator=UnattendedOperator())

    assert [event.question.partition("\n")[0] for event in ran.of(OperatorAsked)] == [
        "which of these is meant by click button 'Save'?"
    ]
    assert [event.answer for event in ran.of(OperatorAnswered)] == ["none"]
    assert ran.result.reason.startswith("no element fits button 'Save'; none was taken for it: ")
