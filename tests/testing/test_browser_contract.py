"""What every browser behind the port does alike: Chromium through Playwright, and the fake."""

from __future__ import annotations

import contextlib
import socket

import pytest

from sopbench.errors import NavigationFailed, NetworkFailed, TargetNotFound

from .conftest import Shop
from .doing import ACTION, COMES_S, NAME, SAVE, SAVED, Json, do, holds, refused


async def test_a_click_does_what_the_page_does_on_it(shop: Shop) -> None:
    before = await holds(shop, SAVED)

    await do(shop, "click", SAVE)

    assert not before
    assert await holds(shop, SAVED)


async def test_a_browser_says_where_it_is(shop: Shop) -> None:
    before = await shop.browser.where()

    await do(shop, "navigate", url=f"{shop.url}/other")

    assert before.startswith(shop.url)
    assert await shop.browser.where() == f"{shop.url}/other"


async def test_filling_replaces_and_typing_adds(shop: Shop) -> None:
    await do(shop, "fill", NAME, value="old")
    await do(shop, "fill", NAME, value="Ada")
    await do(shop, "type", NAME, text=" L.")

    assert await holds(shop, {"value": "Ada L.", "of": NAME})


async def test_a_key_is_pressed_in_an_element(shop: Shop) -> None:
    await do(shop, "press", NAME, key="a")
    assert not await holds(shop, SAVED)

    await do(shop, "press", NAME, key="Enter")
    assert await holds(shop, SAVED)


async def test_a_key_may_be_pressed_wherever_the_focus_is(shop: Shop) -> None:
    await do(shop, "press", key="Escape")


async def test_an_option_is_chosen_by_its_label(shop: Shop) -> None:
    await do(shop, "select", {"label": "Stage"}, option="Won")

    assert await holds(shop, {"value": "Won", "of": {"label": "Stage"}})


async def test_a_checkbox_is_brought_into_a_state_not_toggled(shop: Shop) -> None:
    box = {"label": "Follow up"}

    await do(shop, "set_checked", box)
    await do(shop, "set_checked", box)
    assert await holds(shop, {"checked": box})

    await do(shop, "set_checked", box, checked=False)
    assert await holds(shop, {"checked": box, "is": False})


async def test_the_pointer_may_rest_on_an_element(shop: Shop) -> None:
    await do(shop, "hover", SAVE)


async def test_navigation_shows_the_new_page(shop: Shop) -> None:
    await do(shop, "navigate", url=f"{shop.url}/other")

    assert await holds(shop, {"url": "*/other"})
    assert (await shop.browser.visible_text()).strip() == "Other page"


async def test_tabs_are_opened_once_and_then_found_again(shop: Shop) -> None:
    await do(shop, "switch_tab", tab="other", url=f"{shop.url}/other")
    await do(shop, "switch_tab", tab="shop", url=f"{shop.url}/")
    await do(shop, "click", SAVE)

    await do(shop, "switch_tab", tab="other", url=f"{shop.url}/")
    assert await holds(shop, {"url": "*/other"})

    await do(shop, "switch_tab", tab="shop")
    assert await holds(shop, SAVED) or await holds(shop, {"url": f"{shop.url}/"})


async def test_a_tab_that_is_not_open_needs_an_address(shop: Shop) -> None:
    with pytest.raises(TargetNotFound, match="no tab 'x' is open, and no url says where to open it") as raised:
        await do(shop, "switch_tab", tab="x")

    assert raised.value.performed is False


@pytest.mark.parametrize("verb", ["navigate", "switch_tab"])
async def test_a_page_that_is_missing_is_a_dead_link(shop: Shop, verb: str) -> None:
    more: Json = {"tab": "t"} if verb == "switch_tab" else {}

    with pytest.raises(NavigationFailed, match="/missing answered 404") as raised:
        await do(shop, verb, url=f"{shop.url}/missing", **more)

    assert not isinstance(raised.value, NetworkFailed)


@pytest.mark.parametrize("verb", ["navigate", "switch_tab"])
async def test_a_server_that_fails_is_the_networks_fault(shop: Shop, verb: str) -> None:
    more: Json = {"tab": "t"} if verb == "switch_tab" else {}

    with pytest.raises(NetworkFailed, match="/broken answered 500"):
        await do(shop, verb, url=f"{shop.url}/broken", **more)


