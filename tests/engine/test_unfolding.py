"""An element that is there, but folded away: what it is in is opened first."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.engine.context import Autonomy
from sopbench.errors import StepError
from sopbench.events.types import ActionStarted, StepFinished, TargetHealed
from sopbench.sop.targets import Target
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.page import Element
from sopbench.testing.running import Ran, run_sop

from .procedures import click, one_task

SAVED = {"visible": {"role": "status"}}
FAST = {"find_s": 0.1}


class Toolbar:
    """A button that was moved into a menu."""

    def __init__(self, *, opens: bool = True) -> None:
        self.status = Element(role="status", visible=False)
        self.save = Element(role="button", name="Save", on_click=self.status.show)
        self.menu = Element(role="menu", attributes={"id": "more"}, visible=False, children=[self.save])
        self.more = Element(role="button", name="More", attributes={"aria-controls": "more"})
        self.more.on_click = self.menu.show if opens else None
        self.browser = FakeBrowser([self.more, self.menu, self.status])


async def save(page: Toolbar, autonomy: Autonomy = Autonomy.LIGHT, **more: Any) -> Ran:
    return await run_sop(one_task(click("Save", expect=[SAVED], **more)), page.browser, limits=FAST, autonomy=autonomy)


@pytest.mark.parametrize("effect", ["read", "idempotent", "irreversible"])
async def test_the_menu_is_opened_and_the_button_pressed(effect: str) -> None:
    ran = await save(Toolbar(), effect=effect)

    assert ran.result.completed
    assert [each.says for each in ran.of(ActionStarted)][-2:] == ["click button 'More'", "click button 'Save'"]
    assert ran.of(StepFinished)[0].tier == "healed"
    assert ran.of(TargetHealed) == []


async def test_a_menu_that_does_not_open_is_no_way() -> None:
    ran = await save(Toolbar(opens=False))

    assert not ran.result.completed
    assert "no element fits button 'Save'" in ran.result.reason


async def test_nothing_is_opened_where_nothing_may_be_healed() -> None:
    ran = await save(Toolbar(), Autonomy.DETERMINISTIC)

    assert not ran.result.completed
    assert "click button 'More'" not in [each.says for each in ran.of(ActionStarted)]


async def test_what_is_used_next_may_be_folded_away_when_it_is_expected() -> None:
    page = Toolbar()
    page.browser.pages[page.browser.address].elements.append(Element(role="button", name="Begin"))
    begin = click("Begin", effect="read", expect=[{"visible": {"role": "button", "name": "Save"}}])

    ran = await run_sop(one_task(begin, click("Save", expect=[SAVED])), page.browser, limits=FAST)

    assert ran.result.completed


async def test_a_page_that_cannot_tell_what_opens_it_is_healed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Toolbar()
    kept = Element(role="button", name="Store", on_click=page.status.show, attributes={"id": "save"})
    page.browser.pages[page.browser.address].elements.append(kept)
    page.save.name = "Something else"

    async def on_its_way(target: Target) -> Target | None:
        raise StepError("the page is on its way to another one", performed=False)

    monkeypatch.setattr(page.browser, "opener", on_its_way)
    recorded = {"role": "button", "name": "Save", "id": "save"}
    action = {
        "do": "click", "target": {"role": "button", "name": "Save", "fingerprint": recorded},
        "effect": "idempotent", "expect": [SAVED],
    }  # fmt: skip

    ran = await run_sop(one_task(action), page.browser, limits=FAST)

    assert ran.result.completed
    assert len(ran.of(TargetHealed)) == 1
