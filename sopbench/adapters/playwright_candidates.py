"""Looking at a page for the elements that could take an action, and for what identifies each."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error

from sopbench.adapters.candidate_columns import Told, read, read_brief
from sopbench.adapters.candidate_documents import Document, join
from sopbench.adapters.in_page_scripts import script
from sopbench.adapters.playwright_boxes import Boxed, draw, in_sight
from sopbench.adapters.playwright_errors import translated, unless_stuck
from sopbench.adapters.playwright_frames import SLOW_FRAME_S, Place, place_of, seen_frames
from sopbench.adapters.playwright_locators import locate
from sopbench.adapters.playwright_target_ways import in_order
from sopbench.errors import TargetNotFound
from sopbench.sop.fingerprint import Fingerprint
from sopbench.sop.targets import Target
from sopbench.sop.unicode import well_formed
from sopbench.targeting.shortlist import SIZE, asked_for, likeliest

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Frame, JSHandle, Page

    from sopbench.ports.browser import ElementState
    from sopbench.sop.verbs.base import ElementKind

_MAKERS = f"({script('roles')}), ({script('names')}), ({script('fitting')}), ({script('words')}), ({script('telling')})"
_LOOK = f"([kind, wanted, scopes]) => ({script('candidates')})(kind, wanted, scopes, {_MAKERS})"
_BRIEF = "(found, [keys, most]) => found.count > most ? found.brief(keys) : null"
_SCOPED = "found => found.scoped"
_KEEP = "(found, places) => found.keep(places)"
_WAYS = f"(found, number) => ({script('ways_to')})(found.reach[number], ({script('words')}))"
_IS_IT = "(all, [found, number]) => all.length === 1 && all[0] === found.reach[number]"
_PLACE_AMONG = "(all, [found, number]) => all.indexOf(found.reach[number])"
_FRAME = "(found, element) => found.frames.indexOf(element)"
_MEANT = f"(element, kind) => ({script('meant')})(element, kind)"
_BOXES = """(found, numbers) => numbers.map(number => {
  const { x, y, width, height } = found.reach[number].getBoundingClientRect()
  return { x, y, width, height }
})"""
_STATES = f"(found, numbers) => ({script('states')})(found, numbers)"
_PICTURE = {"format": "jpeg", "quality": 85}


@dataclass(frozen=True, eq=False)
class _Part:
    """The candidates of one frame: held there, and told of here."""

    frame: Frame
    place: Place
    held: JSHandle
    told: Told


@dataclass(frozen=True, eq=False)
class PlaywrightCandidates:
    """The elements that could take an action, as the page was when it was looked at."""

    page: Page
    kind: ElementKind
    _parts: Sequence[_Part]
    within: Target | None = None
    """What the element that is meant should lie in."""
    those_within: Sequence[int] = ()
    """Numbers of those that do."""
    elements: Sequence[Mapping[str, Any]] = field(init=False)
    """Fingerprints as plain data, in document order, frame after frame. Their place here is their number."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "elements", [each for part in self._parts for each in part.told.elements])

    async def target(self, number: int) -> Target:
        """The plainest target that fits this element and no other, now. Raises: TargetNotFound when it is gone."""
        part, place = self._at(number)
        facts = self.elements[number]
        called = facts.get("name") or facts.get("text") or ""
        gone = TargetNotFound(f"{facts.get('role') or facts['tag']} {called!r} is gone from the page", performed=False)
        async with unless_stuck("the page"):
            try:
                ways = await part.held.evaluate(_WAYS, place)
                if ways is None:
                    raise gone
                targets = list(in_order(facts, ways, part.place.css, is_read=self.kind == "read"))
                for target in [*self._narrowed(number, targets), *targets]:
                    if await self._fits(part, place, target):
                        return target
                return await self._counted(part, place, ways["tag"], gone)
            except Error as error:
                await self.page.evaluate("0")
                raise gone from error

    async def states(self, numbers: Sequence[int]) -> Sequence[ElementState]:
        """What each of these is like now, and where it leads; of one that is gone nothing. Raises: BrowserLost."""
        found: dict[int, ElementState] = {}
        async with unless_stuck("the page"):
            for part, mine in self._by_part(numbers):
                try:
                    told = await part.held.evaluate(_STATES, list(mine))
                except Error:
                    await self.page.evaluate("0")
                    continue  # its frame is gone
                found.update(zip(mine.values(), well_formed(told), strict=True))
        return [found.get(number, {}) for number in numbers]

    async def picture(self, path: Path, numbers: Sequence[int]) -> None:
        """Write what is in sight as JPEG, with a numbered box around each of these. Raises: BrowserLost."""
        boxed: list[Boxed] = []
        async with unless_stuck("the page"):
            for part, mine in self._by_part(numbers):
                boxed += await _boxes(part, mine)
            devtools = await self.page.context.new_cdp_session(self.page)
            answer = await devtools.send("Page.captureScreenshot", _PICTURE)
            await devtools.detach()
            width = await self.page.evaluate("innerWidth")
        _write(path, draw(base64.b64decode(answer["data"]), boxed, width))

    def _narrowed(self, number: int, targets: Sequence[Target]) -> list[Target]:
        """The same within what was asked for, if it lies there: that was said of the element before."""
        if number not in self.those_within:
            return []
        return [each.model_copy(update={"within": self.within}) for each in targets if each.within is None]

    def _at(self, number: int) -> tuple[_Part, int]:
        """The frame that holds it, and its place there. Raises: IndexError."""
        ((part, mine),) = self._by_part([number])
        return part, next(iter(mine))

    def _by_part(self, numbers: Sequence[int]) -> list[tuple[_Part, dict[int, int]]]:
        """The frames that hold these, each with the number here by the place there. Raises: IndexError."""
        if unknown := [number for number in numbers if not 0 <= number < len(self.elements)]:
            raise IndexError(f"there are {len(self.elements)} candidates, and no number {unknown[0]}")
        found, first = [], 0
        for part in self._parts:
            after = first + len(part.told.elements)
            mine = {number - first: number for number in numbers if first <= number < after}
            found += [(part, mine)] if mine else []
            first = after
        return found

    async def _fits(self, part: _Part, place: int, target: Target) -> bool:
        found = locate(self.page, target, only_seen=self.kind != "upload")
        try:
            return bool(await found.evaluate_all(_IS_IT, [part.held, place]))
        except Error:
            return False  # several frames fit its CSS, or the name of one cannot be said in it

    async def _counted(self, part: _Part, place: int, tag: str, gone: TargetNotFound) -> Target:
        target = Target(css=tag, frame=part.place.css or None)
        found = locate(self.page, target, only_seen=self.kind != "upload")
        number = await found.evaluate_all(_PLACE_AMONG, [part.held, place])
        if number < 0:
            raise gone
        return target.model_copy(update={"nth": number})


