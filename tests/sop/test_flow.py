"""Where a procedure goes on."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.sop.document import Sop
from sopbench.sop.flow import Flow


def _flow(nodes: list[dict[str, Any]], edges: list[tuple[str, ...]] = ()) -> Flow:  # type: ignore[assignment]
    named = [{"type": "task", "label": node["id"], **node} for node in nodes]
    meta = {"id": "x", "title": "x", "version": "1", "goal": "x", "schema": "1.0"}
    led = [dict(zip(("source", "target", "condition"), edge, strict=False)) for edge in edges]
    return Flow(Sop.model_validate({"meta": meta, "public": {"nodes": named, "edges": led}}))


@pytest.fixture
def nested() -> Flow:
    """First → loop (pick → group (a → b), next), after; b leads out of the group to next, next back to pick."""
    return _flow(
        [
            {"id": "after"}, {"id": "first"}, {"id": "loop", "type": "loop", "children": ["pick", "group", "next"]},
            {"id": "pick", "type": "decision"}, {"id": "group", "children": ["a", "b"]}, {"id": "next"},
            {"id": "a"}, {"id": "b"},
        ],
        [
            ("first", "loop"), ("loop", "after", "all_processed"), ("pick", "group", "yes"), ("pick", "next", "no"),
            ("group", "next"), ("a", "b"), ("b", "next"), ("next", "pick"),
        ],
    )  # fmt: skip


def test_it_starts_at_the_first_node_that_nothing_leads_to(nested: Flow) -> None:
    assert nested.start == "first"


def test_it_starts_after_a_trigger() -> None:
    nodes = [{"id": "a"}, {"id": "t", "type": "trigger"}, {"id": "b"}]

    assert _flow(nodes, [("t", "b")]).start == "b"


def test_it_starts_at_the_first_node_when_everything_is_a_circle() -> None:
    assert _flow([{"id": "a"}, {"id": "b"}], [("a", "b"), ("b", "a")]).start == "a"


def test_containers_are_entered_at_their_first_child(nested: Flow) -> None:
    assert (nested.enter("loop"), nested.enter("group"), nested.enter("a")) == ("pick", "a", None)


def test_the_innermost_loop_is_found_through_compound_tasks(nested: Flow) -> None:
    assert nested.innermost_loop("b") == "loop"
    assert nested.innermost_loop("loop") is None
    assert nested.parent("b") == "group"
    assert nested.contains("loop", "b")
    assert not nested.contains("group", "next")


def test_leading_back_to_a_loop_or_its_first_child_ends_the_iteration(nested: Flow) -> None:
    assert nested.is_back_edge("loop", "loop")
    assert nested.is_back_edge("loop", "pick")
    assert not nested.is_back_edge("loop", "next")


@pytest.mark.parametrize(
    ("node", "condition", "target"),
    [
        ("pick", "yes", "group"),
        ("pick", "maybe", None),
        ("pick", "next", None),
        ("first", "next", "loop"),
        ("first", "yes", "loop"),
        ("loop", "all_processed", "after"),
        ("after", "next", None),
    ],
)
def test_an_edge_is_looked_up_by_its_condition(node: str, condition: str, target: str | None, nested: Flow) -> None:
    assert nested.next_node(node, condition) == target


def test_a_loop_without_all_processed_goes_on_by_next_but_not_into_itself() -> None:
    loop = {"id": "loop", "type": "loop", "children": ["c"]}

    assert _flow([loop, {"id": "c"}, {"id": "d"}], [("loop", "d")]).next_node("loop", "all_processed") == "d"
    assert _flow([loop, {"id": "c"}], [("loop", "c")]).next_node("loop", "all_processed") is None


def test_children_may_say_themselves_where_they_belong() -> None:
    flow = _flow([{"id": "p"}, {"id": "a", "parentId": "p"}, {"id": "b", "parentId": "p"}])

    assert flow.children("p") == ("a", "b")
    assert flow.start == "p"
