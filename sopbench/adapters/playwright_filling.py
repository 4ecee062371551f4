"""Filling a field, believed only when the field holds the value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sopbench.adapters.in_page_scripts import script
from sopbench.adapters.playwright_choosing import CHOICES, select
from sopbench.adapters.playwright_focus import take_focus
from sopbench.errors import StepError, ValueNotHeld
from sopbench.sop import meaning
from sopbench.sop.meaning import Conventions
from sopbench.sop.verbs.fields import Select

if TYPE_CHECKING:
    from playwright.async_api import Locator

    from sopbench.sop.targets import Target
    from sopbench.sop.verbs.fields import Clear, Fill

_ALL_HELD = f"elements => elements.map({script('held')})"
_CONVENTIONS = script("conventions")
_IS_DROP_DOWN = "element => (element.control ?? element).tagName === 'SELECT'"
_KEYS = {"tab": "Tab", "enter": "Enter"}
_OTHER_KIND = ("Element is not an <input>", "cannot be filled", "Cannot type text into", "Malformed value")
_TYPED = ("date", "month", "week", "time", "datetime-local", "number", "range", "color")


async def fill(locator: Locator, action: Fill, timeout_ms: float) -> str:
    """Bring the value into the field, by the plain way or key by key; gives a remark when it was not plain.

    Raises: ValueNotHeld (performed) when it holds in neither way; StepError when it is no field; Playwright's own.
    """
    wanted = action.value
    try:
        await take_focus(locator, timeout_ms)
        await locator.fill(wanted, timeout=timeout_ms)
    except PlaywrightTimeout:
        raise
    except Error as error:
        if not any(sign in error.message for sign in _OTHER_KIND):
            raise
        if await locator.evaluate(_IS_DROP_DOWN):
            return await _choose(locator, action, timeout_ms)
        wanted = await _in_the_fields_own_form(locator, action.target, wanted, error)
        await locator.fill(wanted, timeout=timeout_ms)
    if action.commit is None and await _holds_exactly(locator, wanted):
        return ""
    return await _believed(locator, action, wanted, timeout_ms)


async def _believed(locator: Locator, action: Fill, wanted: str, timeout_ms: float) -> str:
    """What the field made of it; the next way where it did not take it. Raises: ValueNotHeld."""
    remark = ""
    held = await _held(locator)
    if held["type"] in _TYPED and wanted and not held["value"]:
        wanted = await _in_the_fields_own_form(locator, action.target, wanted, None)
        await locator.fill(wanted, timeout=timeout_ms)
        held = await _held(locator)
    if not await _holds(locator, wanted, held):
        remark = f"typed key by key: filled at once, the field held {_shown(held)}"
        await enter_by_keys(locator, wanted, timeout_ms)
        held = await _held(locator)
        if not await _holds(locator, wanted, held):
            raise _not_held(action.target, wanted, held)
    if action.commit is not None:
        await locator.press(_KEYS[action.commit], timeout=timeout_ms)
        return remark
    if held["value"] != wanted and not remark and meaning.plain(held["value"]) != meaning.plain(wanted):
        remark = f"the page writes it {_shown(held)}"
    return remark


async def _choose(locator: Locator, action: Fill, timeout_ms: float) -> str:
    """Of a drop-down, the option with that value, or else with that label."""
    values = [option["value"] for option in await locator.evaluate(CHOICES)]
    how = {"value": action.value} if action.value in values else {"option": action.value}
    await select(locator, Select(target=action.target, **how), timeout_ms)
    return "chosen: it is a drop-down"


async def clear(locator: Locator, action: Clear, timeout_ms: float) -> str:
    """Raises: ValueNotHeld, and Playwright's own errors."""
    await take_focus(locator, timeout_ms)
    await locator.fill("", timeout=timeout_ms)
    held = await _held(locator)
    if not held["value"].strip():
        return ""
    await enter_by_keys(locator, "", timeout_ms)
    held = await _held(locator)
    if held["value"].strip():
        raise _not_held(action.target, "", held)
    return "emptied by the keyboard: emptied at once, the field kept its value"