async def look_for(
    page: Page, kind: ElementKind, like: Fingerprint | None = None, within: Target | None = None
) -> PlaywrightCandidates:
    """Every element that could take an action of the kind, in all frames that can be seen.

    Of a page without frames, only those of a shortlist that are worth a close look for one that is ``like`` this; and
    what lies ``within`` an element is counted among its like in there.

    Raises: BrowserLost.
    """
    with translated("the page"):
        parts = await _parts(page, kind, like=like, within=within)
        inside = await parts[0].held.evaluate(_SCOPED) if within is not None and len(parts) == 1 else ()
        return PlaywrightCandidates(page, kind, parts, within, inside)


async def fingerprint_of(page: Page, target: Target, kind: ElementKind | None = None) -> Fingerprint | None:
    """What identifies the one element that fits the target; None when it is not exactly one. Raises: BrowserLost.

    With the kind ``check``, a label whose box cannot be seen stands for that box.
    """
    found = locate(page, target, only_seen=kind != "upload")
    with translated(str(target)):
        if await found.count() != 1:
            return None
        element = await found.element_handle(timeout=1000)
        frame = await element.owner_frame()
        meant = await element.evaluate_handle(_MEANT, kind)
        parts = await _parts(page, kind, wanted=(frame, meant), within=target.within)
        for handle in (meant, element, *(part.held for part in parts)):
            await handle.dispose()
    told = next((part.told.elements for part in parts if part.frame == frame), ())
    return Fingerprint.model_validate(told[0]) if told else None


