"""What comes between, as the document knows it: dealt with apart, and then the step goes on."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.events.types import Interrupted, InterruptionEnded, RunResumed, StepFailed, StepFinished
from sopbench.sop.document import Sop
from sopbench.sop.graph import check
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.page import Element
from sopbench.testing.running import Ran, run_sop
from tests.engine.procedures import Json, click, loop, node, procedure

BANNER: Json = {"visible": {"role": "dialog", "name": "Cookies"}}
SAVED: Json = {"visible": {"role": "status"}}


def interruption(*do: str, **more: Any) -> Json:
    return {"id": "I1", "label": "Cookie banner", "when": [BANNER], "do": list(do), **more}


def knowing(sop: Sop, *interruptions: Json) -> Sop:
    data = sop.model_dump(by_alias=True)
    data["public"]["interruptions"] = list(interruptions)
    return Sop.model_validate(data)


class Shop:
    """A page whose button is covered by a banner that somebody has to accept."""

    def __init__(self, *, returns: bool = False) -> None:
        self.saved = 0
        self.returns = returns
        self.status = Element(role="status", text="Saved", visible=False)
        self.save = Element(role="button", name="Save", covered_by="a banner", on_click=self._save)
        self.accept = Element(role="button", name="Accept", on_click=self._accept)
        self.banner = Element(role="dialog", name="Cookies", children=[self.accept])
        self.browser = FakeBrowser([self.save, self.status, self.banner])

    def _save(self) -> None:
        self.saved += 1
        self.status.show()

    def _accept(self) -> None:
        if not self.returns:
            self.banner.hide()
            self.save.covered_by = ""


def saving(*interruptions: Json, **more: Any) -> Sop:
    nodes = [node("save", **more), node("end", "end"), node("accept")]
    does = {"save": [click(expect=[SAVED])], "accept": [click("Accept", effect="idempotent")]}
    return knowing(procedure(nodes, "save > end", does=does), *interruptions)


def tiers(ran: Ran) -> dict[str, str]:
    return {event.node: event.tier for event in ran.of(StepFinished)}


async def test_what_came_between_is_dealt_with_and_the_action_is_done() -> None:
    shop = Shop()

    ran = await run_sop(saving(interruption("accept")), shop.browser)

    assert ran.result.completed
    assert shop.saved == 1
    assert ran.nodes == ["save", "accept", "end"]
    assert tiers(ran) == {"accept": "exact", "save": "interrupted", "end": "exact"}
    assert ran.of(Interrupted)[0].seen == ("dialog 'Cookies' is visible",)
    assert not ran.of(InterruptionEnded)[0].failed


async def test_the_steps_that_deal_with_it_have_numbers_of_their_own() -> None:
    shop = Shop()

    ran = await run_sop(saving(interruption("accept")), shop.browser)

    assert [(event.node, event.step) for event in ran.of(StepFinished)] == [("accept", 2), ("save", 1), ("end", 3)]
    assert ran.result.steps == 3


async def test_no_attempt_of_the_step_is_used_up_by_it() -> None:
    shop = Shop()

    ran = await run_sop(saving(interruption("accept"), retry={"max_attempts": 1}), shop.browser)

    assert ran.result.completed


async def test_a_clean_run_never_looks_for_it() -> None:
    shop = Shop()
    shop.banner.hide()
    shop.save.covered_by = ""

    ran = await run_sop(saving(interruption("accept")), shop.browser)

    assert ran.nodes == ["save", "end"]
    assert set(tiers(ran).values()) == {"exact"}


async def test_one_that_does_not_go_away_is_dealt_with_only_so_often() -> None:
    shop = Shop(returns=True)

    ran = await run_sop(saving(interruption("accept", most=2)), shop.browser)

    assert ran.result.status == "failed"
    assert "covered" in ran.result.reason or "intercepts" in ran.result.reason
    assert len(ran.of(Interrupted)) == 2


async def test_where_it_cannot_be_dealt_with_the_step_fails_with_its_own_error() -> None:
    shop = Shop()
    shop.banner.children = []

    ran = await run_sop(saving(interruption("accept")), shop.browser)

    assert ran.of(InterruptionEnded)[0].failed
    assert [event.node for event in ran.of(StepFailed)] == ["accept", "save"]
    assert "a banner intercepts" in ran.result.reason


async def test_an_irreversible_action_that_may_have_been_done_is_not_done_again_after_it() -> None:
    shop = Shop()
    shop.save.covered_by = ""
    shop.save.on_click = lambda: setattr(shop, "saved", shop.saved + 1)

    ran = await run_sop(saving(interruption("accept")), shop.browser)

    assert shop.saved == 1
    assert ran.result.status == "failed"


async def test_what_the_action_brought_about_is_seen_once_the_banner_is_gone() -> None:
    shop = Shop()
    shop.save.covered_by = ""
    shop.save.on_click = lambda: setattr(shop, "saved", shop.saved + 1)

    def accepted() -> None:
        shop.banner.hide()
        shop.status.show()

    shop.accept.on_click = accepted

    ran = await run_sop(saving(interruption("accept")), shop.browser)

    assert shop.saved == 1
    assert ran.result.completed


async def test_it_is_met_in_a_loop_and_the_item_goes_on() -> None:
    shop = Shop()
    nodes = [loop("each", "save"), node("save"), node("accept")]
    does = {"save": [click(expect=[SAVED], effect="idempotent")], "accept": [click("Accept", effect="idempotent")]}
    sop = knowing(procedure(nodes, does=does, variables={"items": ["a", "b"]}), interruption("accept"))

    ran = await run_sop(sop, shop.browser)

    assert ran.result.completed
    assert ran.nodes == ["each", "save", "accept", "save"]
    assert shop.saved == 2


async def test_a_task_with_children_deals_with_it_and_what_comes_after_it_is_not_done() -> None:
    shop = Shop()
    nodes = [node("group", children=["accept"]), node("accept"), node("save"), node("end", "end")]
    does = {"save": [click(expect=[SAVED])], "accept": [click("Accept", effect="idempotent")]}
    sop = knowing(procedure(nodes, "group > save, save > end", does=does), interruption("group"))
    shop.returns = True

    ran = await run_sop(sop, shop.browser)

    assert ran.nodes[:5] == ["group", "accept", "save", "group", "accept"]
    assert shop.saved == 0


async def test_it_is_not_looked_for_in_the_steps_that_deal_with_it() -> None:
    shop = Shop()
    shop.accept.name = "Agree"
    nodes = [node("accept"), node("end", "end")]
    does = {"accept": [click("Accept", effect="idempotent")]}

    ran = await run_sop(knowing(procedure(nodes, "accept > end", does=does), interruption("accept")), shop.browser)

    assert not ran.of(Interrupted)


@pytest.mark.parametrize("do", [["nowhere"], ["each"], ["inner"]])
def test_only_a_task_inside_nothing_else_can_deal_with_it(do: list[str]) -> None:
    from_checks = procedure([loop("each", "inner"), node("inner")], variables={"items": []})

    found = check_of(knowing(from_checks, interruption(*do)))

    assert any(each.startswith("/public/interruptions/0/do/0") for each in found)


def test_a_task_that_only_deals_with_it_is_neither_the_start_nor_out_of_reach() -> None:
    nodes = [node("accept"), node("save"), node("end", "end")]

    found = check_of(knowing(procedure(nodes, "save > end"), interruption("accept")))

    assert not [each for each in found if "accept" in each]


def check_of(sop: Sop) -> list[str]:
    return [f"{each.pointer} {each.severity} {each.message}" for each in check(sop)]


def with_resume(sop: Sop) -> Sop:
    data = sop.model_dump(by_alias=True)
    data["private"]["resume"] = {"max_attempts": 2, "backoff_s": [0]}
    return Sop.model_validate(data)


async def test_where_what_was_under_way_may_be_lost_the_run_begins_again() -> None:
    shop = Shop()
    losing = interruption("accept", then="begin_again")

    ran = await run_sop(with_resume(saving(losing)), shop.browser)

    [resumed] = ran.of(RunResumed)
    assert ran.result.completed
    assert shop.saved == 1
    assert ran.nodes == ["save", "accept", "save", "end"]
    assert resumed.why.startswith("Cookie banner: dealt with, but what was under way may be lost; before it: ")
    assert not ran.of(InterruptionEnded)[0].failed


async def test_nothing_else_is_tried_in_between_and_without_a_new_beginning_the_step_fails() -> None:
    shop = Shop()
    sop = saving(interruption("accept", then="begin_again"), retry={"max_attempts": 3})

    ran = await run_sop(sop, shop.browser)

    assert not ran.result.completed
    assert shop.saved == 0
    assert len(ran.of(StepFailed)) == 1
    assert ran.result.reason.startswith("Cookie banner: dealt with")
