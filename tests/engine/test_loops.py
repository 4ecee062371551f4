"""Loops: their items, their iterations, and items that fail."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.errors import TargetNotFound
from sopbench.events.types import Event, IterationFinished, IterationStarted, LoopEntered, StepFailed, StepFinished
from sopbench.sop.document import Sop
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.page import Element
from sopbench.testing.running import run_sop

from .procedures import click, decision, loop, node, procedure, put


def finished(events: list[Event]) -> list[tuple[str, int, bool]]:
    return [(e.node, e.index, e.failed) for e in events if isinstance(e, IterationFinished)]


@pytest.mark.parametrize("items", [[], ["a"], ["a", "b", "c"]])
async def test_the_children_are_done_once_for_each_item_and_all_processed_leads_on(items: list[str]) -> None:
    sop = procedure([loop("each", "x y"), node("x"), node("y"), node("after")], "x > y, each all_processed> after")

    ran = await run_sop(_with(sop, items))

    assert ran.nodes == ["each", *["x", "y"] * len(items), "after"]
    assert [event.items for event in ran.of(LoopEntered)] == [len(items)]
    assert [event.item for event in ran.of(IterationStarted)] == items
    assert finished(ran.events) == [("each", index, False) for index in range(len(items))]
    assert ran.of(StepFinished)[-2].condition == "all_processed"


@pytest.mark.parametrize("back", ["each", "x"], ids=["to the loop", "to its first child"])
async def test_a_back_edge_ends_the_iteration(back: str) -> None:
    sop = procedure([loop("each", "x y"), node("x"), node("y")], f"x > y, y > {back}")

    ran = await run_sop(_with(sop, [1, 2]))

    assert ran.nodes == ["each", "x", "y", "x", "y"]
    assert ran.result.completed


async def test_a_decision_may_end_an_iteration_early() -> None:
    sop = procedure(
        [loop("each", "d x"), decision("d", ({"that": "item > 1"}, "yes")), node("x")], "d yes> x, d no> each"
    )

    ran = await run_sop(_with(sop, [1, 2]))

    assert ran.nodes == ["each", "d", "d", "x"]


async def test_an_edge_out_of_the_loop_leaves_it_with_items_undone() -> None:
    sop = procedure(
        [loop("each", "d"), decision("d", ({"that": "item == 2"}, "yes")), node("out")], "d yes> out, d no> each"
    )

    ran = await run_sop(_with(sop, [1, 2, 3]))

    assert ran.nodes == ["each", "d", "d", "out"]
    assert finished(ran.events) == [("each", 0, False), ("each", 1, False)]
    assert ran.result.variables.keys() == {"items"}


async def test_an_end_inside_a_loop_ends_the_run_and_closes_what_is_open() -> None:
    sop = procedure([loop("each", "x stop"), node("x"), node("stop", "end")], "x > stop")

    ran = await run_sop(_with(sop, [1, 2]))

    assert ran.result.completed
    assert finished(ran.events) == [("each", 0, False)]
    assert [event.node for event in ran.of(StepFinished)] == ["x", "stop", "each"]


async def test_the_matches_of_a_target_are_items_counted_once() -> None:
    rows = [Element(role="row", text="Ada"), Element(role="row", text="Bob")]
    browser = FakeBrowser([*rows, Element(role="button", name="Save", on_click=rows[1].children.clear)])
    sop = procedure([loop("each", "x", items={"role": "row"}, **{"as": "row"}), node("x")], does={"x": [click()]})

    ran = await run_sop(sop, browser)

    assert [event.item for event in ran.of(IterationStarted)] == [
        {"index": 0, "text": "Ada"},
        {"index": 1, "text": "Bob"},
    ]
    assert len(browser.performed) == 2


async def test_items_may_be_picked_by_an_expression() -> None:
    sop = procedure([loop("each", "x", items="items | select('gt', 1)"), node("x")])

    ran = await run_sop(_with(sop, [1, 2, 3]))

    assert [event.item for event in ran.of(IterationStarted)] == [2, 3]


async def test_nested_loops_know_their_place() -> None:
    sop = procedure(
        [loop("outer", "inner tail"), loop("inner", "x", items="item.sub", **{"as": "part"}), node("x"), node("tail")],
        "inner all_processed> tail",
        does={"x": [put("seen", "[item.name, part, loop.index, loop.count]")]},
    )

    ran = await run_sop(_with(sop, [{"name": "a", "sub": [1, 2]}, {"name": "b", "sub": []}]))

    assert ran.nodes == ["outer", "inner", "x", "x", "tail", "inner", "tail"]
    paths = [event.path for event in ran.events if event.type == "step_started"]  # type: ignore[attr-defined]
    assert paths[2:4] == [("outer[0]", "inner[0]"), ("outer[0]", "inner[1]")]
    assert [e.value for e in ran.events if e.type == "variable_set"] == [  # type: ignore[attr-defined]
        ["a", 1, 0, 2],
        ["a", 2, 1, 2],
    ]


async def test_an_inner_loop_may_end_the_item_of_the_outer_one() -> None:
    sop = procedure(
        [
            loop("outer", "inner tail"),
            loop("inner", "d", items="[1, 2]", **{"as": "part"}),
            decision("d", ({"that": "part == 1"}, "yes")),
            node("tail"),
        ],
        "d yes> outer, d no> inner, inner all_processed> tail",
    )

    ran = await run_sop(_with(sop, ["a", "b"]), limits={"steps": 20})

    assert ran.nodes == ["outer", "inner", "d", "inner", "d"]
    assert ran.result.completed


async def test_variables_of_an_iteration_do_not_leak_into_the_next_nor_out_of_the_loop() -> None:
    sop = procedure(
        [loop("each", "x"), node("x"), node("after")],
        "each all_processed> after",
        does={
            "x": [put("fresh", "note | default('none')"), put("note", "item")],
            "after": [put("left", "note | default('none')")],
        },
    )

    ran = await run_sop(_with(sop, [1, 2]))

    values = [(e.name, e.value) for e in ran.events if e.type == "variable_set"]  # type: ignore[attr-defined]
    assert values == [("fresh", "none"), ("note", 1), ("fresh", "none"), ("note", 2), ("left", "none")]
    assert ran.result.variables == {"items": [1, 2], "left": "none"}


async def test_items_that_are_no_list_fail_the_loop() -> None:
    ran = await run_sop(_with(procedure([loop("each", "x"), node("x")]), "abc"))

    assert ran.result.reason == "the items of loop 'each' are no list: 'abc'"
    assert ran.result.cause == "data"


async def test_more_items_than_allowed_are_refused_before_the_first() -> None:
    ran = await run_sop(_with(procedure([loop("each", "x", max_iterations=2), node("x")]), [1, 2, 3]))

    assert ran.nodes == ["each"]
    assert ran.result.cause == "limit"
    assert ran.result.reason == "loop 'each' has 3 items, more than its max_iterations 2"


async def test_a_failed_item_is_passed_over_where_allowed_and_the_run_ends_as_failed_naming_it() -> None:
    browser = FakeBrowser([Element(role="button", name=name) for name in ("a", "c")])
    sop = _clicking(loop("each", "x y", on_item_error="continue"))

    ran = await run_sop(_with(sop, ["a", "b", "c"]), browser)

    assert ran.nodes == ["each", "x", "y", "x", "x", "y", "after"]
    assert finished(ran.events) == [("each", 0, False), ("each", 1, True), ("each", 2, False)]
    assert ran.result.status == "failed"
    assert ran.result.reason.startswith(
        "1 item was given up: each[1]: no element fits button 'b'; none was taken for it"
    )
    assert ran.result.cause == "target"
    assert [event.node for event in ran.of(StepFailed)] == ["x"]


async def test_a_failed_item_ends_the_run_where_nothing_else_is_said() -> None:
    sop = _clicking(loop("each", "x y"))

    ran = await run_sop(_with(sop, ["b", "a"]), FakeBrowser([Element(role="button", name="a")]))

    assert ran.nodes == ["each", "x"]
    assert ran.result.reason.startswith("no element fits button 'b'; none was taken for it: ")
    assert ran.result.cause == "target"


async def test_a_failure_in_an_inner_loop_fails_the_item_of_the_outer_one_and_nothing_pretends_otherwise() -> None:
    sop = procedure(
        [
            loop("outer", "group", on_item_error="continue"),
            node("group", children=["inner"]),
            loop("inner", "x", items="[1, 2]", **{"as": "part"}),
            node("x"),
        ],
        does={"x": [click("{{ item }}")]},
    )

    ran = await run_sop(_with(sop, ["b", "a"]), FakeBrowser([Element(role="button", name="a")]))

    assert finished(ran.events) == [
        ("inner", 0, True), ("outer", 0, True), ("inner", 0, False), ("inner", 1, False), ("outer", 1, False),
    ]  # fmt: skip
    assert [event.node for event in ran.of(StepFailed)] == ["x", "inner", "group"]
    assert [event.node for event in ran.of(StepFinished)] == ["x", "x", "inner", "group", "outer"]
    assert ran.result.reason.count("given up") == 1


async def test_a_lost_browser_ends_the_run_whatever_the_loop_says() -> None:
    browser = FakeBrowser([Element(role="button", name="a")])
    browser.performed = _LosingList(browser)
    sop = _clicking(loop("each", "x y", on_item_error="continue"))

    ran = await run_sop(_with(sop, ["a", "a", "a"]), browser)

    assert ran.nodes == ["each", "x", "y", "x"]
    assert ran.result.cause == "browser"


async def test_a_failed_item_that_was_retried_counts_its_attempts() -> None:
    browser = FakeBrowser([Element(role="button", name="a")])
    browser.fail_next(TargetNotFound("covered", performed=False), times=2)
    sop = _clicking(loop("each", "x y", on_item_error="continue"))

    ran = await run_sop(_with(sop, ["a", "a"]), browser)

    assert [event.attempts for event in ran.of(StepFailed)] == [2]
    assert [event.attempts for event in ran.of(StepFinished) if event.node == "x"] == [1]


class _LosingList(list[Any]):
    """Loses the browser as soon as it has done something."""

    def __init__(self, browser: FakeBrowser) -> None:
        super().__init__()
        self._browser = browser

    def append(self, action: Any) -> None:
        super().append(action)
        self._browser.lose()


def _clicking(the_loop: dict[str, Any]) -> Sop:
    return procedure(
        [the_loop, node("x"), node("y"), node("after")],
        "x > y, each all_processed> after",
        does={"x": [click("{{ item }}")]},
    )


def _with(sop: Sop, items: Any) -> Sop:
    public = sop.public.model_copy(update={"variables": {"items": items}})
    return sop.model_copy(update={"public": public})
