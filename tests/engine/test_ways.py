"""The way through a procedure: from node to node, in and out of compound tasks, to its end."""

from __future__ import annotations

import pytest

from sopbench.engine.context import Autonomy
from sopbench.errors import UsageError
from sopbench.events.types import DecisionMade, Event, RunFinished, RunStarted, StepFinished, VariableSet
from sopbench.ports.browser import Seen
from sopbench.sop.targets import PageExpectation
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.clock import FakeClock
from sopbench.testing.page import Element
from sopbench.testing.running import run_sop

from .procedures import asking, click, decision, node, one_task, procedure, put


async def test_nodes_are_done_in_the_order_of_their_edges_and_the_run_says_so_from_start_to_end() -> None:
    sop = procedure([node("b"), node("a"), node("end", "end")], "a > b, b > end")

    ran = await run_sop(sop)

    assert ran.nodes == ["a", "b", "end"]
    assert isinstance(ran.events[0], RunStarted)
    assert isinstance(ran.events[-1], RunFinished)
    assert [event.seq for event in ran.events] == list(range(1, len(ran.events) + 1))
    assert ran.result.completed
    assert ran.result.steps == 3


async def test_a_run_begins_where_the_trigger_points() -> None:
    sop = procedure([node("a"), node("when", "trigger"), node("b")], "when > b, b > a")

    ran = await run_sop(sop)

    assert ran.nodes == ["b", "a"]


async def test_actions_of_a_node_are_done_with_variables_filled_in() -> None:
    name, save = Element(label="Name", value=""), Element(role="button", name="Save")
    browser = FakeBrowser([name, save])
    sop = one_task({"do": "fill", "target": {"label": "Name"}, "value": "{{ who }}"}, click(), variables={"who": "Ada"})

    await run_sop(sop, browser)

    assert name.value == "Ada"
    assert [action.do for action in browser.performed] == ["fill", "click"]


async def test_an_action_whose_condition_does_not_hold_is_skipped() -> None:
    browser = FakeBrowser([Element(role="button", name="Save")])

    ran = await run_sop(one_task(click(when="1 > 2")), browser)

    assert browser.performed == []
    assert [event.type for event in ran.events if "action" in event.type] == ["action_skipped"]


@pytest.mark.parametrize(("amount", "way"), [(5, "big"), (1, "small")])
async def test_a_decision_by_checks_takes_the_branch_of_the_first_that_holds_else_no(amount: int, way: str) -> None:
    sop = procedure(
        [decision("d", ({"that": "amount > 3"}, "yes"), ({"that": "amount > 2"}, "other")), node("big"), node("small")],
        "d yes> big, d no> small",
        variables={"amount": amount},
    )

    ran = await run_sop(sop)

    assert ran.nodes == ["d", way]
    assert [event.by for event in ran.of(DecisionMade)] == ["check"]


class Drawn(FakeBrowser):
    """A page that is drawn after so many looks at it."""

    def __init__(self, *elements: Element, after: int) -> None:
        super().__init__(elements)
        self.left = after
        for each in elements:
            each.hide()

    async def look(self, expectation: PageExpectation, *, timeout_s: float) -> Seen:
        seen = await super().look(expectation, timeout_s=timeout_s)
        self.left -= 1
        if not self.left:
            for each in self.pages[self.address].elements:
                each.show()
        return seen


@pytest.mark.parametrize("after", range(1, 7))
async def test_the_first_check_counts_whenever_its_page_is_drawn(after: int) -> None:
    page = Drawn(*(Element(role="status", name=name) for name in ("one", "two", "three")), after=after)
    checks = [({"visible": {"role": "status", "name": name}}, name) for name in ("gone", "one", "two", "three")]
    sop = procedure([decision("d", *checks), node("end", "end")], "d one> end, d two> end, d three> end")

    ran = await run_sop(sop, page)

    assert [(made.branch, made.evidence) for made in ran.of(DecisionMade)] == [("one", "status 'one' is visible")]


