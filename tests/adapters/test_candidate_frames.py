"""A page with frames in it is read as one page: elements are counted, and their surroundings told, across frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.async_api import Page

from sopbench.adapters.playwright_candidates import fingerprint_of, look_for
from sopbench.sop.targets import Target

from .acting import Acting


def framed(html: str) -> str:
    quoted = html.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe srcdoc="{quoted}" title=inner></iframe>'


INNERMOST = framed("<button>Fourth</button>")
MIDDLE = framed(f"<button>Third</button>{INNERMOST}<button>Fifth</button>")
NESTED = f"<button>First</button><button>Second</button>{MIDDLE}<button>Sixth</button>{framed('<button>Last</button>')}"


async def shown(acting: Acting, html: str, last: Sequence[str]) -> Page:
    await acting.show(html)
    page = acting.session.context.pages[0]
    frame: Any = page
    for each in last:
        frame = frame.frame_locator(each)
    await frame.get_by_role("button").first.wait_for()
    return page


async def test_elements_are_counted_among_their_like_in_the_order_a_person_meets_them(acting: Acting) -> None:
    page = await shown(acting, NESTED, ["iframe >> nth=0", "iframe"])
    await page.frame_locator("iframe >> nth=1").get_by_role("button").wait_for()

    found = await look_for(page, "click")

    places = {each["name"]: (each["index"], each["of"]) for each in found.elements}
    assert places == {
        "First": (0, 7), "Second": (1, 7), "Third": (2, 7), "Fourth": (3, 7), "Fifth": (4, 7), "Sixth": (5, 7),
        "Last": (6, 7),
    }  # fmt: skip


async def test_what_a_frame_does_not_say_stands_around_it(acting: Acting) -> None:
    rows = "".join(f"<tr><td>{name}<td>{framed('<button>Edit</button>')}</tr>" for name in ("Ada", "Bob"))
    page = await shown(acting, f"<h2>People</h2><table>{rows}</table>", ["iframe >> nth=1"])

    found = await look_for(page, "click")

    told = [(each["heading"], each["container"][0], each["near"]) for each in found.elements]
    assert told == [("People", "row 'Ada'", "Ada"), ("People", "row 'Bob'", "Bob")]


async def test_what_a_frame_does_say_comes_first(acting: Acting) -> None:
    inner = framed("<h3>Inside</h3><form aria-label='Sign in'>by mail <button>Go</button></form>")
    page = await shown(acting, f"<main><h2>Outside</h2>around {inner}</main>", ["iframe"])

    (button,) = (await look_for(page, "click")).elements

    assert (button["heading"], button["near"]) == ("Inside", "by mail")
    assert button["container"] == ["form 'Sign in'", "main"]


@pytest.mark.parametrize("name", ["First", "Fourth", "Sixth"])
async def test_one_element_is_told_as_it_is_among_all(acting: Acting, name: str) -> None:
    page = await shown(acting, NESTED, ["iframe >> nth=0", "iframe"])
    await page.frame_locator("iframe >> nth=1").get_by_role("button").wait_for()
    among_all = next(dict(each) for each in (await look_for(page, "click")).elements if each["name"] == name)
    frame = {"Fourth": ("iframe >> nth=0", "iframe")}.get(name)

    alone = await fingerprint_of(page, Target(role="button", name=name, frame=frame), "click")

    assert alone is not None
    assert alone.model_dump(mode="json", exclude_defaults=True) == among_all
