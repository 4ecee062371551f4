"""Why an element could not take an action, and what was found in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from playwright.async_api import Error

from sopbench.adapters.playwright_locators import locate
from sopbench.errors import StepError, TargetNotFound
from sopbench.sop.verbs.fields import Press, Type

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page
    from playwright.async_api import TimeoutError as PlaywrightTimeout

    from sopbench.sop.actions import BrowserAction
    from sopbench.sop.targets import Target

_ABOUT_TO_ACT = ("performing", "done scrolling")
_FOUND = "resolved to"
_TRYING_AGAIN = "retrying"
_NAMES = """elements => elements.map(e => (e.getAttribute('aria-label') || e.innerText || e.value || e.title ||
    e.placeholder || '').trim().replace(/\\s+/g, ' ').slice(0, 40)).filter(name => name)"""
_FRAMES = (
    """frames => frames.map(f => f.tagName.toLowerCase() + (f.id ? '#' + f.id : f.name ? `[name=${f.name}]` : ''))"""
)


async def not_actionable(
    action: BrowserAction, target: Target, locator: Locator, obstacle: str, error: PlaywrightTimeout
) -> StepError:
    """The error for an action whose time is over; ``obstacle`` is what stood in its way last, if that is known."""
    performed = None if may_have_acted(action, error.message) else False
    try:
        count = await locator.count()
        if count == 0:
            found = await instead(locator.page, target)
            message = f"no element fits {target}{found}"
            return TargetNotFound(message, performed=performed, target=str(target), count=0)
    except Error:
        return TargetNotFound(f"no element fits {target}", performed=performed)
    log = [line.strip(" -") for line in error.message.splitlines() if line.strip().startswith("-")]
    seen = next((line for line in reversed(log) if "not " in line or "intercepts" in line), None)
    reason = seen or (f"it {obstacle}" if obstacle else "it was not ready")
    return TargetNotFound(f"{target} is there but cannot take the action: {reason}", performed=performed)


async def instead(page: Page, target: Target) -> str:
    """What is there instead: ``; there are 'Save as', 'Cancel'``; '' when nothing of that kind is."""
    try:
        for depth, frame in enumerate(target.frames, start=1):
            upper = target.model_copy(update={"frame": target.frames[: depth - 1] or None})
            root = locate(page, upper.model_copy(update={"css": "iframe, frame", **_NOTHING_ELSE}))
            missing = locate(page, upper.model_copy(update={"css": frame, **_NOTHING_ELSE}))
            if await missing.count() == 0:
                there = await root.evaluate_all(_FRAMES)
                return f"; there is no frame {frame}, " + (f"there are {', '.join(there)}" if there else "and no other")
        if target.role is None or target.name is None:
            return ""
        like = target.model_copy(update={"name": None, "nth": None, "text": None, "label": None, "near": None})
        names = list(dict.fromkeys(await locate(page, like).filter(visible=True).evaluate_all(_NAMES)))
    except Error:
        return ""
    return f"; there are {', '.join(map(repr, cast('list[str]', names)[:6]))}" if names else ""


_NOTHING_ELSE = dict.fromkeys(
    ("role", "name", "label", "placeholder", "text", "test_id", "within", "near", "nth"), None
)


def has_clicked(log: str) -> bool:
    """Whether the click itself was done, and only what it leads to was still awaited."""
    return "click action done" in log.rpartition(_TRYING_AGAIN)[2]


def is_covered(log: str) -> bool:
    """Whether something else was met where the element should have been clicked."""
    return "intercepts pointer events" in log


def may_have_acted(action: BrowserAction, log: str) -> bool:
    """Read from Playwright's own log of what it did until its time was over.

    A pointer that met something else on its way was stopped, and is tried again. Keys are not.
    """
    if isinstance(action, Type | Press):
        return _FOUND in log
    last_try = log.rpartition(_TRYING_AGAIN)[2]
    return "intercepts" not in last_try and any(sign in last_try for sign in _ABOUT_TO_ACT)
