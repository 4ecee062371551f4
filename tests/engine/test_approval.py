"""Approval: the first rule that fits decides, before anything is done; what no rule approves is not done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from sopbench.adapters.unattended_operator import UnattendedOperator
from sopbench.errors import NetworkFailed
from sopbench.events.types import ActionStarted, ApprovalDecided, OperatorAsked, StepFailed, StepFinished
from sopbench.ports.operator import OperatorQuestion
from sopbench.sop.approval import Approval
from sopbench.sop.approval_rules import origin_of
from sopbench.sop.document import Sop
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.operator import FakeOperator
from sopbench.testing.page import Element
from sopbench.testing.running import Ran, run_sop

from .procedures import click, loop, node, one_task, procedure

Json = dict[str, Any]
OFFERED = ("Save", "Delete record", "Pay now", "Delete column", "Cancel")


def page() -> FakeBrowser:
    buttons = [Element(role="button", name=name) for name in OFFERED]
    return FakeBrowser([*buttons, Element(role="textbox", label="To", value="")])


def ruled(sop: Sop, *rules: Json, **more: Any) -> Sop:
    approval = Approval.model_validate({"rules": list(rules), **more})
    return sop.model_copy(update={"private": sop.private.model_copy(update={"approval": approval})})


def decided(ran: Ran) -> list[tuple[str, str, str]]:
    return [(event.rule, event.decision, event.by) for event in ran.of(ApprovalDecided)]


async def test_a_document_without_rules_runs_as_it_says() -> None:
    ran = await run_sop(one_task(click(), click("Cancel")), page())

    assert ran.result.completed
    assert decided(ran) == []


@pytest.mark.parametrize("name", ["Delete record", "Pay now"])
async def test_what_cannot_be_taken_back_is_asked_for_and_rejected_where_nobody_is_there(name: str) -> None:
    browser = page()

    ran = await run_sop(one_task(click(), click(name), click("Cancel")), browser, operator=UnattendedOperator())

    assert [str(action) for action in browser.performed] == ["click button 'Save'"]
    assert (ran.result.status, ran.result.cause) == ("stopped", "operator")
    assert ran.result.reason.startswith(f"not approved: click button {name!r} (built-in rule on ")
    assert "run with --operator terminal, or a file of answers" in ran.result.reason
    assert [(event.error, event.cause) for event in ran.of(StepFailed)] == [("Rejected", "operator")]
    assert ran.of(ApprovalDecided)[0].action == 1


async def test_the_question_comes_before_the_action_and_shows_the_page(tmp_path: Path) -> None:
    operator = FakeOperator(["approve"])
    browser = page()

    ran = await run_sop(one_task(click("Pay now")), browser, operator=operator, capture="failure", folder=tmp_path)

    assert [event.type for event in ran.events[2:-2]] == [
        "operator_asked", "operator_answered", "approval_decided", "action_started", "action_finished",
    ]  # fmt: skip
    [question] = operator.questions
    assert (
        question.text
        == "may this be done: click button 'Pay now'? (built-in rule on payments: it looks like a payment)"
    )
    assert (question.safe, question.folder, question.picture) == ("reject", tmp_path, "screenshots/0001-approval-0.jpg")
    assert browser.pictures == [tmp_path / "screenshots/0001-approval-0.jpg"]
    assert [event.tier for event in ran.of(StepFinished)] == ["assisted"]


SAID: list[Json] = [
    click("Delete"), click("DELETE  file"), click("Yes, delete it"), click("Delete forever"),
    click("Permanently remove"), click("Erase"), click("Buy"), click("Buy 3 items"), click("Place order"),
    click("Place your order"), click("Confirm and pay"), click("Send money"), click("Empty trash"),
    {"do": "click", "target": {"text": "Delete account"}},
    {"do": "press", "key": "Enter", "target": {"role": "button", "name": "Delete"}},
    {"do": "click", "target": {"css": "#go", "fingerprint": {"role": "button", "name": "Delete user"}}},
]  # fmt: skip
HARMLESS: list[Json] = [
    click("Save"), click("Undelete"), click("Payment methods"), click("Remove label from this conversation"),
    click("Buyers"), click("Display"), click("Orders"), click("Order by name"), click("Submit"), click("Deleted items"),
    click("Delete", effect="read"), click("Delete", effect="idempotent"),
    {"do": "fill", "target": {"label": "Note"}, "value": "delete me"},
    {"do": "extract", "into": "x", "target": {"role": "button", "name": "Delete"}},
]  # fmt: skip


async def asked_about(action: Json) -> bool:
    """Whether the action is a question, in a run that lets nothing be done."""
    ran = await run_sop(one_task(action), FakeBrowser([]), operator=FakeOperator(), limits={"find_s": 0.1})
    return bool(ran.of(OperatorAsked)) and not ran.of(ActionStarted)


@pytest.mark.parametrize("action", SAID, ids=lambda each: str(each["target"]))
async def test_built_in_rules_know_payments_and_deletions_by_what_is_said_of_the_element(action: Json) -> None:
    assert await asked_about(action)


@pytest.mark.parametrize("action", HARMLESS, ids=lambda each: f"{each['do']} {each['target']}")
async def test_built_in_rules_leave_the_rest_alone(action: Json) -> None:
    assert not await asked_about(action)


@pytest.mark.parametrize(("number", "is_asked"), [(10, False), (11, True)])
async def test_entering_more_than_ten_recipients_is_asked_for(number: int, is_asked: bool) -> None:
    several = ", ".join(f"Person {each} <p{each}@mail.test>" for each in range(number)) + "; P0@mail.test"

    ran = await run_sop(
        one_task({"do": "fill", "target": {"label": "To"}, "value": "{{ to }}"}, variables={"to": several}), page()
    )

    assert [event.rule for event in ran.of(ApprovalDecided)] == (["built-in rule on mail to many"] if is_asked else [])


@pytest.mark.parametrize(("effect", "is_asked"), [("read", False), ("idempotent", True), ("irreversible", True)])
async def test_writing_through_an_api_is_asked_for(effect: str, is_asked: bool) -> None:
    sop = one_task(click(effect=effect))
    skill = sop.private.skills[0].model_copy(update={"method_type": "api"})
    by_api = sop.model_copy(update={"private": sop.private.model_copy(update={"skills": (skill,)})})

    ran = await run_sop(by_api, page())

    assert bool(ran.of(ApprovalDecided)) is is_asked


async def test_a_document_approves_what_it_does_on_purpose() -> None:
    purpose = {
        "action": "click",
        "arguments": {"target.name": "Delete record"},
        "then": "approve",
        "why": "old ones go",
    }

    ran = await run_sop(ruled(one_task(click("Delete record")), purpose), page(), operator=UnattendedOperator())

    assert ran.result.completed
    assert decided(ran) == [("rule 1 of the document", "approve", "rule")]
    assert ran.of(ApprovalDecided)[0].why == "old ones go"


async def test_the_first_rule_that_fits_decides() -> None:
    delete = {"arguments": {"target.name": "Delete*"}}
    column = {"arguments": {"target.name": "Delete column"}}

    before = await run_sop(
        ruled(one_task(click("Delete column")), {**column, "then": "stop"}, {**delete, "then": "approve"}), page()
    )
    after = await run_sop(
        ruled(one_task(click("Delete column")), {**delete, "then": "approve"}, {**column, "then": "stop"}), page()
    )

    assert (before.result.status, after.result.status) == ("stopped", "completed")


async def test_rules_of_its_own_rule_out_what_they_do_not_approve_but_not_reading() -> None:
    browser = page()
    look = {"do": "extract", "into": "x", "target": {"label": "To"}}
    sop = ruled(
        one_task(look, click("Save"), click("Cancel")), {"arguments": {"target.name": "Save"}, "then": "approve"}
    )

    ran = await run_sop(sop, browser)

    assert [action.do for action in browser.performed] == ["extract", "click"]
    assert decided(ran) == [("rule 1 of the document", "approve", "rule"), ("no rule", "reject", "rule")]
    assert ran.result.reason == "not approved: click button 'Cancel' (no rule: none of the rules approves it)"


@pytest.mark.parametrize(
    ("otherwise", "status"),
    [("approve", "completed"), ("reject", "stopped"), ("ask", "completed"), ("stop", "stopped")],
)
async def test_a_document_may_say_what_holds_otherwise(otherwise: str, status: str) -> None:
    sop = ruled(one_task(click("Save")), otherwise=otherwise)

    ran = await run_sop(sop, page(), operator=FakeOperator(["approve"]))

    assert ran.result.status == status


async def test_what_holds_otherwise_does_not_undo_the_built_in_rules() -> None:
    sop = ruled(one_task(click("Pay now")), {"action": "fill", "then": "approve"}, otherwise="approve")

    ran = await run_sop(sop, page(), operator=UnattendedOperator())

    assert decided(ran) == [("built-in rule on payments", "reject", "unattended")]


FITS: list[tuple[Json, bool]] = [
    ({"action": "click"}, True), ({"action": "cl*"}, True), ({"action": ["fill", "click"]}, True),
    ({"action": "fill"}, False),
    ({"effect": "irreversible"}, True), ({"effect": ["read", "idempotent"]}, False),
    ({"node": "work"}, True), ({"node": "wor"}, False), ({"node": "W*"}, True),
    ({"origin": "https://page.test"}, True), ({"origin": "https://*.test"}, True), ({"origin": "https://page"}, False),
    ({"origin": "http://page.test"}, False), ({"origin": "https://page.test/"}, False),
    ({"arguments": {"target.name": "save"}}, True), ({"arguments": {"target.name": "sav"}}, False),
    ({"arguments": {"target.*": "Save"}}, True), ({"arguments": {"*.name": "S*e"}}, True),
    ({"arguments": {"target.text": "*"}}, False), ({"arguments": {"target.within.role": "d*"}}, True),
    ({"arguments": {"target.name": ["x", "save"], "target.role": "button"}}, True),
    ({"arguments": {"target.name": "save", "target.role": "link"}}, False),
    ({"action": "click", "node": "other"}, False), ({"method": "ui"}, True), ({"method": "mcp"}, False),
    ({}, True),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "does_fit"), FITS, ids=str)
async def test_a_rule_fits_where_all_it_says_fits(rule: Json, does_fit: bool) -> None:
    save = Element(role="button", name="Save")
    inside = {"do": "click", "target": {"role": "button", "name": "{{ name }}", "within": {"role": "dialog"}}}
    browser = FakeBrowser([Element(role="dialog", children=[save])])
    sop = ruled(one_task(inside, variables={"name": "Save"}), {**rule, "then": "reject"}, otherwise="approve")

    ran = await run_sop(sop, browser)

    assert ran.result.completed is not does_fit
    assert bool(browser.performed) is not does_fit


async def test_the_origin_of_a_page_to_be_opened_is_its_own() -> None:
    browser = FakeBrowser({"https://in.test/a": [], "https://out.test/b": []})
    pages = [{"do": "navigate", "url": f"https://{each}"} for each in ("in.test/a", "out.test/b")]
    sop = ruled(one_task(*pages), {"origin": "https://out.test", "then": "stop"}, otherwise="approve")

    ran = await run_sop(sop, browser)

    assert browser.address == "https://in.test/a"
    assert ran.result.status == "stopped"


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://App.Example.com/a?b#c", "https://app.example.com"),
        ("https://example.com:443/", "https://example.com"),
        ("http://127.0.0.1:8090/_/", "http://127.0.0.1:8090"),
        ("https://bank.test@evil.test/", "https://evil.test"),
        ("https://evil.test/https://bank.test", "https://evil.test"),
        ("http://[::1]:80/", "http://[::1]"),
        ("about:blank", "about:"),
        ("https://evil.test:x/", ""),
    ],
)
def test_an_origin_is_scheme_host_and_port(url: str, origin: str) -> None:
    assert origin_of(url) == origin


async def test_what_was_approved_is_not_asked_again_within_the_step() -> None:
    from_the_start = FakeOperator(["approve"])
    browser = page()
    browser.fail_next(NetworkFailed("reset", performed=False), do="click")

    ran = await run_sop(one_task(click("Pay now")), browser, operator=from_the_start)

    assert ran.result.completed
    assert [event.attempts for event in ran.of(StepFinished)] == [2]
    assert len(from_the_start.questions) == 1


async def test_in_the_next_step_it_is_asked_again() -> None:
    operator = FakeOperator(["approve", "reject"])
    sop = procedure([node("a"), node("b")], "a > b", does={"a": [click("Pay now")], "b": [click("Pay now")]})
    browser = page()

    ran = await run_sop(sop, browser, operator=operator)

    assert len(browser.performed) == 1
    assert ran.result.status == "stopped"


async def test_an_approved_step_answers_for_its_actions_but_not_for_what_is_rejected() -> None:
    operator = FakeOperator(["approve"])
    never = {"arguments": {"target.name": "Delete column"}, "then": "reject"}
    sop = ruled(one_task(click("Delete record"), click("Delete column"), approval="ask"), never, otherwise="approve")
    browser = page()

    ran = await run_sop(sop, browser, operator=operator)

    assert [str(action) for action in browser.performed] == ["click button 'Delete record'"]
    assert decided(ran) == [
        ("approval of node work", "approve", "fake"), ("rule 1 of the document", "reject", "rule"),
    ]  # fmt: skip


async def test_an_approved_loop_answers_for_nothing_inside_it() -> None:
    operator = FakeOperator(["approve", "approve", "reject"])
    sop = procedure([loop("each", "x", items="[1, 2]", approval="ask"), node("x")], does={"x": [click("Pay now")]})
    browser = page()

    await run_sop(sop, browser, operator=operator)

    assert len(operator.questions) == 3
    assert len(browser.performed) == 1


async def test_an_element_that_was_taken_for_a_stale_target_is_a_question_of_its_own() -> None:
    browser = FakeBrowser([Element(role="button", name="Delete record")])
    questions: list[str] = []

    def answer(question: OperatorQuestion) -> str:
        questions.append(question.text.partition("\n")[0])
        return {"may step": "approve", "which of": question.options[0]}.get(question.text[:8], "reject")

    ran = await run_sop(one_task(click("Save"), approval="ask"), browser, operator=FakeOperator(answer))

    assert [question[:8] for question in questions] == ["may step", "which of", "may this"]
    assert "Delete record" in questions[2]
    assert browser.performed == []
    assert ran.result.status == "stopped"


async def test_a_rejected_item_is_passed_over_where_the_document_says_so() -> None:
    operator = FakeOperator(["reject", "approve"])
    items = loop("each", "x", items="[1, 2]", on_item_error="continue")
    browser = page()

    ran = await run_sop(procedure([items, node("x")], does={"x": [click("Pay now")]}), browser, operator=operator)

    assert len(browser.performed) == 1
    assert (ran.result.status, ran.result.cause) == ("failed", "operator")
    assert ran.result.reason.startswith("1 item was given up: each[0]: not approved: click button 'Pay now'")


async def test_stopping_ends_the_run_even_where_items_are_passed_over() -> None:
    items = loop("each", "x", items="[1, 2]", on_item_error="continue")
    sop = ruled(procedure([items, node("x")], does={"x": [click()]}), {"action": "click", "then": "stop"})

    ran = await run_sop(sop, page())

    assert ran.nodes == ["each", "x"]
    assert ran.result.status == "stopped"


async def test_a_word_other_than_approve_approves_nothing() -> None:
    class Careless:
        name = "careless"

        def would_answer(self, _: OperatorQuestion) -> bool:
            return True

        async def answer(self, _: OperatorQuestion) -> str:
            return "Approve"

    browser = page()

    ran = await run_sop(one_task(click("Pay now")), browser, operator=Careless())

    assert browser.performed == []
    assert decided(ran) == [("built-in rule on payments", "reject", "careless")]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"action": "clik"}, "no verb fits 'clik'"),
        ({"arguments": {"taget.name": "x"}}, "no action has 'taget'"),
        ({"arguments": {"target.nam": "x"}}, "a target has no 'nam'"),
        ({"arguments": {"target": "x"}}, "a target has no ''"),
        ({"effect": "deadly"}, "Input should be"),
        ({"action": ""}, "at least 1 character"),
        ({"action": []}, "at least 1 item"),
    ],
)
def test_a_rule_that_could_never_fit_is_a_mistake(rule: Json, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Approval.model_validate({"rules": [{**rule, "then": "reject"}]})


def test_a_rule_after_one_that_fits_everything_is_a_mistake() -> None:
    with pytest.raises(ValidationError, match="rule 1 fits every action"):
        Approval.model_validate({"rules": [{"then": "approve"}, {"action": "click", "then": "reject"}]})