async def conventions(locator: Locator) -> Conventions:
    """How the page of this element writes dates and numbers."""
    found = await locator.evaluate_all(_CONVENTIONS)
    months = tuple(tuple(names) for names in found["months"])
    return Conventions(order=found["order"], decimal=found["decimal"], group=found["group"], months=months)


async def holds(locator: Locator, wanted: str) -> tuple[bool, str]:
    """Whether the field says ``wanted``, and what it says."""
    held = await _held(locator)
    return await _holds(locator, wanted, held), _shown(held)


async def _holds_exactly(locator: Locator, wanted: str) -> bool:
    """The plain case, in the driver's own words: a third of the time of a script."""
    try:
        return await locator.input_value(timeout=1000) == wanted
    except Error:
        return False  # it is an editor, or gone


async def _held(locator: Locator) -> dict[str, Any]:
    found: list[dict[str, Any]] = await locator.evaluate_all(_ALL_HELD)  # one question; evaluate would be three
    if not found:
        raise StepError("the field is gone after it was given a value", performed=True)
    return found[0]


async def _holds(locator: Locator, wanted: str, held: dict[str, Any]) -> bool:
    value: str = held["value"]
    if value == wanted or meaning.plain(value) == meaning.plain(wanted):
        return True
    if held["type"] == "editor":  # its paragraphs are parted by more than a line end
        return _lines(value) == _lines(wanted)
    return bool(value) and meaning.same(wanted, value, await conventions(locator))


def _lines(text: str) -> list[str]:
    return [line for line in (line.strip() for line in text.replace("\u00a0", " ").splitlines()) if line]


async def enter_by_keys(locator: Locator, wanted: str, timeout_ms: float) -> None:
    """As a person enters it: select what is there, type over it, leave the field."""
    await take_focus(locator, timeout_ms)
    await locator.press("ControlOrMeta+A", timeout=timeout_ms)
    await locator.press("Delete", timeout=timeout_ms)
    await locator.press_sequentially(wanted, timeout=timeout_ms)
    await locator.press("Tab", timeout=timeout_ms)


async def _in_the_fields_own_form(locator: Locator, target: Target, wanted: str, error: Error | None) -> str:
    """A field of a type of its own takes one form only: a date or a number is put into it.

    Raises: StepError when it is no field, or the value is none for it.
    """
    kind = await locator.first.evaluate("element => element.type ?? ''")
    if kind not in _TYPED and error is not None:
        reason = error.message.splitlines()[0].removeprefix("Locator.fill: ").removeprefix("Error: ")
        raise StepError(f"{target} is no field that can be filled: {reason}", performed=False) from error
    page = await conventions(locator)
    if kind in ("number", "range"):
        number = meaning.number_in(wanted, page)
        if number is not None:
            return f"{number.normalize():f}"
    date = meaning.date_in(wanted, page)
    if date is not None and kind in ("date", "month"):
        return date.isoformat() if kind == "date" else f"{date:%Y-%m}"
    time = meaning.time_in(wanted)
    if kind == "time" and time is not None:
        return f"{time:%H:%M}"
    message = f"{target} is a field of type {kind} and does not take {wanted!r}"
    raise ValueNotHeld(message, performed=error is None) from error


def _shown(held: dict[str, Any]) -> str:
    value = " ".join(str(held["value"]).split())
    if held["type"] == "password":
        return f"{len(value)} characters"
    return repr(value if len(value) <= 200 else value[:199] + "…")


def _not_held(target: Target, wanted: str, held: dict[str, Any]) -> ValueNotHeld:
    said = f"{len(wanted)} characters" if held["type"] == "password" else repr(wanted[:200])
    limit = f"; it takes at most {held['limit']} characters" if 0 <= held["limit"] < len(wanted) else ""
    return ValueNotHeld(f"{target} was given {said} and holds {_shown(held)}{limit}", performed=True)
