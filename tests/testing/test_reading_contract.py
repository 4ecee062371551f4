"""What every browser tells of a page: expectations, targets, values, candidates."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.errors import TargetNotFound
from sopbench.sop.fingerprint import Fingerprint
from sopbench.sop.targets import Target
from sopbench.sop.verbs.base import ElementKind
from sopbench.sop.verbs.reading import Extract

from .conftest import Shop
from .doing import DOES_NOT_COME_S, EXPECTATION, NAME, SAVE, Json, do

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
    seen = await window.browser.look(EXPECTATION.validate_python(expectation), timeout_s=0)

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


async def test_what_can_be_pressed_is_visible_and_not_disabled(window: Shop) -> None:
    found = await window.browser.candidates("click")

    names = [each.get("name") for each in found.elements if each.get("role") == "button"]
    assert {"Save", "Save as"} <= set(names)
    assert not {"Locked", "Ghost"} & set(names)


@pytest.mark.parametrize("kind", ["click", "fill", "choose", "check"])
async def test_the_target_of_a_candidate_fits_it_and_nothing_else(window: Shop, kind: ElementKind) -> None:
    found = await window.browser.candidates(kind)

    targets = [await found.target(number) for number in range(len(found.elements))]

    assert targets
    assert [len(await window.browser.matches(target)) for target in targets] == [1] * len(targets)


async def test_a_fingerprint_is_what_the_candidates_tell(window: Shop) -> None:
    target = Target.model_validate({"role": "button", "name": "Save", "exact": True})

    seen = await window.browser.fingerprint(target, "click")

    found = await window.browser.candidates("click")
    [told] = [each for each in found.elements if each.get("test_id") == "save"]
    assert seen == Fingerprint.model_validate(told)
    assert (seen.role, seen.name) == ("button", "Save")


@pytest.mark.parametrize("name", ["Save", "No such"], ids=["two fit", "none fits"])
async def test_several_or_none_have_no_fingerprint(window: Shop, name: str) -> None:
    target = Target.model_validate({"role": "button", "name": name})

    assert await window.browser.fingerprint(target, "click") is None
