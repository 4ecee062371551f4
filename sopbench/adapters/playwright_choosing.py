"""Choosing from drop-downs: the browser's own, and those that pages make."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error

from sopbench.adapters.in_page_scripts import script
from sopbench.errors import StepError, TargetNotFound, ValueNotHeld

if TYPE_CHECKING:
    from playwright.async_api import JSHandle, Locator

    from sopbench.sop.verbs.fields import Select

_CONTROL = script("control")
CHOICES = script("chosen")
"""A native drop-down's options: label, value, chosen, disabled."""
_OPTIONS = (
    ":is([role=option], [role=menuitem], [role=menuitemradio], [role=menuitemcheckbox], [role=treeitem],"
    " [role=listbox] li, [role=menu] li):visible"
)
_ITEMS = "li:visible"
_SEEN_ITEMS = "() => [...document.querySelectorAll('li')].filter(item => item.checkVisibility())"
_NEW_ITEMS = "(items, seen) => items.map(item => !seen.includes(item))"
_POLL_S = 0.05
_OPENS_WITHIN_S = 2.0


async def select(locator: Locator, action: Select, timeout_ms: float) -> None:
    """Choose, and see that it is chosen.

    Raises: TargetNotFound naming the options there are, ValueNotHeld, StepError when it offers no options.
    """
    control = await locator.evaluate(_CONTROL, timeout=timeout_ms)
    deadline = asyncio.get_running_loop().time() + timeout_ms / 1000
    if control["native"]:
        await _native(locator, action, deadline)
    else:
        await _made_by_the_page(locator, action, control, deadline)


async def _native(locator: Locator, action: Select, deadline: float) -> None:
    while (found := _wanted(action, options := await locator.evaluate(CHOICES))) is None:
        if asyncio.get_running_loop().time() > deadline:
            labels = [option["label"] for option in options]
            message = f"{action.target} has no option {_asked(action)}; it has {_few(labels)}"
            raise TargetNotFound(message, performed=False)
        await asyncio.sleep(_POLL_S)
    chosen = {index for index, option in enumerate(options) if option["chosen"]} if action.add else set()
    wanted = sorted(chosen | set(found))
    await locator.select_option(index=wanted, timeout=_left_ms(deadline))
    try:
        after = await locator.evaluate(CHOICES, timeout=1000)
    except Error:
        return  # the choice led to another page
    held = [option["value"] for option in after if option["chosen"]]
    if held != [options[index]["value"] for index in wanted]:
        raise ValueNotHeld(f"{action.target} was given {_asked(action)} and holds {held}", performed=True)


def _wanted(action: Select, options: list[dict[str, Any]]) -> list[int] | None:
    """Places of the options meant; None if one of them is not there."""
    if action.index is not None:
        index = int(action.index)
        place = index if index >= 0 else len(options) + index
        return [place] if 0 <= place < len(options) else None
    if action.value is not None:
        found = [place for place, option in enumerate(options) if option["value"] == action.value]
        return found[:1] or None
    places = [_place(label, [option["label"] for option in options]) for label in _labels(action)]
    known = [place for place in places if place is not None]
    return known if len(known) == len(places) else None


def _place(label: str, labels: list[str]) -> int | None:
    """A whole label goes before one in other case, and that before a part of only one."""
    plain = " ".join(label.split())
    there = [" ".join(each.split()) for each in labels]
    if plain in there:
        return there.index(plain)
    folded = [each.casefold() for each in there]
    if folded.count(plain.casefold()) == 1:
        return folded.index(plain.casefold())
    parts = [place for place, each in enumerate(folded) if plain.casefold() in each]
    return parts[0] if plain and len(parts) == 1 else None


