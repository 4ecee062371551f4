"""What is expected of an element that is called otherwise now is expected of what stands for it."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.engine.context import Autonomy
from sopbench.events.types import ActionFinished, DecisionMade, RunFinished, StepFinished
from sopbench.sop.document import Sop
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.page import Element
from sopbench.testing.running import Ran, run_sop

from .procedures import click, decision, node, one_task, procedure, put

FIELD = {"label": "Enter your password"}
RECORDED = {"role": "textbox", "label": "Enter your password", "id": "passwd", "container": ["form 'Sign in'"]}
FAST = {"find_s": 0.1}


class SignIn:
    """A page on which *Next* brings up a field."""

    def __init__(self, *shown: Element) -> None:
        for each in shown:
            each.visible = False
        after = Element(role="button", name="Next", on_click=self.go_on)
        form = Element(role="form", name="Sign in", children=[after, *shown])
        self.shown = shown
        self.browser = FakeBrowser([form])

    def go_on(self) -> None:
        for each in self.shown:
            each.show()


def field(label: str, key: str = "passwd") -> Element:
    return Element(role="textbox", label=label, value="", attributes={"id": key})


def signing_in(expected: dict[str, Any] = FIELD, **more: Any) -> Sop:
    fill = {"do": "fill", "target": {**FIELD, "fingerprint": RECORDED}, "value": "secret"}
    does = {"ask": [click("Next", effect="idempotent", expect=[{"visible": expected}])], "answer": [fill]}
    return procedure([node("ask", **more), node("answer")], "ask > answer", does=does)


async def sign_in(page: SignIn, sop: Sop | None = None, autonomy: Autonomy = Autonomy.LIGHT) -> Ran:
    return await run_sop(sop or signing_in(), page.browser, limits=FAST, autonomy=autonomy)


async def test_the_announced_field_is_there_under_another_label() -> None:
    page = SignIn(field("Type your password"))

    ran = await sign_in(page)

    assert ran.result.completed
    assert page.shown[0].value == "secret"
    assert [each.tier for each in ran.of(StepFinished)] == ["healed", "healed"]
    assert ran.of(ActionFinished)[0].expected == (
        "element 'Type your password' is visible, which stands for element 'Enter your password'",
    )


@pytest.mark.parametrize(
    ("expected", "shown"),
    [
        ({"role": "heading", "name": "Welcome"}, Element(role="heading", name="Hello")),
        ({"role": "button", "name": "Undo"}, Element(role="button", name="Revert")),
    ],
    ids=["a heading", "a button that nobody presses"],
)
async def test_what_is_not_used_is_known_by_its_words_alone(expected: dict[str, Any], shown: Element) -> None:
    page = SignIn(shown)

    ran = await sign_in(page, signing_in(expected))

    assert ran.nodes == ["ask"]
    assert ran.of(RunFinished)[0].reason.startswith("expected: ")


async def test_another_field_is_not_taken_for_the_announced_one() -> None:
    page = SignIn(field("Search", key="q"))

    ran = await sign_in(page)

    assert ran.nodes == ["ask"]
    assert page.shown[0].value == ""


async def test_what_is_there_as_announced_needs_no_second_look() -> None:
    page = SignIn(field("Enter your password"))

    ran = await sign_in(page)

    assert [each.tier for each in ran.of(StepFinished)] == ["exact", "exact"]


@pytest.mark.parametrize("narrowed", ["by the run", "by the node"])
async def test_it_is_not_looked_for_where_nothing_may_be_healed(narrowed: str) -> None:
    page = SignIn(field("Type your password"))
    sop = signing_in(recovery=["retry"]) if narrowed == "by the node" else signing_in()

    ran = await sign_in(page, sop, Autonomy.DETERMINISTIC if narrowed == "by the run" else Autonomy.LIGHT)

    assert ran.nodes == ["ask"]
    assert not ran.result.completed


def filling(expect: list[dict[str, Any]], target: dict[str, Any] | None = None) -> Sop:
    known = {**FIELD, "fingerprint": RECORDED}
    return one_task({"do": "fill", "target": target or known, "value": "secret", "expect": expect})


async def test_what_a_healed_action_should_bring_about_is_seen_of_the_element_that_was_taken() -> None:
    page = FakeBrowser([Element(role="form", name="Sign in", children=[field("Type your password")])])

    ran = await run_sop(filling([{"value": "secret", "of": FIELD}]), page, limits=FAST)

    assert ran.result.completed
    assert ran.of(StepFinished)[0].tier == "healed"


async def test_it_must_really_hold_there() -> None:
    page = FakeBrowser([Element(role="form", name="Sign in", children=[field("Type your password")])])

    ran = await run_sop(filling([{"value": "something else", "of": FIELD}]), page, limits=FAST)

    assert not ran.result.completed
    assert "'Type your password' holds 'something else'" in ran.of(RunFinished)[0].reason


@pytest.mark.parametrize("goes", [True, False])
async def test_what_is_called_otherwise_is_not_hidden_while_what_stands_for_it_shows(goes: bool) -> None:
    closing = Element(role="button", name="Shut", attributes={"id": "close"})
    closing.on_click = closing.hide if goes else None
    target = {"role": "button", "name": "Close"}
    recorded = {**target, "id": "close", "container": ["dialog 'Search'"]}
    page = FakeBrowser([Element(role="dialog", name="Search", children=[closing])])
    action = {"do": "click", "target": {**target, "fingerprint": recorded}, "expect": [{"hidden": target}]}

    ran = await run_sop(one_task(action), page, limits=FAST)

    assert ran.result.completed == goes


@pytest.mark.parametrize("known", [True, False])
async def test_a_decision_knows_what_stands_for_an_element_but_does_not_look_for_it(known: bool) -> None:
    page = FakeBrowser([Element(role="form", name="Sign in", children=[field("Type your password")])])
    fill = {"do": "fill", "target": {**FIELD, "fingerprint": RECORDED}, "value": "secret"}
    does = {"answer": [fill]} if known else {"answer": [put("x", "1")], "more": [fill]}
    asks = decision("there", ({"visible": FIELD}, "yes"))
    sop = procedure(
        [node("answer"), asks, node("more"), node("end", "end")],
        "answer > there, there yes> end, there no> end, more > end",
        does=does,
    )

    ran = await run_sop(sop, page, limits=FAST)

    assert [each.branch for each in ran.of(DecisionMade)] == ["yes" if known else "no"]
