"""A flat log folds into the tree it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.events.types import ActionFailed, ActionStarted, AttemptStarted, StepStarted, VariableSet
from sopbench.reporting.steps import fold

if TYPE_CHECKING:
    from tests.reporting.conftest import Log


def test_steps_of_a_loop_hang_below_their_item(finished_run: Log) -> None:
    run = fold(finished_run.events)

    assert [step.started.node for step in run.steps] == ["open_inbox", "each_mail", "done"]
    assert [[step.started.step for step in turn.steps] for turn in run.steps[1].iterations] == [[3], [4, 5]]


def test_loops_within_loops_keep_their_turns_apart(log: Log) -> None:
    log.start()
    outer = log.begin("outer", "loop", "Outer")
    for number in range(2):
        log.step = outer
        log.iterate("outer", number, number)
        log.step = outer + number * 2
        inner = log.begin("inner", "loop", "Inner", f"outer[{number}]")
        log.iterate("inner", 0, "x")
        log.begin("task", "task", "Task", f"outer[{number}]", "inner[0]")
        assert log.step == inner + 1

    (step,) = fold(log.events).steps

    inner_loops = [turn.steps for turn in step.iterations]
    assert [[loop.started.node for loop in loops] for loops in inner_loops] == [["inner"], ["inner"]]
    assert [[task.started.step for task in loops[0].iterations[0].steps] for loops in inner_loops] == [[3], [5]]


def test_what_happens_during_an_action_hangs_below_it(log: Log) -> None:
    log.start()
    log.begin("read", "task", "Read")
    log.intend("extract the investor")
    log.add(VariableSet(step=1, name="investor", value="Jane", source="page"))
    log.add(ActionFailed(step=1, action=0, duration_s=1, error="DataInvalid", message="no amount", performed=False))
    log.add(VariableSet(step=1, name="after", value=1, source="expression"))

    (step,) = fold(log.events).steps

    assert [fact.event.type for fact in step.facts] == ["action_started", "variable_set"]
    assert [fact.event.type for fact in step.facts[0].inner] == ["variable_set"]


def test_an_action_cut_short_does_not_swallow_the_next_attempt(log: Log) -> None:
    log.start()
    log.begin("save", "task", "Save")
    log.intend("click button 'Save'")
    log.add(AttemptStarted(step=1, attempt=2, waited_s=0))
    log.act("click button 'Save'", 0.1)

    (step,) = fold(log.events).steps

    assert [(type(fact.event), fact.end is not None) for fact in step.facts] == [
        (ActionStarted, False),
        (AttemptStarted, False),
        (ActionStarted, True),
    ]


def test_a_log_without_its_beginning_still_folds(finished_run: Log) -> None:
    events = [event for event in finished_run.events if event.seq > 1 and not isinstance(event, StepStarted)]

    run = fold(events)

    assert (run.started, run.steps) == (None, [])
    assert run.finished is not None
