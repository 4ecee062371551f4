"""The target that leads back to a candidate, and the picture with a box around it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from PIL import Image
from playwright.async_api import Page

from sopbench.adapters.playwright_candidates import fingerprint_of, look_for
from sopbench.adapters.playwright_locators import locate
from sopbench.errors import TargetNotFound
from sopbench.sop.fingerprint import Fingerprint
from sopbench.sop.targets import Target
from sopbench.sop.verbs.base import ElementKind

from .acting import Acting
from .candidate_pages import CARDS, FORM, FRAMES, PAGES, TABLE

COUNTED_ELSEWHERE = {"index": None, "of": None}
"""What a target says it is within, it is counted in."""
KINDS: tuple[ElementKind, ...] = ("click", "fill", "choose", "check", "upload", "read")


async def shown(acting: Acting, html: str) -> Page:
    await acting.show(html)
    return acting.session.context.pages[0]


@pytest.mark.parametrize("name", PAGES)
async def test_the_target_of_every_candidate_leads_back_to_it(acting: Acting, name: str) -> None:
    page = await shown(acting, PAGES[name])
    if name == "frames":
        await page.frame_locator("iframe >> nth=0").frame_locator("iframe").get_by_role("button").wait_for()

    for kind in KINDS:
        found = await look_for(page, kind)
        for number, facts in enumerate(found.elements):
            target = await found.target(number)

            there = locate(page, target, only_seen=kind != "upload")
            assert await there.count() == 1, f"{kind} {facts} by {target}"
            again = await fingerprint_of(page, target, kind)
            assert again is not None
            told = again.model_dump() | ({} if target.within is None else COUNTED_ELSEWHERE)
            expected = Fingerprint.model_validate(facts).model_dump()
            assert told == expected | ({} if target.within is None else COUNTED_ELSEWHERE), f"{kind} by {target}"


@pytest.mark.parametrize(
    ("html", "kind", "number", "expected"),
    [
        (FORM, "click", -2, {"test_id": "go"}),
        (FORM, "fill", 0, {"role": "textbox", "name": "Mail address", "exact": True}),
        (
            TABLE,
            "click",
            3,
            {"role": "button", "name": "Delete", "exact": True, "within": {"role": "row", "name": "Bob's"}},
        ),
        (
            CARDS,
            "click",
            -1,
            {"role": "button", "name": "Pick", "exact": True, "within": {"role": "listitem", "text": "Two"}},
        ),
        (CARDS, "click", 3, {"text": "Card two", "exact": True}),
        ("<i tabindex=0>x</i><input id=a><input name=b>", "fill", 0, {"css": "#a"}),
        ("<i tabindex=0>x</i><input id=a><input name=b>", "fill", 1, {"css": 'input[name="b"]'}),
        ("<div id=a><i></i><input><input></div>", "fill", 1, {"css": "#a > input:nth-of-type(2)"}),
    ],
)
async def test_the_plainest_target_is_taken(
    acting: Acting, html: str, kind: ElementKind, number: int, expected: dict[str, Any]
) -> None:
    page = await shown(acting, html)
    found = await look_for(page, kind)

    target = await found.target(number % len(found.elements))

    assert target == Target.model_validate(expected)


async def test_the_tick_box_behind_a_label_is_set_by_its_target(acting: Acting) -> None:
    page = await shown(acting, FORM)
    found = await look_for(page, "check")

    target = await found.target(2)
    await locate(page, target, only_seen=True).set_checked(True, timeout=2000)

    assert await acting.js("document.querySelector('#terms').checked")


async def test_a_target_of_what_is_gone_is_refused(acting: Acting) -> None:
    page = await shown(acting, TABLE)
    found = await look_for(page, "click")
    await acting.js("document.querySelector('tr:nth-child(2)').remove()")

    with pytest.raises(TargetNotFound, match="button 'Edit' is gone") as raised:
        await found.target(2)

    assert raised.value.performed is False


async def test_after_the_page_has_changed_its_address_all_are_gone(acting: Acting) -> None:
    page = await shown(acting, TABLE)
    found = await look_for(page, "click")
    await page.goto("data:text/html,<button>Edit</button>")

    with pytest.raises(TargetNotFound):
        await found.target(0)


async def test_the_picture_has_boxes_where_the_elements_are(acting: Acting, tmp_path: Path) -> None:
    page = await shown(acting, FRAMES + "<button style='position:absolute;top:5000px'>Far</button>")
    await page.frame_locator("iframe >> nth=0").frame_locator("iframe").get_by_role("button").wait_for()
    found = await look_for(page, "click")
    path = tmp_path / "menu.jpg"
    plain = tmp_path / "plain.jpg"

    await found.picture(plain, [])
    await found.picture(path, range(len(found.elements)))

    with Image.open(path) as picture, Image.open(plain) as bare:
        assert picture.format == "JPEG"
        assert picture.size == (1280, 800)
        for each in found.elements:
            if each["name"] != "Far":
                edge = (round(each["box"]["x"]), round(each["box"]["y"] + each["box"]["height"] / 2))
                channels = zip(rgb(picture, edge), rgb(bare, edge), strict=True)
                assert max(abs(one - other) for one, other in channels) > 40, each["name"]


def rgb(picture: Image.Image, at: tuple[int, int]) -> tuple[int, ...]:
    return cast("tuple[int, ...]", picture.getpixel(at))
