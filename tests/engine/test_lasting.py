"""What a step entered is looked at once more when the step is over: a page takes back what the site did not save."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.events.types import ActionFailed, ActionFinished, StepFailed, StepFinished
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.page import Element
from sopbench.testing.running import Ran, run_sop

from .procedures import click, one_task

Json = dict[str, Any]


def fill(label: str, value: str, **more: Any) -> Json:
    target = {"label": label}
    return {"do": "fill", "target": target, "value": value, "expect": [{"value": value, "of": target}], **more}


class Record:
    """Two fields that are saved one after the other, and a box. The site refuses the first so many entries."""

    def __init__(self, refused: int = 0) -> None:
        self.left = refused
        self.date = Element(label="Date", value="May 23")
        self.note = Element(label="Note", value="", on_change=self._answered)
        self.box = Element(role="checkbox", name="Done", checked=False)
        self.browser = FakeBrowser([self.date, self.note, self.box])

    def _answered(self) -> None:
        """The answer to what was entered before this, and the value there was before it."""
        if self.left:
            self.left -= 1
            self.date.value = "May 23"


CHECK = {
    "do": "set_checked",
    "target": {"role": "checkbox", "name": "Done"},
    "expect": [{"checked": {"role": "checkbox", "name": "Done"}}],
}
ENTRIES = [fill("Date", "June 2"), fill("Note", "Called"), CHECK]


def done(ran: Ran) -> list[int]:
    return [event.action for event in ran.of(ActionFinished)]


async def test_what_the_page_took_back_is_entered_again_and_all_that_came_after_it() -> None:
    record = Record(refused=1)

    ran = await run_sop(one_task(*ENTRIES), record.browser)

    assert ran.result.completed
    assert (record.date.value, record.note.value, record.box.checked) == ("June 2", "Called", True)
    assert done(ran) == [0, 1, 2, 0, 1, 2]
    assert [(event.tier, event.attempts) for event in ran.of(StepFinished)] == [("retried", 2)]
    lost = ran.of(ActionFailed)
    assert [(event.action, event.error, event.performed) for event in lost] == [(0, "ValueNotHeld", True)]
    assert "did not last" in lost[0].message
    assert "May 23" in lost[0].message


async def test_a_page_that_takes_it_back_every_time_fails_the_step() -> None:
    record = Record(refused=9)

    ran = await run_sop(one_task(*ENTRIES), record.browser)

    assert not ran.result.completed
    assert "did not last" in ran.of(StepFailed)[0].message


async def test_what_was_sent_may_be_empty_again() -> None:
    name = Element(label="Name", value="")
    send = Element(role="button", name="Save", on_click=lambda: setattr(name, "value", ""))

    ran = await run_sop(one_task(fill("Name", "Ada"), click()), FakeBrowser([name, send]))

    assert ran.result.completed
    assert [(event.tier, event.attempts) for event in ran.of(StepFinished)] == [("exact", 1)]


async def test_a_page_may_write_it_in_its_own_way_once_the_field_is_left() -> None:
    size = Element(label="Size", value="")
    name = Element(label="Name", value="", on_change=lambda: setattr(size, "value", "$1,500,000.00"))

    ran = await run_sop(one_task(fill("Size", "1500000"), fill("Name", "Ada")), FakeBrowser([size, name]))

    assert ran.result.completed
    assert done(ran) == [0, 1]


async def test_a_field_that_is_gone_says_nothing() -> None:
    code = Element(label="Code", value="")
    name = Element(label="Name", value="", on_change=code.hide)

    ran = await run_sop(one_task(fill("Code", "1234"), fill("Name", "Ada")), FakeBrowser([code, name]))

    assert done(ran) == [0, 1]
    assert ran.result.completed


async def test_an_entry_that_was_not_to_be_made_is_not_asked_for() -> None:
    record = Record()

    ran = await run_sop(one_task(fill("Date", "June 2", when="1 > 2"), fill("Note", "Called"), CHECK), record.browser)

    assert ran.result.completed
    assert record.date.value == "May 23"


@pytest.mark.parametrize("role", ["option", "radio"])
async def test_a_choice_that_is_clicked_is_an_entry(role: str) -> None:
    stage = Element(role="combobox", name="Stage", text="New")
    choice = Element(role=role, name="Won", on_click=lambda: setattr(stage, "text", "Won"))
    left = ["New"]
    note = Element(label="Note", value="", on_change=lambda: setattr(stage, "text", left.pop() if left else "Won"))
    says = {"text": "Won", "in": {"role": "combobox", "name": "Stage"}}
    choose = {"do": "click", "target": {"role": role, "name": "Won"}, "effect": "idempotent", "expect": [says]}
    box = Element(role="checkbox", name="Done", checked=False)

    ran = await run_sop(one_task(choose, fill("Note", "Called"), CHECK), FakeBrowser([stage, choice, note, box]))

    assert ran.result.completed
    assert stage.text == "Won"
    assert done(ran) == [0, 1, 2, 0, 1, 2]


async def test_what_cannot_be_undone_is_not_done_again_for_an_entry_before_it() -> None:
    record = Record(refused=1)
    sent = Element(role="button", name="Save")
    record.browser = FakeBrowser([record.date, record.note, sent])

    ran = await run_sop(one_task(*ENTRIES[:2], click(), CHECK | {"when": "1 > 2"}), record.browser)

    assert ran.result.completed
    assert done(ran) == [0, 1, 2]


async def test_an_entry_that_does_not_last_leads_to_the_other_way_of_the_step() -> None:
    record = Record(refused=9)
    sop = one_task(*ENTRIES)
    other = {"id": "api", "app": "app", "method_type": "api", "actions": [{"do": "set", "into": "sent", "to": "1"}]}
    written = sop.model_dump(mode="json", by_alias=True, exclude_unset=True)
    written["private"]["skills"].append(other)
    written["private"]["steps"][0]["alt_skills"] = ["api"]

    ran = await run_sop(type(sop).model_validate(written), record.browser)

    assert ran.result.completed
    assert [event.tier for event in ran.of(StepFinished)] == ["alternative"]


async def test_the_last_entry_is_looked_at_again_where_something_was_refused() -> None:
    record = Record()
    answers = [False, True]

    def answer() -> bool:
        if not (taken := answers.pop(0)):
            record.date.value = "May 23"
        return taken

    record.browser.answers = answer
    ran = await run_sop(one_task(fill("Date", "June 2")), record.browser)

    assert ran.result.completed
    assert record.date.value == "June 2"
    assert done(ran) == [0, 0]
