"""Putting a date into a field, whatever the field is made of."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sopbench.adapters.in_page_scripts import script
from sopbench.adapters.playwright_calendars import Calendars
from sopbench.adapters.playwright_filling import conventions, enter_by_keys
from sopbench.errors import StepError, ValueNotHeld
from sopbench.sop import date_forms, meaning

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

    from sopbench.sop.date_forms import DateForm
    from sopbench.sop.meaning import Conventions
    from sopbench.sop.verbs.fields import PickDate

_FIELD = script("date_field")
_SAYS = script("date_says")
_HOLDS_WITHIN_S = 0.4
_LOOK_EVERY_S = 0.03
_MONTHS = 12
_NO_DATE = ("month", "week", "time")


@dataclass(frozen=True)
class _Field:
    """A date field, and what its page makes of dates."""

    locator: Locator
    name: str
    date: dt.date
    page: Conventions
    """In the order that the field asks for."""
    deadline: float
    any_order: bool = False
    """Day and month may stand in either order: the date was chosen where they cannot be mistaken."""

    @property
    def left_ms(self) -> float:
        return max((self.deadline - time.monotonic()) * 1000, 1.0)

    async def says(self) -> str:
        """The text that says the date; '' when none does."""
        texts = await self.locator.evaluate(_SAYS, timeout=self.left_ms)
        orders = dict.fromkeys((self.page.order, *(("dmy", "mdy") if self.any_order else ())))
        pages = [replace(self.page, order=order) for order in orders]
        return next((text for text in texts if any(self.date in _dates_in(text, page) for page in pages)), "")

    async def comes_to_say(self) -> bool:
        """Whether it says the date now, or in a moment: some pages write a field anew when it is left."""
        until = min(time.monotonic() + _HOLDS_WITHIN_S, self.deadline)
        while not await self.says():
            if time.monotonic() > until:
                return False
            await asyncio.sleep(_LOOK_EVERY_S)
        return True


async def pick_date(page: Page, locator: Locator, action: PickDate, timeout_ms: float) -> str:
    """Bring the date into the field: natively, by typing, or in a calendar; gives a remark when it was not plain.

    Raises: StepError (not performed) when it is no date, or the field cannot take it; ValueNotHeld when it does not
    hold it; Playwright's own.
    """
    deadline = time.monotonic() + timeout_ms / 1000
    date = _iso(action.date)
    found = await locator.evaluate(_FIELD, timeout=timeout_ms)
    if found["kind"] in _NO_DATE:
        raise StepError(f"{action.target} is a field of type {found['kind']}: it takes no date", performed=False)
    if found["kind"] in ("date", "datetime-local"):
        await _fill_native(locator, found, date, action, timeout_ms)
        return ""
    if found["isInside"]:
        locator = locator.locator("input:not([type=hidden]), textarea").first
    own = await conventions(locator)
    form = _asked_form(found, own)
    order = _order_written(found["written"]) if form is None else form.order
    field = _Field(locator, str(action.target), date, replace(own, order=order), deadline)
    if found["value"] and await field.says():
        return ""
    calendars = Calendars(field.locator, field.date, field.page, field.deadline)
    await calendars.remember()
    by_calendar = field if form is not None else replace(field, any_order=True)
    if found["kind"] != "text" or found["readOnly"]:
        return await _choose(page, by_calendar, calendars)
    forms = _likely_forms(found, field.page) if form is None else [form]
    if len(forms) > 1 and date.day <= _MONTHS and date.day != date.month and await calendars.comes_up():
        return await _choose(page, by_calendar, calendars)  # a calendar cannot mistake the month for the day
    remark = await _type(field, forms)
    if remark is None:
        return await _choose(page, by_calendar, calendars, typed=True)
    await _leave(page, field, calendars)
    return remark


def _iso(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text.strip())
    except ValueError as error:
        message = f"{text!r} is no date; it is written as 2025-06-02"
        raise StepError(message, performed=False) from error


async def _fill_native(
    locator: Locator, found: dict[str, Any], date: dt.date, action: PickDate, timeout_ms: float
) -> None:
    iso = date.isoformat()
    low, high = found["min"][:10], found["max"][:10]
    if (low and iso < low) or (high and iso > high):
        limits = " ".join(f"{word} {limit}" for word, limit in (("from", low), ("to", high)) if limit)
        raise StepError(f"{action.target} takes dates {limits}, not {iso}", performed=False)
    wanted = iso
    if found["kind"] == "datetime-local":
        wanted += found["value"][10:] or "T00:00"
    await locator.fill(wanted, timeout=timeout_ms)
    held = (await locator.evaluate(_SAYS, timeout=timeout_ms))[0]
    if held != wanted:
        raise ValueNotHeld(f"{action.target} was given {wanted!r} and holds {held!r}", performed=True)


def _asked_form(found: dict[str, Any], page: Conventions) -> DateForm | None:
    """What the field says itself: in a hint, or by the date it holds."""
    for hint in found["hints"]:
        form = date_forms.asked_for(hint) or date_forms.shown_by(re.sub(r"[^\d./\- ]", "", hint), page)
        if form is not None and len(form.order) == 3:
            return form
    return date_forms.shown_by(found["value"], page)


def _order_written(sample: str) -> str:
    """Of day, month and year, in the third of February 2001 as the page's language writes it."""
    parts = {"03": "d", "3": "d", "02": "m", "2": "m", "2001": "y", "01": "y"}
    order = "".join(parts.get(figures, "") for figures in re.findall(r"\d+", sample))
    return order if sorted(order) == ["d", "m", "y"] else meaning.ENGLISH.order


