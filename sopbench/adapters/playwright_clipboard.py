"""Marking text, copying it, and pasting it, by the keyboard as people do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.adapters.in_page_scripts import script
from sopbench.adapters.playwright_filling import holds
from sopbench.errors import StepError, ValueNotHeld

if TYPE_CHECKING:
    from playwright.async_api import Locator

    from sopbench.sop.verbs.fields import Copy, Paste, SelectText

_MARK = script("mark_text")
_MARKED = """element => element.matches('input, textarea')
    ? element.value.slice(element.selectionStart, element.selectionEnd)
    : String(element.ownerDocument.getSelection())"""


async def mark(locator: Locator, action: SelectText, timeout_ms: float) -> None:
    """Raises: StepError when the text is not in the element."""
    if not await locator.evaluate(_MARK, action.text, timeout=timeout_ms):
        said = " ".join((await locator.inner_text()).split())[:200]
        raise StepError(f"{action.target} does not say {action.text!r} but {said!r}", performed=False)


async def copy(locator: Locator, action: Copy, timeout_ms: float) -> str:
    """The text that is now on the clipboard. Raises: StepError when there is nothing to copy."""
    await locator.evaluate(_MARK, None, timeout=timeout_ms)
    text = str(await locator.evaluate(_MARKED))
    if not text:
        raise StepError(f"{action.target} has no text to copy", performed=False)
    await locator.page.keyboard.press("ControlOrMeta+C")
    return text


async def paste(locator: Locator, action: Paste, copied: str | None, timeout_ms: float) -> None:
    """Raises: ValueNotHeld when the field does not hold what was copied."""
    await locator.focus(timeout=timeout_ms)
    await locator.press("ControlOrMeta+A", timeout=timeout_ms)
    await locator.press("ControlOrMeta+V", timeout=timeout_ms)
    if copied is None:
        return
    held, shown = await holds(locator, copied)
    if not held:
        raise ValueNotHeld(f"{action.target} was given {copied[:200]!r} and holds {shown}", performed=True)
