"""The frames of a page that a person can see, and where they are."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from playwright.async_api import Error

from sopbench.adapters.in_page_scripts import script

if TYPE_CHECKING:
    from playwright.async_api import Frame

_PLACE = script("place_of_frame")
SLOW_FRAME_S = 2.0
"""A frame within the page that does not answer by then is left out."""


@dataclass(frozen=True)
class Place:
    """Where a frame is; the page's own is nowhere but at its beginning."""

    called: tuple[str, ...] = ()
    """Outermost first: by title, else name, else id, else the path of its address."""
    css: tuple[str, ...] = ()
    x: float = 0
    y: float = 0
    """Where its content begins, in CSS pixels of what is in sight."""
    page_x: float = 0
    page_y: float = 0
    """The same in pixels of the whole top document, however far anything is scrolled."""
    boxes: tuple[Mapping[str, float], ...] = ()
    """The frames it is in and itself, in the same pixels."""


async def seen_frames(frame: Frame, place: Place | None = None) -> list[tuple[Frame, Place]]:
    """The frame and all within it that can be seen, each before those inside it."""
    own = place or Place()
    inner = await asyncio.gather(*(_within(each, own) for each in frame.child_frames))
    return [(frame, own), *(each for some in inner for each in some)]


async def place_of(frame: Frame) -> Place | None:
    """None when it, or a frame around it, is gone or cannot be seen."""
    if frame.parent_frame is None:
        return Place()
    around = await place_of(frame.parent_frame)
    return None if around is None else await _place_in(frame, around)


async def _within(frame: Frame, around: Place) -> list[tuple[Frame, Place]]:
    place = await _place_in(frame, around)
    return [] if place is None else await seen_frames(frame, place)


async def _place_in(frame: Frame, around: Place) -> Place | None:
    try:
        async with asyncio.timeout(SLOW_FRAME_S):
            element = await frame.frame_element()
            shown = await element.evaluate(_PLACE)
            await element.dispose()
    except (Error, TimeoutError):
        return None
    if not shown["seen"]:
        return None
    box = {"x": around.x + shown["left"], "y": around.y + shown["top"], **shown["size"]}
    return Place(
        called=(*around.called, shown["called"] or urlsplit(frame.url).path or "/"),
        css=(*around.css, shown["css"]),
        x=around.x + shown["x"],
        y=around.y + shown["y"],
        page_x=around.page_x + shown["x"] + shown["scrolledX"],
        page_y=around.page_y + shown["y"] + shown["scrolledY"],
        boxes=(*around.boxes, box),
    )
