"""What every browser behind the port does alike: Chromium through Playwright, and the fake."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

import pytest
from pydantic import TypeAdapter

from sopbench.errors import NavigationFailed, NetworkFailed, StepError, TargetNotFound
from sopbench.sop.actions import AnyAction
from sopbench.sop.targets import Expectation, Target
from sopbench.sop.verbs.reading import Extract

from .conftest import Shop

Json = dict[str, Any]
_ACTION: TypeAdapter[Any] = TypeAdapter(AnyAction)
_EXPECTATION: TypeAdapter[Any] = TypeAdapter(Expectation)

SAVE: Json = {"role": "button", "name": "Save", "exact": True}
NAME: Json = {"label": "Name", "exact": True}
SAVED: Json = {"visible": {"role": "status"}}


COMES_S = 20.0
DOES_NOT_COME_S = 0.8
"""How long to wait for what will come, and for what will not."""


async def do(shop: Shop, verb: str, target: Json | None = None, **more: Any) -> None:
    data = {"do": verb, **more, **({"target": target} if target else {})}
    await shop.browser.perform(_ACTION.validate_python(data), timeout_s=more.get("timeout_s", COMES_S))


async def holds(shop: Shop, expectation: Json) -> bool:
    return (await shop.browser.look(_EXPECTATION.validate_python(expectation), timeout_s=0)).holds


async def refused(shop: Shop, verb: str, target: Json, **more: Any) -> StepError:
    """The error; on a busy machine a browser may need longer to get as far as finding the reason."""
    for patience_s in (DOES_NOT_COME_S, 5, 30):
        with pytest.raises(StepError) as raised:
            await do(shop, verb, target, timeout_s=patience_s, **more)
        if "it was not ready" not in str(raised.value):
            break
    return raised.value


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


LOOKS: list[tuple[Json, bool, str]] = [
    ({"url": "http://*/"}, True, ""),
    ({"url": "*/other"}, False, "address is http://127.0.0.1:"),
    ({"visible": SAVE}, True, ""),
    ({"visible": {"role": "button", "name": "Save"}}, True, ""),
    ({"visible": {"role": "alert"}}, False, "none"),
    ({"visible": {"css": "#status"}}, False, "1 such element"),
    ({"hidden": {"role": "status"}}, True, ""),
    ({"hidden": {"role": "alert"}}, True, ""),
    ({"hidden": {"role": "listitem"}}, False, "2 to be seen"),
    ({"text": "Total: 3"}, True, ""),
    ({"text": "Total: 4"}, False, "Total: 3 records"),
    ({"text": "Ada", "in": {"css": ".row", "nth": 0}}, True, ""),
    ({"text": "Ada", "in": {"css": ".row", "nth": 1}}, False, "Bo"),
    ({"text": "Ada", "in": {"role": "alert"}}, False, "no such element"),
    ({"text": "Ada", "in": {"css": ".row"}}, False, "2"),
    ({"value": "", "of": NAME}, True, ""),
    ({"value": " Acme ", "of": {"label": "Name of fund"}}, True, ""),
    ({"value": "Acm", "of": {"label": "Name of fund"}}, False, "'Acme'"),
    ({"value": "x", "of": {"label": "Nope"}}, False, "no such element"),
    ({"checked": {"label": "Follow up"}, "is": False}, True, ""),
    ({"checked": {"label": "Follow up"}}, False, ""),
    ({"checked": {"role": "checkbox", "name": "Pick", "nth": 0}}, True, ""),
    ({"count": {"css": ".row"}, "is": 2}, True, ""),
    ({"count": {"css": ".row"}, "is": 3}, False, "2"),
    ({"count": {"css": ".row"}, "min": 2, "max": 2}, True, ""),
    ({"count": {"css": ".row"}, "min": 3}, False, "2"),
    ({"count": {"css": ".row"}, "max": 1}, False, "2"),
    ({"count": {"css": "#status"}, "is": 1}, True, ""),
    ({"count": {"role": "alert"}, "is": 0}, True, ""),
]


@pytest.mark.parametrize(("expectation", "expected", "found"), LOOKS, ids=lambda value: str(value)[:60])
async def test_an_expectation_holds_or_says_what_is_there_instead(
    window: Shop, expectation: Json, expected: bool, found: str
) -> None:
    seen = await window.browser.look(_EXPECTATION.validate_python(expectation), timeout_s=0)

    assert seen.holds is expected, seen.found
    assert found in seen.found
    assert seen.found


COUNTS: list[tuple[Json, int]] = [
    ({"role": ["checkbox", "combobox"]}, 4),
    ({"role": "button", "name": "save"}, 2),
    ({"role": "button", "name": "Save", "exact": True}, 1),
    ({"role": "button", "name": "save", "exact": True}, 0),
    ({"label": "Name"}, 2),
    ({"label": "Name", "exact": True}, 1),
    ({"placeholder": "full"}, 1),
    ({"test_id": "save"}, 1),
    ({"text": "total: 3"}, 1),
    ({"text": "Total", "exact": True}, 0),
    ({"role": "button", "text": "Save"}, 2),
    ({"role": "button", "text": "Save", "exact": True}, 1),
    ({"role": "button", "name": "OK"}, 2),
    ({"role": "button", "name": "OK", "within": {"role": "dialog", "name": "Delete"}}, 1),
    ({"role": "button", "name": "Save", "within": {"role": "dialog"}}, 0),
    ({"role": "link", "name": "Open", "near": {"css": ".who", "text": "Bo"}}, 1),
    ({"css": ".tag", "near": {"css": ".who", "text": "Bo"}}, 2),
    ({"css": ".tag", "near": {"css": ".who", "text": "Ada"}}, 0),
    ({"css": ".tag", "near": {"css": ".who", "text": "Bo"}, "nth": 1}, 1),
    ({"role": "link", "name": "Open", "near": {"css": ".who", "text": "Bo"}, "within": {"css": ".row", "nth": 1}}, 1),
    ({"css": ".row", "nth": 1}, 1),
    ({"css": ".row", "nth": -1}, 1),
    ({"css": ".row", "nth": 2}, 0),
    ({"role": "button", "name": "Inside"}, 0),
    ({"role": "button", "name": "Inside", "frame": "#help"}, 1),
]


@pytest.mark.parametrize(("target", "count"), COUNTS, ids=str)
async def test_a_target_means_so_many_elements(window: Shop, target: Json, count: int) -> None:
    assert len(await window.browser.matches(Target.model_validate(target))) == count


async def test_near_means_the_row_that_holds_both(window: Shop) -> None:
    link = {"role": "link", "name": "Open", "near": {"css": ".who", "text": "Bo"}}

    assert await read(window, target=link, attribute="href") == "/bo"


async def read(window: Shop, **what: Any) -> Any:
    action = Extract.model_validate({"do": "extract", "into": "v", **what})
    return (await window.browser.perform(action, timeout_s=DOES_NOT_COME_S)).value


WHO: Json = {"css": ".who"}
FIRST: Json = {"css": ".who", "nth": 0}
READINGS: list[tuple[Json, Any]] = [
    ({"target": FIRST}, "Ada"),
    ({"target": WHO, "all": True}, ["Ada", "Bo"]),
    ({"target": {"css": ".nope"}, "all": True}, []),
    ({"target": {"css": ".nope"}, "optional": True}, None),
    ({"target": FIRST, "optional": True}, "Ada"),
    ({"target": {"role": "link", "nth": 0}, "attribute": "href"}, "/other"),
    ({"target": FIRST, "attribute": "data-nope"}, None),
    ({"target": {"label": "Name of fund"}, "attribute": "value"}, "Acme"),
    ({"target": {"role": "checkbox", "name": "Pick", "nth": 0}, "attribute": "checked"}, True),
    ({"target": {"role": "checkbox", "name": "Pick"}, "attribute": "checked", "all": True}, [True, False]),
    (
        {"each": {"css": ".row"}, "fields": {
            "who": {"target": WHO}, "link": {"target": {"role": "link"}, "attribute": "href"},
            "picked": {"target": {"role": "checkbox"}, "attribute": "checked"},
            "tags": {"target": {"css": ".tag"}, "all": True},
            "tag": {"target": {"css": ".nope"}, "optional": True},
        }},
        [
            {"who": "Ada", "link": "/other", "picked": True, "tags": [], "tag": None},
            {"who": "Bo", "link": "/bo", "picked": False, "tags": ["big", "new"], "tag": None},
        ],
    ),
    ({"each": WHO, "fields": {"name": {}}}, [{"name": "Ada"}, {"name": "Bo"}]),
    ({"each": {"css": ".nope"}, "fields": {"name": {}}}, []),
]  # fmt: skip


@pytest.mark.parametrize(("what", "value"), READINGS, ids=lambda value: str(value)[:60])
async def test_values_are_read_from_the_page(window: Shop, what: Json, value: Any) -> None:
    assert await read(window, **what) == value


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ({"target": {"css": ".nope"}}, r"^no element fits element \[\.nope\]$"),
        ({"target": WHO}, r"^2 elements fit element \[\.who\]; say which one is meant$"),
        (
            {"each": {"css": ".row"}, "fields": {"tag": {"target": {"css": ".tag"}}}},
            r"^field 'tag' of record 0: no element fits element \[\.tag\]$",
        ),
        (
            {"each": {"css": ".row"}, "fields": {"tag": {"target": {"css": ".tag"}, "optional": True}}},
            r"^field 'tag' of record 1: 2 elements fit element \[\.tag\]$",
        ),
    ],
    ids=["absent", "two", "field absent", "field twice"],
)  # fmt: skip
async def test_what_cannot_be_read_is_named(window: Shop, what: Json, words: str) -> None:
    with pytest.raises(TargetNotFound, match=words) as raised:
        await read(window, **what)

    assert raised.value.performed is False


async def test_the_visible_text_is_what_a_person_can_see(shop: Shop) -> None:
    before = await shop.browser.visible_text()
    await do(shop, "click", SAVE)
    after = await shop.browser.visible_text()

    assert "Total: 3 records" in before
    assert "Saved" not in before
    assert "Ghost" not in before
    assert "Saved" in after


async def test_matches_come_in_the_order_of_the_page_with_their_texts(window: Shop) -> None:
    assert await window.browser.matches(Target.model_validate(WHO)) == ["Ada", "Bo"]


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
        _ACTION.validate_python({"do": "copy", "target": {"text": "Total: 3"}}), timeout_s=COMES_S
    )

    assert done.value == "Total: 3 records"


async def test_waiting_and_scrolling_leave_the_page_as_it_is(shop: Shop) -> None:
    await do(shop, "scroll", SAVE)
    await do(shop, "wait_for", network="idle")

    assert not await holds(shop, SAVED)
