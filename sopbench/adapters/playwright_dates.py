"""Putting a date into a field, whatever the field is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

    from sopbench.sop.verbs.fields import PickDate


async def pick_date(page: Page, locator: Locator, action: PickDate, timeout_ms: float) -> str:
    raise NotImplementedError