async def test_an_address_nobody_answers_at_is_the_networks_fault_and_surely_was_not_opened(shop: Shop) -> None:
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as unused:
        port = unused.getsockname()[1]

    with pytest.raises(NetworkFailed, match="cannot be reached: ") as raised:
        await do(shop, "navigate", url=f"http://127.0.0.1:{port}/")

    assert raised.value.performed is False


@pytest.mark.parametrize("verb", ["click", "hover"])
@pytest.mark.parametrize(
    ("target", "words"),
    [
        ({"role": "button", "name": "Nope"}, "no element fits button 'Nope'"),
        ({"role": "button", "name": "Ghost"}, "no element fits button 'Ghost'"),
        ({"role": "button", "name": "Save"}, "2 elements fit button 'Save'; say which one is meant"),
        ({"role": "button", "name": "Under"}, 'cannot take the action: <div id="veil"'),
    ],
    ids=["absent", "hidden", "two", "covered"],
)
async def test_an_element_that_cannot_take_a_pointer_is_refused_with_the_reason_and_surely_not_touched(
    shop: Shop, target: Json, words: str, verb: str
) -> None:
    error = await refused(shop, verb, target)

    assert isinstance(error, TargetNotFound)
    assert words in str(error)
    assert error.performed is False


async def test_a_covered_element_says_what_covers_it(shop: Shop) -> None:
    error = await refused(shop, "click", {"role": "button", "name": "Under"})

    assert str(error).endswith("intercepts pointer events")


async def test_a_disabled_element_is_refused_and_surely_not_touched(shop: Shop) -> None:
    error = await refused(shop, "click", {"role": "button", "name": "Locked"})

    assert "is there but cannot take the action: element is not enabled" in str(error)
    assert error.performed is False


@pytest.mark.parametrize(
    ("verb", "more"),
    [
        ("fill", {"value": "x"}),
        ("type", {"text": "x"}),
        ("press", {"key": "a"}),
        ("set_checked", {}),
        ("select", {"option": "x"}),
    ],
)
async def test_every_verb_says_when_there_is_no_or_no_single_element(shop: Shop, verb: str, more: Json) -> None:
    absent = await refused(shop, verb, {"label": "Nope"}, **more)
    several = await refused(shop, verb, {"role": "textbox"}, **more)

    assert str(absent) == "no element fits element 'Nope'"
    assert str(several) == "2 elements fit textbox; say which one is meant"
    assert absent.performed is False
    assert several.performed is False


async def test_an_option_that_is_not_there_is_refused(shop: Shop) -> None:
    error = await refused(shop, "select", {"label": "Stage"}, option="Lost")

    assert str(error) == "element 'Stage' has no option 'Lost'; it has 'New', 'Won'"
    assert error.performed is False


async def test_a_field_is_emptied(shop: Shop) -> None:
    await do(shop, "fill", NAME, value="old")

    await do(shop, "clear", NAME)

    assert await holds(shop, {"value": "", "of": NAME})


@pytest.mark.parametrize("how", [{"index": 1}, {"index": -1}, {"value": "Won"}])
async def test_an_option_may_be_chosen_by_its_place_or_value(shop: Shop, how: Json) -> None:
    await do(shop, "select", {"label": "Stage"}, **how)

    assert await holds(shop, {"value": "Won", "of": {"label": "Stage"}})


async def test_what_was_copied_is_given_back(shop: Shop) -> None:
    done = await shop.browser.perform(
        ACTION.validate_python({"do": "copy", "target": {"text": "Total: 3"}}), timeout_s=COMES_S
    )

    assert done.value == "Total: 3 records"


async def test_waiting_and_scrolling_leave_the_page_as_it_is(shop: Shop) -> None:
    await do(shop, "scroll", SAVE)
    await do(shop, "wait_for", network="idle")

    assert not await holds(shop, SAVED)


async def test_a_renewed_browser_begins_with_one_empty_tab(shop: Shop) -> None:
    await do(shop, "switch_tab", tab="other", url=f"{shop.url}/other")

    await shop.browser.renew()

    assert await shop.browser.where() != f"{shop.url}/other"
    with pytest.raises(TargetNotFound):
        await do(shop, "switch_tab", tab="other")