async def _made_by_the_page(locator: Locator, action: Select, control: dict[str, Any], deadline: float) -> None:
    """Open it, find the option among those that show, take it, and see that the control says so."""
    if control["text"] and not control["offers"]:
        raise StepError(f"{action.target} offers nothing to choose from: it is {control['tag']}", performed=False)
    options = locator.page.locator(_OPTIONS)
    if not control["listbox"]:
        seen = await locator.page.evaluate_handle(_SEEN_ITEMS)
        await locator.click(timeout=_left_ms(deadline))
        options = await _opened(locator, seen, options, deadline)
    if control["text"] and action.option is not None:
        await locator.fill(_labels(action)[0], timeout=_left_ms(deadline))  # it lists what fits
    chosen = []
    for label in _labels(action) if action.option is not None else (None,):
        place, says = await _offered(options, action, label, deadline)
        await options.nth(place).click(timeout=_left_ms(deadline))
        chosen.append(says)
    await _says_so(locator, action, chosen, deadline)


async def _opened(locator: Locator, seen: JSHandle, options: Locator, deadline: float) -> Locator:
    """What the click opened: options by their role, or the items of a list that did not show before."""
    items = locator.page.locator(_ITEMS)
    until = min(deadline, asyncio.get_running_loop().time() + _OPENS_WITHIN_S)
    while asyncio.get_running_loop().time() < until:
        if await options.count():
            return options
        if any(await items.evaluate_all(_NEW_ITEMS, seen)):
            return items
        await asyncio.sleep(_POLL_S)
    return options


async def _offered(options: Locator, action: Select, label: str | None, deadline: float) -> tuple[int, str]:
    """Place of the option among those that show, and its label. Raises: TargetNotFound."""
    while True:
        labels = [" ".join(text.split()) for text in await options.all_inner_texts()]
        if label is not None:
            place = _place(label, labels)
        elif action.index is not None:
            index = int(action.index)
            place = index % len(labels) if labels and -len(labels) <= index < len(labels) else None
        else:
            place = await _with_value(options, str(action.value))
        if place is not None:
            return place, labels[place]
        if asyncio.get_running_loop().time() > deadline:
            shown = f"it offers {_few(labels)}" if labels else "it offers no options"
            raise TargetNotFound(f"{action.target} has no option {_asked(action)}; {shown}", performed=None)
        await asyncio.sleep(_POLL_S)


async def _with_value(options: Locator, value: str) -> int | None:
    values = await options.evaluate_all("all => all.map(e => e.dataset.value ?? e.getAttribute('value') ?? e.id)")
    return values.index(value) if value in values else None


async def _says_so(locator: Locator, action: Select, labels: list[str], deadline: float) -> None:
    """By the control's own text or the options it marks; a list that shows all its options says by marks alone."""
    marked = locator.page.locator(_OPTIONS).and_(locator.page.locator("[aria-selected=true], [aria-checked=true]"))
    while True:
        try:
            control = await locator.evaluate(_CONTROL, timeout=1000)
            marks = {" ".join(text.split()) for text in await marked.all_inner_texts()}
        except Error:
            return  # choosing it closed or replaced the control
        says = "" if control["listbox"] else " ".join((control["says"] or "").split())
        if all(label in marks or label.casefold() in says.casefold() for label in labels):
            return
        if asyncio.get_running_loop().time() > deadline:
            there = says or ", ".join(sorted(marks))
            raise ValueNotHeld(f"{action.target} was given {_asked(action)} and says {there!r}", performed=True)
        await asyncio.sleep(_POLL_S)


def _left_ms(deadline: float) -> float:
    return max(deadline - asyncio.get_running_loop().time(), 0.5) * 1000


def _labels(action: Select) -> tuple[str, ...]:
    return (action.option,) if isinstance(action.option, str) else action.option or ()


def _asked(action: Select) -> str:
    if action.index is not None:
        return f"number {action.index}"
    return repr(action.value) if action.value is not None else " and ".join(map(repr, _labels(action)))


def _few(labels: list[str]) -> str:
    shown = ", ".join(repr(label[:60]) for label in labels[:8])
    return f"{shown} and {len(labels) - 8} more" if len(labels) > 8 else shown or "none"
