"""Exploring: plan, act, observe, until the page says that the goal is reached."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from sopbench.engine.context import Autonomy
from sopbench.engine.run import Engine
from sopbench.errors import AnswerUnusable, StepError, UsageError
from sopbench.events.log import LOG_NAME, EventLog
from sopbench.events.masking import Masker
from sopbench.events.types import (
    ActionFinished,
    ActionStarted,
    Event,
    ExplorationStarted,
    ExplorationStep,
    ModelAsked,
    RunFinished,
    StepFinished,
)
from sopbench.records.proposals import adopted, proposals
from sopbench.sop.loader import load
from sopbench.testing.clock import FakeClock
from sopbench.testing.model import FakeModel
from sopbench.testing.operator import FakeOperator
from sopbench.testing.page import Element, Page
from sopbench.testing.running import run_sop

from .exploring_site import BILLS, FOUND, HOME, OTHER, Lawless, does, explore, exploring, link, site, the_end
from .procedures import Json, node, procedure


async def test_a_goal_behind_a_menu_is_reached_in_two_steps() -> None:
    ran = await explore(site(), does("click", 1), does("click", 2))

    assert ran.result.completed
    [started] = ran.of(ExplorationStarted)
    assert started.origins == ("https://app.test",)
    assert [step.chosen for step in ran.of(ExplorationStep)] == ["click button 'Account'", "click link 'Bills'"]
    assert [step.effect for step in ran.of(ExplorationStep)] == ["read", "read"]
    assert (the_end(ran).reached, the_end(ran).steps) == (True, 2)
    [finished] = ran.of(StepFinished)
    assert finished.tier == "explored"
    assert len(ran.of(ActionFinished)) == 2


async def test_a_goal_that_holds_already_asks_no_model() -> None:
    browser = site()
    browser.go(BILLS)

    ran = await explore(browser)

    assert ran.result.completed
    assert the_end(ran).steps == 0
    assert ran.of(StepFinished)[0].tier == "exact"
    assert not ran.of(ModelAsked)


async def test_the_model_sees_the_page_as_data_with_what_was_tried() -> None:
    model = FakeModel({"explore": [does("click", 1), does("click", 2)]})

    await explore(site(), model=model)

    first, second = model.requests
    assert "Title: Home" in first.prompt
    assert (
        "1: button 'Account' (opens a menu)\n2: button 'Delete everything'\n3: textbox 'Search' (holds '')"
        in first.prompt
    )
    assert "Tried so far:\n(nothing yet)" in first.prompt
    assert "1. click button 'Account': the page changed; new: link 'Bills'" in second.prompt
    assert first.prompt[: first.stable_chars] == second.prompt[: second.stable_chars]
    assert first.prompt[first.stable_chars :].startswith("<text>")


async def test_the_same_on_the_same_page_is_refused_once_and_then_ends_it() -> None:
    browser = site()
    browser.pages[HOME].elements.append(Element(role="tab", name="Idle"))
    model = Lawless(iter([does("click", 4)] * 3))

    ran = await explore(browser, model=model)

    assert len(browser.performed) == 1
    assert "changed nothing" in model.requests[-1].prompt
    assert "goes round in circles" in ran.result.reason


async def test_what_changed_nothing_is_not_offered_again_on_the_same_page() -> None:
    browser = site()
    browser.pages[HOME].elements.append(Element(role="tab", name="Idle"))
    model = FakeModel({"explore": [does("click", 4), does("click", 1), does("click", 2)]})

    ran = await explore(browser, model=model)

    assert ran.result.completed
    offered = [request.schema["properties"]["element"]["enum"] for request in model.requests]
    assert ["4" in each for each in offered] == [True, False, True]  # the open menu is another page


async def test_a_refused_answer_given_again_is_a_circle_too() -> None:
    ran = await explore(site(), model=FakeModel(lambda _: does("fill", 3, "")))

    assert "goes round in circles: fill needs a value" in ran.result.reason
    assert the_end(ran).steps == 3


async def test_two_actions_in_turn_are_a_circle() -> None:
    browser = site()
    clock = Element(role="status", text="0")
    there, back = link("There", browser, BILLS), link("Here", browser, HOME)
    browser.pages[HOME].elements[:] = [there, clock]
    browser.pages[BILLS].elements[:] = [back, clock]

    def answer(_: Any) -> Json:
        clock.text += "1"
        return does("click", 1)

    ran = await explore(browser, model=FakeModel(answer))

    assert "goes round in circles" in ran.result.reason
    assert len(browser.performed) <= 4


async def test_its_steps_are_limited() -> None:
    browser = site()
    answers = [does("fill", 3, str(number)) for number in range(3)]

    ran = await explore(browser, *answers, sop=exploring(max_steps=3))

    assert "was not reached in 3 of 3 steps: its steps are used up" in ran.result.reason


async def test_its_actions_count_as_calls_of_tools() -> None:
    browser = site()
    answers = [does("fill", 3, str(number)) for number in range(3)]

    ran = await explore(browser, *answers, limits={"tool_calls": 2})

    assert ran.result.cause == "limit"
    assert len(browser.performed) == 2
    assert the_end(ran).reached is False


async def test_a_node_has_a_budget_of_its_own() -> None:
    ran = await explore(site(), *[does("fill", 3, str(n)) for n in range(3)], sop=exploring(budget={"model_calls": 2}))

    assert ran.result.cause == "limit"
    assert "2 model calls are used up, the budget of step 'find'" in ran.result.reason


async def test_an_action_that_fails_is_told_and_the_exploration_goes_on() -> None:
    browser = site()
    browser.fail_next(StepError("it is stuck", performed=False), do="click")
    model = FakeModel({"explore": [does("click", 1), does("fill", 3, "x"), does("click", 1), does("click", 2)]})

    ran = await explore(browser, model=model)

    assert ran.result.completed
    assert "1. click button 'Account': failed: it is stuck" in model.requests[1].prompt


async def test_a_second_unusable_answer_in_a_row_ends_it() -> None:
    ran = await explore(site(), AnswerUnusable("nonsense"), does("fill", 3, "x"), *[AnswerUnusable("nonsense")] * 2)

    assert ran.result.cause == "model"
    assert the_end(ran).steps == 4


async def test_the_way_leaves_out_detours_and_what_changed_nothing() -> None:
    browser = site()
    away, home = "https://app.test/away", link("Home", browser, HOME)
    browser.pages[away] = Page([home])
    browser.pages[HOME].elements += [Element(role="tab", name="Idle"), link("Away", browser, away)]

    ran = await explore(
        browser, does("click", 4), does("click", 5), does("click", 1), does("click", 1), does("click", 2)
    )

    assert ran.result.completed
    assert [step["target"]["name"] for step in the_end(ran).way] == ["Account", "Bills"]
    assert [step["do"] for step in the_end(ran).way] == ["click", "click"]


async def test_a_value_that_a_variable_holds_stands_as_that_variable_in_the_way() -> None:
    browser = site()
    field = browser.pages[HOME].elements[4]
    field.on_change = lambda: browser.go(BILLS)
    sop = procedure([node("find", "explore", goal="find {{ wanted }}", done_when=FOUND)], variables={"wanted": "March"})

    ran = await explore(browser, does("fill", 3, "March"), sop=sop)

    assert the_end(ran).way[0]["value"] == "{{ wanted }}"


async def test_texts_of_variables_are_not_formulas_in_a_goal() -> None:
    sop = procedure(
        [node("find", "explore", goal="find {{ a }}", done_when={"text": "{{ a }}"})],
        variables={"a": "{{ secret }}", "secret": "s3cret"},
    )
    model = FakeModel({"explore": [does("give_up")]})

    await explore(site(), model=model, sop=sop)

    assert "s3cret" not in model.requests[0].prompt


async def test_an_adopted_way_needs_no_model(tmp_path: Path) -> None:
    document = tmp_path / "bills.sop.json"
    told = exploring(id="find").model_dump(mode="json", by_alias=True, exclude_defaults=True)
    told["public"]["nodes"][0]["type"] = "explore"
    document.write_text(json.dumps(told, indent=2))
    loaded, folder = load(document), tmp_path / "runs" / "1"
    folder.mkdir(parents=True)
    model = FakeModel({"explore": [does("fill", 3, "x"), does("click", 1), does("click", 2)]})
    engine = Engine(model=model, operator=FakeOperator(), clock=FakeClock(), autonomy=Autonomy.FULL)
    with EventLog(folder / LOG_NAME, now=engine.clock.now, masker=Masker()) as log:
        await engine.run(
            loaded.sop, browser=site(), log=log, variables={}, sha256=loaded.sha256,
            context={"document": str(document)},
        )  # fmt: skip

    [proposal] = proposals(folder.parent)
    document.write_text(adopted(proposal)[1])
    ran = await run_sop(document, site(), autonomy=Autonomy.DETERMINISTIC)

    assert ran.result.completed
    assert [action.do for action in ran.of(ActionStarted)] == ["fill", "click", "click"]
    assert ran.of(ActionFinished)[-1].expected == ("heading 'Bills' is visible",)


@pytest.mark.parametrize("autonomy", [Autonomy.LIGHT, Autonomy.DETERMINISTIC])
async def test_a_run_that_may_not_explore_does_not_begin(autonomy: Autonomy) -> None:
    with pytest.raises(UsageError, match="'find'"):
        await run_sop(exploring(), site(), autonomy=autonomy)


async def test_a_run_is_stopped_in_the_middle_of_an_exploration() -> None:
    asked = asyncio.Event()

    class Slow(FakeModel):
        async def ask(self, request: Any) -> Any:
            asked.set()
            await asyncio.Event().wait()

    browser, events = site(), list[Event]()
    running = asyncio.create_task(explore(browser, model=Slow(), events=events))
    async with asyncio.timeout(5):
        await asked.wait()

    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running
    end = events[-1]
    assert isinstance(end, RunFinished)
    assert (end.status, end.node) == ("cancelled", "find")
    assert events[-2].type == "model_asked"
    browser.go(OTHER)
    assert browser.address == OTHER
