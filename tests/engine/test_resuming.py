"""A run that failed begins again from its start, and repeats nothing that is done or cannot be undone."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.errors import NetworkFailed
from sopbench.events.types import ItemPassedOver, IterationFinished, RunResumed
from sopbench.sop.document import Sop
from sopbench.testing.browser import PAGE, FakeBrowser
from sopbench.testing.page import Element
from sopbench.testing.running import run_sop
from tests.engine.procedures import Json, click, loop, node, procedure, put

RESUME: Json = {"max_attempts": 2, "backoff_s": [3]}


class Desk:
    """A page with a button per item; each can be told to fail, and how often."""

    def __init__(self, *names: str, **failing: int) -> None:
        self.clicked: list[str] = []
        self.failing = failing
        self.status = Element(role="status", text="done", visible=False)
        self.buttons = [Element(role="button", name=name, on_click=self.click(name)) for name in names]
        self.browser = FakeBrowser([*self.buttons, self.status])

    def click(self, name: str) -> Any:
        def happens() -> None:
            self.clicked.append(name)
            works = not self.failing.get(name)
            self.failing[name] = max(0, self.failing.get(name, 0) - 1)
            self.status.visible = works

        return happens


def through(items: list[Any], effect: str = "idempotent", *, resume: Json | None = RESUME, **more: Any) -> Sop:
    does = {
        "begin": [put("tried", "1")],
        "do": [click("{{ item }}", effect=effect, expect=[{"visible": {"role": "status"}}])],
    }
    nodes = [node("begin"), loop("each", "do", **more), node("do", retry={"max_attempts": 1}), node("end", "end")]
    edges = "begin > each, each all_processed> end"
    data = procedure(nodes, edges, does=does, variables={"items": items}).model_dump(by_alias=True)
    data["private"]["resume"] = resume
    return Sop.model_validate(data)


async def test_items_that_are_done_are_passed_over() -> None:
    desk = Desk("a", "b", "c", b=1)

    ran = await run_sop(through(["a", "b", "c"]), desk.browser)

    assert ran.result.completed
    assert desk.clicked == ["a", "b", "b", "c"]
    assert [event.item for event in ran.of(ItemPassedOver)] == ["a"]
    assert [(event.index, event.failed) for event in ran.of(IterationFinished)] == [
        (0, False), (1, True), (1, False), (2, False),
    ]  # fmt: skip
    resumed = ran.of(RunResumed)[0]
    assert (resumed.number, resumed.done, resumed.node, resumed.cause) == (1, 1, "do", "timing")
    assert desk.browser.clock.slept.count(3) == 1  # type: ignore[attr-defined]


async def test_it_begins_in_an_empty_window_with_the_variables_that_were_given() -> None:
    desk = Desk("a", a=1)
    sop = through(["a"])
    desk.browser.go("https://page.test/other")
    desk.browser.pages["https://page.test/other"] = desk.browser.pages[PAGE]

    ran = await run_sop(sop, desk.browser)

    assert ran.result.completed
    assert desk.browser.address == PAGE


async def test_it_begins_again_only_as_often_as_the_document_says() -> None:
    desk = Desk("a", a=9)

    ran = await run_sop(through(["a"], resume={"max_attempts": 3, "backoff_s": [1, 2]}), desk.browser)

    assert ran.result.status == "failed"
    assert [event.waited_s for event in ran.of(RunResumed)] == [1, 2]
    assert desk.clicked == ["a", "a", "a"]


async def test_a_document_that_does_not_say_so_is_not_begun_again() -> None:
    desk = Desk("a", a=1)

    ran = await run_sop(through(["a"], resume=None), desk.browser)

    assert ran.result.status == "failed"
    assert not ran.of(RunResumed)


async def test_what_cannot_be_undone_and_may_have_been_done_forbids_it() -> None:
    desk = Desk("a", "b", b=1)

    ran = await run_sop(through(["a", "b"], "irreversible", key="item"), desk.browser)

    assert ran.result.status == "failed"
    assert desk.clicked == ["a", "b"]
    assert "it is not begun again: 'click button 'b'' cannot be undone, and was done" in ran.result.reason


async def test_where_items_may_be_repeated_the_document_has_seen_to_it() -> None:
    desk = Desk("a", "b", b=1)

    ran = await run_sop(through(["a", "b"], "irreversible", repeatable=True), desk.browser)

    assert ran.result.completed
    assert desk.clicked == ["a", "b", "b"]


async def test_what_was_done_for_good_outside_of_loops_forbids_it() -> None:
    desk = Desk("send", "a", a=1)
    data = through(["a"]).model_dump(by_alias=True)
    data["private"]["skills"][0]["actions"] = [click("send", effect="irreversible")]

    ran = await run_sop(Sop.model_validate(data), desk.browser)

    assert ran.result.status == "failed"
    assert desk.clicked == ["send", "a"]


async def test_items_that_were_given_up_are_tried_again_at_the_end() -> None:
    desk = Desk("a", "b", "c", b=1)

    ran = await run_sop(through(["a", "b", "c"], on_item_error="continue"), desk.browser)

    assert ran.result.completed
    assert desk.clicked == ["a", "b", "c", "b"]


async def test_given_up_for_good_in_an_item_that_cannot_be_undone_they_are_not() -> None:
    desk = Desk("a", "b", b=1)

    ran = await run_sop(through(["b", "a"], "irreversible", on_item_error="continue"), desk.browser)

    assert ran.result.status == "failed"
    assert desk.clicked == ["b", "a"]


async def test_a_browser_that_is_gone_is_started_again() -> None:
    desk = Desk("a", "b")

    def lose() -> None:
        desk.clicked.append("b")
        desk.browser.lose()
        desk.buttons[1].on_click = desk.click("b")

    desk.buttons[1].on_click = lose
    sop = through(["a", "b"])

    ran = await run_sop(sop, desk.browser)

    assert [event.cause for event in ran.of(RunResumed)] == ["browser"]
    assert desk.clicked == ["a", "b", "b"]


async def test_without_a_browser_to_be_had_the_run_fails() -> None:
    desk = Desk("a")
    desk.buttons[0].on_click = lambda: desk.browser.lose(for_good=True)

    ran = await run_sop(through(["a"]), desk.browser)

    assert (ran.result.status, ran.result.cause) == ("failed", "browser")


async def test_an_item_is_known_by_its_key_when_the_rest_of_it_has_changed() -> None:
    desk = Desk("a", "b", b=1)
    listings = [[{"id": 1, "name": "a", "seen": 0}, {"id": 2, "name": "b"}], [{"id": 1, "name": "a", "seen": 1}, {"id": 2, "name": "b"}]]  # noqa: E501  # fmt: skip
    data = through([], key="item.id").model_dump(by_alias=True)
    data["private"]["skills"][0]["actions"] = [put("items", "listings[0] if times else listings[1]")]
    data["public"]["variables"] = {"listings": listings, "times": 0}
    data["private"]["skills"][1]["actions"][0]["target"]["name"] = "{{ item.name }}"

    ran = await run_sop(Sop.model_validate(data), desk.browser)

    assert ran.result.completed
    assert desk.clicked == ["a", "b", "b"]


async def test_of_items_alike_as_many_are_passed_over_as_are_done() -> None:
    desk = Desk("a", "b", b=1)

    ran = await run_sop(through(["a", "b", "a"]), desk.browser)

    assert ran.result.completed
    assert desk.clicked == ["a", "b", "b", "a"]


@pytest.mark.parametrize("times", [1, 2])
async def test_a_failure_before_any_loop_begins_again_too(times: int) -> None:
    desk = Desk("a")
    desk.browser.fail_next(NetworkFailed("no network", performed=False), do="navigate", times=times)
    data = through(["a"]).model_dump(by_alias=True)
    data["private"]["skills"][0]["actions"] = [{"do": "navigate", "url": PAGE}]

    ran = await run_sop(Sop.model_validate(data), desk.browser)

    assert ran.result.completed
    assert len(ran.of(RunResumed)) == times - 1


async def test_an_item_that_failed_and_is_not_listed_any_more_is_told() -> None:
    desk = Desk("a", "b")
    data = through([], key="item.index").model_dump(by_alias=True)
    data["public"]["nodes"][1]["items"] = {"role": "button"}
    data["private"]["skills"][1]["actions"][0]["target"] = {"role": "button", "nth": "{{ item.index }}"}

    def go() -> None:
        desk.status.hide()
        desk.browser.pages[PAGE].elements.remove(desk.buttons[1])

    desk.buttons[1].on_click = go
    ran = await run_sop(Sop.model_validate(data), desk.browser)

    assert desk.clicked == ["a"]
    assert ran.result.status == "failed"
    assert "what was to be done before the run began again is not listed any more: each:" in ran.result.reason


async def test_without_a_key_what_was_done_for_good_in_an_item_that_is_done_forbids_it() -> None:
    desk = Desk("a", "b")
    desk.browser.fail_next(NetworkFailed("no network", performed=False), do="navigate", times=2)
    data = through(["a"], "irreversible").model_dump(mode="json", by_alias=True)
    data["public"]["nodes"].insert(3, node("after"))
    data["public"]["edges"] = [
        {"source": "begin", "target": "each"}, {"source": "each", "target": "after", "condition": "all_processed"},
        {"source": "after", "target": "end"},
    ]  # fmt: skip
    data["private"]["skills"].append({"id": "go", "app": "app", "actions": [{"do": "navigate", "url": PAGE}]})
    data["private"]["steps"].append({"node_id": "after", "primary_skill": "go"})

    without = await run_sop(Sop.model_validate(data), desk.browser)
    data["public"]["nodes"][1]["key"] = "item"
    desk.browser.fail_next(NetworkFailed("no network", performed=False), do="navigate", times=2)
    with_key = await run_sop(Sop.model_validate(data), desk.browser)

    assert without.result.status == "failed"
    assert "it is not begun again" in without.result.reason
    assert with_key.result.completed
    assert desk.clicked == ["a", "a"]


@pytest.mark.parametrize(("key", "status"), [("item.index", "failed"), (None, "completed")])
async def test_an_item_that_was_still_to_be_done_and_is_not_listed_any_more_is_told(
    key: str | None, status: str
) -> None:
    desk = Desk("a", "b", "c", b=1)
    data = through([], key=key).model_dump(by_alias=True)
    data["public"]["nodes"][1]["items"] = {"role": "button"}
    data["private"]["skills"][1]["actions"][0]["target"] = {"role": "button", "nth": "{{ item.index }}"}
    fails = desk.buttons[1].on_click

    def go() -> None:
        assert fails is not None
        fails()
        if desk.buttons[2] in desk.browser.pages[PAGE].elements:
            desk.browser.pages[PAGE].elements.remove(desk.buttons[2])

    desk.buttons[1].on_click = go
    ran = await run_sop(Sop.model_validate(data), desk.browser)

    assert desk.clicked == ["a", "b", "b"]
    assert ran.result.status == status
    assert ("is not listed any more: each:" in ran.result.reason) == (status == "failed")
