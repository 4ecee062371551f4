"""Which ways of a procedure there are, and which of them a run took."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.events.types import (
    ActionFailed,
    ActionFinished,
    ActionSkipped,
    ActionStarted,
    AlternativeTaken,
    AttemptStarted,
    Event,
    ExplorationStarted,
    Interrupted,
    LoopEntered,
    RunResumed,
    StepFinished,
    StepStarted,
)
from sopbench.records.coverage import Way, coverage, taken, ways
from sopbench.sop.document import Sop

SAVED = {"visible": {"role": "status"}}
SAVE: dict[str, Any] = {"do": "click", "target": {"role": "button", "name": "Save"}, "expect": [SAVED]}
SOP = Sop.model_validate(
    {
        "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
        "public": {
            "nodes": [
                {"id": "start", "type": "trigger", "label": "Every morning"},
                {"id": "each", "type": "loop", "label": "Each order", "items": "orders", "children": ["open", "save"]},
                {
                    "id": "open", "type": "decision", "label": "Still open?",
                    "criteria": {"checks": [{"if": {"that": "item.open"}, "then": "yes"}]},
                },
                {"id": "save", "type": "task", "label": "Save it", "recovery": ["alternative", "explore"]},
                {"id": "shown", "type": "wait", "label": "Wait for it", "until": [SAVED]},
                {"id": "done", "type": "end", "label": "Done"},
            ],
            "edges": [
                {"source": "open", "target": "save", "condition": "yes"},
                {"source": "open", "target": "each", "condition": "no"},
                {"source": "each", "target": "shown", "condition": "all_processed"},
                {"source": "shown", "target": "done"},
            ],
            "variables": {"orders": []},
        },
        "private": {
            "skills": [
                {"id": "by_page", "app": "shop", "actions": [{**SAVE, "when": "item.dirty"}, SAVE]},
                {"id": "by_key", "app": "shop", "actions": [SAVE]},
                {"id": "nothing", "app": "shop"},
            ],
            "steps": [
                {"node_id": "save", "primary_skill": "by_page", "alt_skills": ["by_key"]},
                {"node_id": "done", "primary_skill": "nothing"},
            ],
        },
    }
)  # fmt: skip


def begin(step: int, node: str, kind: str = "task") -> StepStarted:
    return StepStarted(step=step, node=node, kind=kind, label=node)


def end(step: int, node: str, condition: str = "next", tier: Any = "exact") -> StepFinished:
    return StepFinished(step=step, node=node, condition=condition, tier=tier, attempts=1, duration_s=1)


def start(step: int, action: int) -> ActionStarted:
    return ActionStarted(step=step, action=action, do="click", says="", effect="read", arguments={})


def held(step: int, action: int) -> ActionFinished:
    return ActionFinished(step=step, action=action, duration_s=1, expected=("saved",))


def missed(step: int, action: int) -> ActionFailed:
    return ActionFailed(step=step, action=action, duration_s=1, error="E", message="", performed=False)


def took(*events: Event) -> set[tuple[str, str]]:
    return {(way.kind, way.name) for way in taken(SOP, events)}


def test_all_ways_of_a_document_are_known() -> None:
    assert [(way.kind, way.name) for way in ways(SOP)] == [
        ("node", "each"),
        ("loop", "each: no items"),
        ("loop", "each: one item"),
        ("loop", "each: many items"),
        ("node", "open"),
        ("branch", "open → yes"),
        ("branch", "open → no"),
        ("node", "save"),
        ("skill", "save: by_page"),
        ("when", "save: by_page/0 holds"),
        ("when", "save: by_page/0 does not hold"),
        ("expectation", "save: by_page/0"),
        ("expectation", "save: by_page/1"),
        ("skill", "save: by_key"),
        ("expectation", "save: by_key/0"),
        ("node", "shown"),
        ("expectation", "shown: until"),
        ("node", "done"),
        ("tier", "alternative"),
        ("tier", "explored"),
    ]


@pytest.mark.parametrize(("items", "name"), [(0, "no items"), (1, "one item"), (2, "many items"), (40, "many items")])
def test_a_loop_is_told_by_how_many_items_it_had(items: int, name: str) -> None:
    assert took(begin(1, "each", "loop"), LoopEntered(step=1, node="each", items=items)) == {
        ("node", "each"),
        ("loop", f"each: {name}"),
    }


def test_a_branch_counts_when_the_step_took_it() -> None:
    assert took(begin(1, "open", "decision")) == {("node", "open")}
    assert ("branch", "open → no") in took(begin(1, "open", "decision"), end(1, "open", "no"))


def test_a_skill_counts_from_its_first_action_and_an_expectation_when_it_held() -> None:
    failing = took(begin(1, "save"), start(1, 1), missed(1, 1))
    holding = took(begin(1, "save"), start(1, 1), held(1, 1), end(1, "save"))

    assert failing == {("node", "save"), ("skill", "save: by_page")}
    assert holding - failing == {("expectation", "save: by_page/1")}


def test_a_condition_that_held_and_one_that_did_not_are_two_ways() -> None:
    skipped = ActionSkipped(step=1, action=0, says="", why="item.dirty does not hold")

    assert took(begin(1, "save"), skipped) >= {("when", "save: by_page/0 does not hold")}
    assert ("expectation", "save: by_page/0") not in took(begin(1, "save"), skipped)
    assert took(begin(1, "save"), start(1, 0)) >= {("when", "save: by_page/0 holds")}


def test_what_came_late_held() -> None:
    late = ActionSkipped(step=1, action=1, says="", why="what it should bring about came late: saved")

    assert ("expectation", "save: by_page/1") in took(begin(1, "save"), start(1, 1), missed(1, 1), late)


def test_after_an_alternative_actions_are_those_of_the_other_skill() -> None:
    other = AlternativeTaken(step=1, skill="by_key", method="ui", instead_of="by_page", why="")

    seen = took(begin(1, "save"), start(1, 1), missed(1, 1), other, start(1, 0), held(1, 0))

    assert seen == {
        ("node", "save"),
        ("skill", "save: by_page"),
        ("tier", "alternative"),
        ("skill", "save: by_key"),
        ("expectation", "save: by_key/0"),
    }


def test_what_an_exploration_does_is_no_action_of_the_document() -> None:
    explored = ExplorationStarted(step=1, goal="g", done_when=("x",), allowed=(), origins=(), max_steps=3)

    seen = took(begin(1, "save"), start(1, 1), missed(1, 1), explored, start(1, 2), held(1, 2))

    assert seen == {("node", "save"), ("skill", "save: by_page"), ("tier", "explored")}


def test_a_tier_that_the_document_rules_out_is_no_way_of_it() -> None:
    covered = coverage(SOP, [("clean", taken(SOP, [AttemptStarted(step=1, attempt=2, waited_s=0)]))])

    assert not any(each.trials for each in covered)


def test_trials_are_counted_by_condition_and_what_none_took_has_none() -> None:
    waited = taken(SOP, [begin(1, "shown", "wait"), end(1, "shown")])

    covered = coverage(SOP, [("clean", waited), ("slow", waited), ("slow", waited), ("slow", set())])

    counts = {each.way: each.conditions for each in covered}
    assert counts[Way("node", "shown")] == {"clean": 1, "slow": 2}
    assert counts[Way("expectation", "shown", "until")] == {"clean": 1, "slow": 2}
    assert counts[Way("node", "done")] == {}


def interrupted() -> Sop:
    told = SOP.model_dump(mode="json", by_alias=True)
    told["public"]["nodes"] += [
        {"id": "agree", "type": "task", "label": "Agree", "children": ["tick"]},
        {"id": "tick", "type": "task", "label": "Tick", "parentId": "agree"},
    ]
    told["public"]["interruptions"] = [
        {"id": "banner", "label": "A banner", "when": [SAVED], "do": ["agree"]},
        {"id": "lost", "label": "Lost", "when": [SAVED], "do": ["save"]},
    ]
    told["private"]["resume"] = {"max_attempts": 3}
    return Sop.model_validate(told)


def test_an_interruption_is_a_way_and_what_only_deals_with_it_is_none() -> None:
    sop = interrupted()

    found = ways(sop)

    assert [way.name for way in found if way.kind == "interruption"] == ["banner", "lost"]
    assert not {"agree", "tick"} & {way.node for way in found if way.kind == "node"}
    assert "save" in {way.node for way in found if way.kind == "node"}
    assert Way("tier", "", "resumed") in found


def test_an_interruption_that_was_met_and_a_run_that_was_resumed_are_taken() -> None:
    sop = interrupted()
    events = [
        StepStarted(step=1, node="save", kind="task", label="Save it"),
        Interrupted(step=1, action=0, interruption="banner", label="A banner", seen=()),
        RunResumed(number=1, why="the page was lost", cause="browser", node="save", done=0, waited_s=2),
    ]

    took = taken(sop, events)

    assert {Way("interruption", "", "banner"), Way("tier", "", "resumed")} <= took
    assert Way("interruption", "", "lost") not in took
