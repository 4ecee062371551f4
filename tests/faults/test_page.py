"""Faults of pages strike a real page, on the elements that the page and the seed say."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sopbench.errors import DialogFailed, StepError, TargetNotFound, ValueNotHeld
from sopbench.sop.targets import Target
from sopbench.sop.verbs.fields import Fill
from sopbench.sop.verbs.pointer import Click

from .conftest import MakeWorld, World, planned

SAVE = Click(target=Target(role="button", name="Save"))


async def said(world: World) -> str:
    return str(await world.page.evaluate("document.getElementById('said').textContent"))


async def names(world: World) -> list[str]:
    return list(await world.page.evaluate("[...document.querySelectorAll('button')].map(e => e.textContent)"))


async def test_a_renamed_button_has_another_name_and_still_works(world: MakeWorld) -> None:
    under = await world(planned("page.renamed", label="Save"))
    await under.open()

    assert await names(under) == ["Keep", "Send"]
    await under.page.click("#save")
    assert await said(under) == "saved;"
    assert under.strikes[0].what.startswith("button 'Save' is now called 'Keep'")


async def test_a_button_that_is_drawn_anew_is_renamed_again(world: MakeWorld) -> None:
    under = await world(planned("page.renamed", label="Save"))
    await under.open()

    await under.page.evaluate("document.getElementById('save').textContent = 'Save'")

    await under.page.wait_for_function("document.getElementById('save').textContent === 'Keep'")


async def test_a_share_of_the_names_is_struck_the_same_for_the_same_seed(world: MakeWorld) -> None:
    async def struck(seed: int) -> list[str]:
        under = await world(planned("page.renamed", when={"probability": 0.5}), seed=seed)
        await under.open()
        return [strike.what for strike in under.strikes]

    outcomes = [await struck(seed) for seed in (1, 1, 2, 3)]

    assert outcomes[0] == outcomes[1]
    assert len({tuple(outcome) for outcome in outcomes}) > 1


async def test_a_removed_button_is_gone(world: MakeWorld) -> None:
    under = await world(planned("page.removed", label="Save", role="button"))
    await under.open()

    assert await names(under) == ["Send"]


async def test_a_moved_button_stands_elsewhere_and_still_works(world: MakeWorld) -> None:
    place = "[...document.body.children].indexOf(document.getElementById('save'))"
    under, clean = await world(planned("page.moved", label="Save")), await world()
    await under.open()
    await clean.open()

    assert await under.page.evaluate(place) != await clean.page.evaluate(place)
    await under.do(SAVE)
    assert await said(under) == "saved;"


NARROW = """<table style="table-layout: fixed; width: 200px; border-spacing: 0">
<colgroup><col style="width: 0"><col></colgroup><tr><td style="padding: 0"><i>x</i></td>
<td style="padding: 0" id=wide><button style="width: 100%; padding: 0; border: 0; overflow: hidden">Open</button></td>
</tr></table><p><button id=free>Open</button><i>x</i></p>"""


async def test_what_would_not_be_seen_elsewhere_is_not_moved(world: MakeWorld) -> None:
    under = await world(planned("page.moved", label="Open"))
    await under.open()

    await under.page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", NARROW)
    await under.page.wait_for_function("document.getElementById('free').previousElementSibling !== null")

    assert await under.page.evaluate("document.getElementById('wide').cellIndex") == 1
    assert len(under.strikes) == 1


async def test_a_duplicated_button_does_the_same_twice_over(world: MakeWorld) -> None:
    under = await world(planned("page.duplicated", label="Save"))
    await under.open()

    with pytest.raises(TargetNotFound, match="2 elements fit"):
        await under.do(SAVE)
    await under.page.locator("button", has_text="Save").nth(1).click()

    assert await said(under) == "saved;"


async def test_a_disabled_button_can_be_used_after_a_while(world: MakeWorld) -> None:
    under = await world(planned("page.disabled", label="Save", ms=800))
    await under.open()

    assert await under.page.is_disabled("#save")
    await under.do(SAVE)

    assert await said(under) == "saved;"


async def test_a_button_disabled_for_good_cannot_be_used(world: MakeWorld) -> None:
    under = await world(planned("page.disabled", label="Save"))
    await under.open()

    with pytest.raises(TargetNotFound, match="cannot take the action"):
        await under.do(SAVE, timeout_s=1)


async def test_a_late_button_appears_after_a_while(world: MakeWorld) -> None:
    under = await world(planned("page.late", label="Save", ms=700))
    await under.open()

    assert not await under.page.is_visible("#save")
    await under.do(SAVE)

    assert await said(under) == "saved;"


async def test_a_moving_button_is_clicked_once_it_stands_still(world: MakeWorld) -> None:
    under = await world(planned("page.moving", label="Save", ms=900))
    await under.open()

    boxes = [await under.page.locator("#save").bounding_box() for _ in range(4)]
    await under.do(SAVE)

    assert len({box["x"] for box in boxes if box}) > 1
    assert await said(under) == "saved;"


async def test_a_click_on_a_button_that_is_drawn_anew_is_lost(world: MakeWorld) -> None:
    under = await world(planned("page.recreated", label="Save", when="once"))
    await under.open()

    with pytest.raises(StepError) as raised:
        await under.do(SAVE)
    lost = await said(under)
    await under.do(SAVE)

    assert raised.value.performed is False
    assert lost == ""
    assert await said(under) == "saved;"
    assert len(under.strikes) == 1


async def test_each_press_is_drawn_for_itself_in_a_new_page_too(world: MakeWorld) -> None:
    async def pages(seed: int) -> list[str]:
        under = await world(planned("page.recreated", when={"probability": 0.5}), seed=seed)
        await under.open()
        first = await said_after_each_press(under)
        await under.browser.renew()
        await under.open()
        return [first, await said_after_each_press(under)]

    first, second = await pages(1)

    assert first != second
    assert [first, second] == await pages(1)


async def said_after_each_press(under: World) -> str:
    """One letter for each of eight presses: taken or lost."""
    told = ""
    for _ in range(8):
        before = await said(under)
        await under.page.click("#save")
        told += "t" if await said(under) != before else "l"
    return told


async def test_text_goes_to_the_field_that_stole_the_focus(world: MakeWorld) -> None:
    under = await world(planned("page.focus_stolen", label="Name", when="once"))
    await under.open()

    await under.page.focus("#name")
    await under.page.wait_for_function("document.activeElement.id !== 'name'")
    await under.page.keyboard.type("abc")

    assert await under.page.input_value("#name") == ""
    assert "abc" in [await under.page.input_value(field) for field in ("#city", "#note")]


async def test_a_notice_over_a_button_goes_away(world: MakeWorld) -> None:
    under = await world(planned("page.toast", label="Save", ms=700, when="once"))
    await under.open()

    await under.do(SAVE)

    assert await said(under) == "saved;"
    assert "a notice lies over button 'Save' for 700 ms" in under.strikes[0].what


async def test_an_overlay_comes_when_an_action_begins_and_goes_away(world: MakeWorld) -> None:
    under = await world(planned("page.overlay", ms=700, when={"once": True, "from_action": 2}))
    await under.open()

    await under.do(SAVE)

    assert await said(under) == "saved;"
    assert [strike.action for strike in under.strikes] == [2]


async def test_a_dialog_of_the_page_has_to_be_closed_first(world: MakeWorld) -> None:
    under = await world(planned("page.modal", when={"once": True, "from_action": 2}))
    await under.open()

    with pytest.raises(TargetNotFound):
        await under.do(SAVE, timeout_s=1)
    await under.do(Click(target=Target(role="button", name="Got it")))
    await under.do(SAVE)

    assert await said(under) == "saved;"


async def test_an_alert_is_a_dialog_of_the_browser(world: MakeWorld) -> None:
    under = await world(planned("page.alert", asks=True, when={"once": True, "from_action": 2}))
    await under.open()

    with pytest.raises(DialogFailed, match="inactive"):
        await under.do(SAVE)


async def test_a_cookie_banner_asks_once_for_a_choice(world: MakeWorld) -> None:
    under = await world(planned("page.cookie_banner", blocks=True))
    await under.open()

    with pytest.raises(TargetNotFound):
        await under.do(SAVE, timeout_s=1)
    await under.do(Click(target=Target(role="button", name="Accept all")))
    await under.open()
    await under.do(SAVE)

    assert await said(under) == "saved;"
    assert len(under.strikes) == 1


async def test_ids_and_classes_are_called_otherwise_and_the_page_looks_the_same(world: MakeWorld) -> None:
    under = await world(planned("page.restyled"))
    await under.open()
    save = under.page.get_by_role("button", name="Save")

    assert await under.page.locator("#save, .row").count() == 0
    assert await save.evaluate("e => [getComputedStyle(e).color, getComputedStyle(e).padding]") == [
        "rgb(0, 128, 0)",
        "3px",
    ]
    await under.do(Fill(target=Target(label="City"), value="Tacoma"))
    assert "ids and classes" in under.strikes[0].what


async def test_the_own_scripts_of_a_new_build_find_what_they_look_for(world: MakeWorld) -> None:
    under = await world(planned("page.restyled"))
    await under.open()

    there = await under.page.evaluate(
        """() => {
            const save = document.getElementById('save')
            save.classList.toggle('row')
            return [save.textContent, document.querySelectorAll('.row').length, save.classList.contains('row')]
        }"""
    )

    assert there == ["Save", 1, False]


async def test_a_fault_from_a_later_action_strikes_pages_that_are_there_already(world: MakeWorld) -> None:
    under = await world(planned("page.renamed", label="Save", when={"from_action": 2}))
    await under.open()
    before = await names(under)

    under.begins()
    await under.disturbance.action_begins(under.page.url)

    assert before == ["Save", "Send"]
    await under.page.wait_for_function("document.getElementById('save').textContent === 'Keep'")


async def test_nothing_is_struck_after_the_actions_it_is_kept_to(world: MakeWorld) -> None:
    under = await world(planned("page.renamed", label="Save", when={"between": [1, 1]}))
    await under.open()
    renamed = await names(under)

    await under.open()

    assert renamed == ["Keep", "Send"]
    assert await names(under) == ["Save", "Send"]


async def test_stolen_focus_is_noticed_by_the_browser_that_fills(world: MakeWorld) -> None:
    under = await world(planned("page.focus_stolen", label="Name"))
    await under.open()

    filling: Any = under.do(Fill(target=Target(label="Name"), value="Copperline"))
    try:
        await asyncio.wait_for(filling, 10)
        held = await under.page.input_value("#name")
    except ValueNotHeld:
        held = ""

    assert held in {"Copperline", ""}
    assert under.strikes