def _likely_forms(found: dict[str, Any], page: Conventions) -> list[DateForm]:
    """The forms to try where the field asks for none, the likeliest first."""
    written = date_forms.shown_by(found["written"], page)
    forms = [*([written] if written else []), *(date_forms.form(page.order, mark) for mark in "/.-"), date_forms.ISO]
    fitting = [form for form in forms if found["pattern"] and _fits(form, found["pattern"], page)]
    return list(dict.fromkeys(fitting or forms))


def _fits(form: DateForm, pattern: str, page: Conventions) -> bool:
    try:
        return re.fullmatch(pattern, form.write(dt.date(2001, 11, 12), page)) is not None
    except re.error:  # JavaScript's patterns are not quite ours
        return False


async def _type(field: _Field, forms: list[DateForm]) -> str | None:
    """A remark, '' for the plain way; None when no way of typing holds."""
    entries = [form.write(field.date, field.page) for form in forms]
    entries.insert(1, re.sub(r"\D", "", entries[0]))  # a mask may set the marks itself
    for number, entry in enumerate(entries):
        await enter_by_keys(field.locator, entry, field.left_ms)
        if await field.comes_to_say():
            return f"typed as {entry!r}" if number else ""
    return None


async def _leave(page: Page, field: _Field, calendars: Calendars) -> None:
    """A calendar that came up and stays would cover what comes next. Raises: ValueNotHeld."""
    if await calendars.is_open():
        await page.keyboard.press("Escape")
        if not await field.comes_to_say():
            raise ValueNotHeld(f"{field.name} dropped {field.date} when its calendar was closed", performed=True)
    if (await field.locator.evaluate(_FIELD, timeout=field.left_ms))["invalid"]:
        raise ValueNotHeld(f"{field.name} says {await field.says()!r} and that it is not valid", performed=True)


async def _choose(page: Page, field: _Field, calendars: Calendars, *, typed: bool = False) -> str:
    try:
        opened = await calendars.open()
        await calendars.choose()
    except StepError as error:
        done = "ignores what is typed, and " if typed else ""
        performed = True if typed and error.performed is False else error.performed
        raise StepError(f"{field.name} {done}cannot be given {field.date}: {error}", performed=performed) from error
    said = await field.comes_to_say()
    if not said and opened and await calendars.confirm():
        said = await field.comes_to_say()
    if not said and not opened:
        said = await calendars.is_chosen()
    if said and opened and await calendars.is_open():
        await page.keyboard.press("Escape")
        said = await field.comes_to_say()
    if not said:
        texts = await field.locator.evaluate(_SAYS, timeout=field.left_ms)
        held = next((text for text in texts if text.strip()), "")
        message = f"{field.name}: {field.date} was chosen in its calendar, and it says {held[:200]!r}"
        raise ValueNotHeld(message, performed=True)
    return "chosen in its calendar" if typed else ""


def _dates_in(text: str, page: Conventions) -> set[dt.date]:
    """Every date that stands in a text."""
    parts = [text, *re.findall(r"\d{1,4}\s?[./\-]\s?\d{1,2}\s?[./\-]\s?\d{1,4}", text), *re.split(r"[:|–\n]", text)]
    return {date for part in parts if (date := meaning.date_in(part, page)) is not None}