async def _parts(
    page: Page,
    kind: ElementKind | None,
    *,
    wanted: tuple[Frame | None, JSHandle] | None = None,
    like: Fingerprint | None = None,
    within: Target | None = None,
) -> list[_Part]:
    """All frames that can be seen, read as one page; of ``wanted`` alone, in its frame, if one is given."""
    if not page.main_frame.child_frames:
        scopes = [] if within is None else await locate(page, within).element_handles()
        part = await _look(page.main_frame, Place(), kind, None if wanted is None else wanted[1], like, scopes)
        for scope in scopes:
            await scope.dispose()
        return [part]
    frames = await seen_frames(page.main_frame)
    looks = (_part(frame, place, kind, wanted) for frame, place in frames)
    parts = [part for part in await asyncio.gather(*looks) if part is not None]
    if len(parts) > 1:
        join(await _document(parts[0], parts))
    return parts


async def _document(part: _Part, parts: Sequence[_Part]) -> Document:
    inside = {}
    for each in parts:
        if each.frame.parent_frame == part.frame:
            try:
                element = await each.frame.frame_element()
                number = await part.held.evaluate(_FRAME, element)
                await element.dispose()
            except Error:
                continue  # it went
            if number >= 0:
                inside[number] = await _document(each, parts)
    return Document(part.told, inside)


async def _part(
    frame: Frame, place: Place, kind: ElementKind | None, wanted: tuple[Frame | None, JSHandle] | None
) -> _Part | None:
    """None when the frame went, or never came."""
    here = None
    if wanted is not None:
        kind, here = (kind, wanted[1]) if wanted[0] == frame else (None, None)
    if frame.parent_frame is None:
        return await _look(frame, place, kind, here)
    try:
        async with asyncio.timeout(SLOW_FRAME_S):
            return await _look(frame, place, kind, here)
    except (Error, TimeoutError):
        return None


async def _look(
    frame: Frame,
    place: Place,
    kind: ElementKind | None,
    wanted: JSHandle | None,
    like: Fingerprint | None = None,
    scopes: Sequence[JSHandle] = (),
) -> _Part:
    held = await frame.evaluate_handle(_LOOK, [kind, wanted, list(scopes)])
    told = read(await held.evaluate(_KEEP, None if like is None else await _shortlisted(held, like)))
    if place.called:
        for each in told.elements:
            each["frame"] = list(place.called)
            if box := each.get("box"):
                box["x"], box["y"] = round(box["x"] + place.page_x, 1), round(box["y"] + place.page_y, 1)
    return _Part(frame, place, held, told)


async def _shortlisted(held: JSHandle, like: Fingerprint) -> list[int] | None:
    """Places of those that are worth a close look; None for all."""
    brief = await held.evaluate(_BRIEF, [asked_for(like), SIZE])
    return None if brief is None else likeliest(like, *read_brief(brief))


async def _boxes(part: _Part, mine: Mapping[int, int]) -> list[Boxed]:
    """By the place of each in the frame, its number; none for what is gone or out of its frame's sight."""
    try:
        place = await place_of(part.frame)
        boxes = await part.held.evaluate(_BOXES, list(mine))
    except Error:
        return []
    if place is None:
        return []
    moved = [{**box, "x": box["x"] + place.x, "y": box["y"] + place.y} for box in boxes]
    drawn = (in_sight(number, box, place.boxes) for number, box in zip(mine.values(), moved, strict=True))
    return [each for each in drawn if each is not None]


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
