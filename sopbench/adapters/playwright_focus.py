"""Keeping the focus where it belongs: what is typed goes to whatever has it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Locator

_TRIES = 4
_BETWEEN_S = 0.05
_KEEPS = """async elements => {
    if (elements.length !== 1) return null
    const meant = elements[0].control ?? elements[0]
    meant.focus()
    await new Promise(done => setTimeout(done, 0))
    let active = meant.ownerDocument.activeElement
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
    const typed = 'input, textarea, select, [contenteditable=""], [contenteditable=true]'
    return !active?.matches(typed) || active === meant || meant.contains(active) || active.contains(meant)
}"""
"""Whether no other field has taken the focus from the one element, once the page has had its turn; null for none."""


async def take_focus(locator: Locator, timeout_ms: float) -> bool:
    """Give the element the focus, and see that the page leaves it there: some scripts move it once, to another field.

    False where the page moves it every time. It means it so, as editors do that have a field of their own to type into;
    that field has the focus then.

    Raises: Playwright's own errors.
    """
    for left in reversed(range(_TRIES)):
        keeps = await locator.evaluate_all(_KEEPS)
        if keeps:
            return True
        if keeps is False and not left:
            return False
        await asyncio.sleep(_BETWEEN_S)
        await locator.focus(timeout=timeout_ms)
    return True
