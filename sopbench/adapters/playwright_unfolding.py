"""What is there, but folded away: in a menu that is closed, a section that is not open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sopbench.adapters.in_page_scripts import script
from sopbench.adapters.playwright_locators import locate
from sopbench.sop.targets import Target

if TYPE_CHECKING:
    from playwright.async_api import Page

_UNFOLDING = script("unfolding")
_LONGEST_NAME = 80


async def opener(page: Page, target: Target) -> Target | None:
    """What opens the part of the page that the one element that fits is folded away in; None where that is not so.

    Raises: Playwright's own errors.
    """
    hidden = locate(page, target, with_hidden=True)
    if await hidden.count() != 1:
        return None
    told: dict[str, Any] | None = await hidden.evaluate(_UNFOLDING)
    for way in _ways(told) if told is not None else ():
        found = Target(**way, frame=target.frame)
        if await locate(page, found, only_seen=True).count() == 1:
            return found
    return None


def _ways(told: dict[str, Any]) -> list[dict[str, Any]]:
    by_name = told["role"] and told["name"] and len(told["name"]) <= _LONGEST_NAME
    named = [{"role": told["role"], "name": told["name"], "exact": True}] if by_name else []
    return [*named, {"css": told["path"]}] if told["path"] else named