async def test_a_branch_without_an_edge_fails_the_run_and_is_named() -> None:
    sop = procedure([decision("d", ({"that": "1"}, "maybe")), node("x")], "d yes> x")

    ran = await run_sop(sop)

    assert ran.result.status == "failed"
    assert ran.result.reason == "node 'd' has no edge for 'maybe'"
    assert ran.result.cause == "procedure"


async def test_a_compound_task_ends_with_its_last_child_and_goes_on_by_its_own_edge() -> None:
    sop = procedure([node("group", children=["a", "b"]), node("a"), node("b"), node("c")], "a > b, group > c")

    ran = await run_sop(sop)

    assert ran.nodes == ["group", "a", "b", "c"]
    assert [event.node for event in ran.of(StepFinished)] == ["a", "b", "group", "c"]


async def test_an_edge_out_of_compound_tasks_ends_all_that_it_leaves() -> None:
    sop = procedure(
        [node("outer", children=["inner"]), node("inner", children=["a"]), node("a"), node("c"), node("never")],
        "a > c, outer > never, inner > never",
    )

    ran = await run_sop(sop)

    assert ran.nodes == ["outer", "inner", "a", "c"]
    assert [event.node for event in ran.of(StepFinished)] == ["a", "inner", "outer", "c"]


async def test_nested_compound_tasks_end_together_when_the_last_child_has_no_edge() -> None:
    sop = procedure([node("outer", children=["inner"]), node("inner", children=["a"]), node("a")])

    ran = await run_sop(sop)

    assert ran.result.completed
    assert [event.node for event in ran.of(StepFinished)] == ["a", "inner", "outer"]


async def test_what_a_task_must_put_out_is_checked() -> None:
    outputs = {"amount": "integer", "day": "date"}
    sop = one_task(put("amount", "5"), put("day", "'June'"), variables_out=outputs)

    ran = await run_sop(sop)

    assert ran.result.status == "failed"
    assert ran.result.cause == "data"
    assert "variable 'day' is not what it should be: 'June' does not match" in ran.result.reason


async def test_an_output_that_was_never_set_is_named() -> None:
    ran = await run_sop(one_task(variables_out={"amount": "integer"}))

    assert ran.result.reason == "variable 'amount' should have been set here and was not"


async def test_lazy_values_of_expressions_become_plain_lists() -> None:
    sop = one_task(put("a", "[1, 2] | map('string')"), put("b", "a | join('+')"), put("c", "range(3)"))

    ran = await run_sop(sop)

    assert [event.value for event in ran.of(VariableSet)] == [["1", "2"], "1+2", [0, 1, 2]]
    assert ran.result.variables["a"] == ["1", "2"]


async def test_without_a_model_a_procedure_that_needs_one_is_refused_before_anything_is_logged() -> None:
    events: list[Event] = []

    with pytest.raises(UsageError, match="--autonomy deterministic asks no model, but these nodes need one: 'd'"):
        await run_sop(procedure([asking("d")]), autonomy=Autonomy.DETERMINISTIC, events=events)

    assert events == []


async def test_without_a_model_a_procedure_that_needs_none_runs() -> None:
    ran = await run_sop(procedure([node("a")]), autonomy=Autonomy.DETERMINISTIC)

    assert ran.result.completed


async def test_a_wait_node_waits_through_the_clock_and_for_its_expectation() -> None:
    clock = FakeClock()
    browser = FakeBrowser([done := Element(role="status", visible=False)], clock=clock)
    clock.after(4, done.show)
    sop = procedure([node("w", "wait", seconds=2, until=[{"visible": {"role": "status"}}])])

    ran = await run_sop(sop, browser)

    assert ran.result.completed
    assert ran.result.duration_s == pytest.approx(4, abs=0.2)


async def test_the_patience_of_wait_for_is_its_own() -> None:
    clock = FakeClock()
    browser = FakeBrowser([done := Element(role="status", visible=False)], clock=clock)
    clock.after(20, done.show)
    sop = one_task({"do": "wait_for", "timeout_s": 30, "expect": [{"visible": {"role": "status"}}]})

    ran = await run_sop(sop, browser)

    assert ran.result.completed
