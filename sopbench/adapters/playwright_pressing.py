"""A press that came to nothing: the page drew its element anew, or moved it, while the button was down.

To whoever pressed, it looks like a click that brought nothing about; so what cannot be undone could not be tried again.
The page itself knows better: no click reached the element. It is said to be lost only if besides nothing was sent for a
while, which tells of pages that act on the button's going down, and if the element is there again, as it was.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from playwright.async_api import Error

from sopbench.adapters.in_page_scripts import script
from sopbench.errors import StepError
from sopbench.sop.verbs.base import Effect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import JSHandle, Locator

    from sopbench.adapters.playwright_waiting import Requests
    from sopbench.sop.verbs.pointer import Click

_PRESS = script("press")
_SENDS_WITHIN_S = 2.0
"""A page that acts on a press has sent what it has to send by then."""
_SAYS_WITHIN_MS = 1000


@asynccontextmanager
async def noticed(action: Click, locator: Locator, requests: Requests, timeout_ms: float) -> AsyncIterator[None]:
    """While the block presses what cannot be undone, see whether the page takes notice.

    Raises: StepError (not performed) when it surely did not.
    """
    if action.effect is not Effect.IRREVERSIBLE or action.double or action.button != "left":
        yield
        return
    press = await locator.evaluate_handle(_PRESS, timeout=timeout_ms)
    sent = requests.sent
    yield
    said = await _lost(press)
    if said is None or await _sends(requests, sent) or await _says(locator) != said:
        return
    message = f"{action.target} was drawn anew while it was pressed: no click reached it, and nothing was sent"
    raise StepError(message, performed=False)


async def _lost(press: JSHandle) -> str | None:
    """What the element said before, if the press was lost."""
    try:
        said: str | None = await press.evaluate("press => press.lost()")
    except Error:
        return None  # the page is on its way to another one
    return said


async def _sends(requests: Requests, before: int) -> bool:
    """Whether the page sends anything within the time in which it would."""
    for _ in range(int(_SENDS_WITHIN_S / 0.05)):
        if requests.sent != before:
            return True
        await asyncio.sleep(0.05)
    return requests.sent != before


async def _says(locator: Locator) -> str | None:
    try:
        return await locator.inner_text(timeout=_SAYS_WITHIN_MS) if await locator.count() == 1 else None
    except Error:
        return None
