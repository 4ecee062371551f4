"""The fakes do what they were told, and complain about mistakes of the test that uses them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sopbench.errors import (
    AnswerUnusable,
    BrowserLost,
    DocumentInvalid,
    ModelUnavailable,
    NetworkFailed,
    OperatorStopped,
    StepError,
    TargetNotFound,
    UsageError,
)
from sopbench.events.types import Event, StepStarted
from sopbench.ports.llm import ModelRequest
from sopbench.ports.operator import OperatorQuestion
from sopbench.sop.targets import Target, Visible
from sopbench.sop.verbs.fields import Fill
from sopbench.sop.verbs.pages import Navigate, Reload
from sopbench.sop.verbs.pointer import Click
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.clock import FakeClock
from sopbench.testing.model import FakeModel
from sopbench.testing.operator import FakeOperator
from sopbench.testing.page import Element, Page
from sopbench.testing.running import run_sop, texts

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"choice": {"enum": ["yes", "no"]}}, "required": ["choice"]}
CLICK = Click(target=Target(role="button"))
SOP: dict[str, Any] = {
    "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
    "public": {
        "nodes": [{"id": "save", "type": "task", "label": "Save"}],
        "variables": {"who": "Ada", "pin": {"secret": True, "from_env": "PIN"}},
    },
    "private": {
        "skills": [{"id": "s", "app": "a", "actions": [
            {"do": "fill", "target": {"label": "Name"}, "value": "{{ who }} {{ pin }}",
             "expect": [{"value": "{{ who }} {{ pin }}", "of": {"label": "Name"}}]},
        ]}],
        "steps": [{"node_id": "save", "primary_skill": "s"}],
    },
}  # fmt: skip


def question(purpose: Any = "decide") -> ModelRequest:
    return ModelRequest(purpose, "system", "Is it?", SCHEMA, max_tokens=1, timeout_s=1)


def form() -> tuple[FakeBrowser, Element]:
    name = Element(label="Name", value="")
    return FakeBrowser([name, Element(role="button", name="Save")]), name


async def test_time_stands_still_but_for_sleeping() -> None:
    clock = FakeClock()
    start = clock.now()

    await clock.sleep(90)
    await clock.sleep(-1)

    assert (clock.now() - start).total_seconds() == 90
    assert clock.monotonic() == 90
    assert clock.slept == [90, -1]


async def test_what_falls_due_happens_at_its_time_and_in_order() -> None:
    clock = FakeClock()
    happened: list[tuple[str, float]] = []
    clock.after(5, lambda: happened.append(("b", clock.monotonic())))
    clock.after(2, lambda: happened.append(("a", clock.monotonic())))
    clock.after(9, lambda: happened.append(("never", clock.monotonic())))

    await clock.sleep(6)

    assert happened == [("a", 2), ("b", 5)]
    assert clock.monotonic() == 6


async def test_a_model_answers_each_purpose_in_order() -> None:
    model = FakeModel({"decide": ["yes", {"choice": "no"}], "interpret": [{"choice": "yes", "sum": 3}]}, cost_usd=0.1)

    answers = [(await model.ask(question(purpose))).value for purpose in ("decide", "interpret", "decide")]

    assert [answer["choice"] for answer in answers] == ["yes", "yes", "no"]
    assert len(model.requests) == 3


async def test_a_model_may_answer_by_a_function_or_fail() -> None:
    by_function = FakeModel(lambda request: "yes" if "Is" in request.prompt else "no")
    failing = FakeModel({"decide": [ModelUnavailable("overloaded"), "perhaps"]})

    assert (await by_function.ask(question())).value["choice"] == "yes"
    with pytest.raises(ModelUnavailable, match="overloaded"):
        await failing.ask(question())
    with pytest.raises(AnswerUnusable, match="'perhaps' is not one of"):
        await failing.ask(question())
    with pytest.raises(AssertionError, match=r"no answer left to decide: Is it\?"):
        await failing.ask(question())


async def test_an_operator_answers_from_its_script_and_only_with_options() -> None:
    asked = OperatorQuestion("Send?", ("send", "skip"))
    operator = FakeOperator(["skip", OperatorStopped("gone"), "maybe"])

    assert await operator.answer(asked) == "skip"
    with pytest.raises(OperatorStopped):
        await operator.answer(asked)
    with pytest.raises(AssertionError, match=r"'maybe' is no option of 'Send\?': send, skip"):
        await operator.answer(asked)
    with pytest.raises(AssertionError, match="no answer left to: Send"):
        await operator.answer(asked)
    assert await FakeOperator(lambda question: question.options[0]).answer(asked) == "send"


async def test_a_browser_fails_as_often_as_it_was_told_and_then_works() -> None:
    browser, _ = form()
    browser.fail_next(TargetNotFound("late", performed=False), do="click", times=2)

    await browser.perform(Fill(target=Target(label="Name"), value="x"), timeout_s=1)
    for _ in range(2):
        with pytest.raises(TargetNotFound, match="late"):
            await browser.perform(CLICK, timeout_s=1)
    await browser.perform(CLICK, timeout_s=1)

    assert [action.do for action in browser.performed] == ["fill", "click"]


async def test_a_browser_may_do_the_action_and_then_fail() -> None:
    browser, name = form()
    browser.fail_next(StepError("odd", performed=None), after_doing=True)

    with pytest.raises(StepError, match="odd"):
        await browser.perform(Fill(target=Target(label="Name"), value="x"), timeout_s=1)

    assert name.value == "x"


async def test_a_lost_browser_is_lost_to_every_question(tmp_path: Path) -> None:
    browser, _ = form()
    browser.lose()

    for ask in (
        lambda: browser.perform(CLICK, timeout_s=1),
        lambda: browser.look(Visible(visible=Target(role="button")), timeout_s=1),
        lambda: browser.matches(Target(role="button")),
        browser.visible_text,
        browser.where,
        lambda: browser.screenshot(tmp_path),
    ):
        with pytest.raises(BrowserLost):
            await ask()


async def test_pages_change_as_virtual_time_goes_on() -> None:
    clock = FakeClock()
    browser = FakeBrowser([button := Element(role="button", name="Save", enabled=False)], clock=clock)
    clock.after(3, lambda: setattr(button, "enabled", True))

    await browser.perform(CLICK, timeout_s=5)

    assert clock.monotonic() == pytest.approx(3, abs=0.2)


async def test_pages_may_be_added_and_break_while_a_run_goes_on() -> None:
    browser = FakeBrowser({"https://a.test/": [Element(role="button", name="Go")]})
    with pytest.raises(NetworkFailed, match=r"https://b\.test/ cannot be reached: it is none of the fake pages"):
        await browser.perform(Navigate(url="https://b.test/"), timeout_s=1)

    browser.pages["https://b.test/"] = Page([Element(text="Hello")])
    await browser.perform(Navigate(url="https://b.test/"), timeout_s=1)
    assert await browser.visible_text() == "Hello"

    browser.pages["https://b.test/"].status = 503
    with pytest.raises(NetworkFailed, match="answered 503"):
        await browser.perform(Reload(), timeout_s=1)


async def test_a_click_may_lead_to_another_page_in_its_tab() -> None:
    link = Element(role="button", name="Go", on_click=lambda: browser.go("https://b.test/"))
    browser = FakeBrowser({"https://a.test/": [link], "https://b.test/": []})

    await browser.perform(Navigate(url="https://a.test/"), timeout_s=1)
    await browser.perform(CLICK, timeout_s=1)

    assert browser.address == "https://b.test/"


@pytest.mark.parametrize("kind", ["data", "file"])
async def test_a_procedure_is_run_from_data_or_a_file_and_shows_what_it_did(kind: str, tmp_path: Path) -> None:
    browser, name = form()
    file = tmp_path / "p.sop.json"
    file.write_text(json.dumps(SOP))

    ran = await run_sop(SOP if kind == "data" else file, browser, variables={"who": "Bo"}, env={"PIN": "4711"})

    assert ran.result.completed, ran.result.reason
    assert name.value == "Bo 4711"
    assert ran.nodes == ["save"]
    assert [event.label for event in ran.of(StepStarted)] == ["Save"]
    assert "4711" not in texts(ran.events)
    assert "Bo" in texts(ran.events)


async def test_a_file_with_mistakes_and_variables_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "p.sop.json"
    file.write_text("{}")

    with pytest.raises(DocumentInvalid):
        await run_sop(file)
    with pytest.raises(UsageError, match="the procedure has no variable 'whom'; did you mean 'who'"):
        await run_sop(SOP, variables={"whom": "x"}, env={"PIN": "1"})


async def test_a_mistake_of_the_test_is_raised_and_what_was_logged_is_kept() -> None:
    events: list[Event] = []
    unsure = {"id": "d", "type": "decision", "label": "Which way?", "on_unsure": "ask"}
    asking = {**SOP, "public": {**SOP["public"], "nodes": [unsure]}, "private": {}}

    with pytest.raises(AssertionError, match="no answer left"):
        await run_sop(asking, env={"PIN": "1"}, events=events)

    logged = [event.type for event in events]
    assert logged == ["run_started", "step_started", "operator_asked", "run_finished"]
