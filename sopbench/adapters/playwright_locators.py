"""Targets and patterns in Playwright's terms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from sopbench.errors import TargetNotFound
from sopbench.sop.targets import Target

if TYPE_CHECKING:
    from playwright.async_api import FrameLocator, Locator, Page


_ITEMS = "li, tr, article, [role=row], [role=listitem], [role=article], [role=option], [role=treeitem]"
"""What stands beside others of its kind: what is in one of them is not near what is in another."""
_SMALLEST = """parts => parts.filter(part => {
    const box = part.getBoundingClientRect()
    const shown = part.checkVisibility({ visibilityProperty: true }) && box.right > 0 && box.bottom + scrollY > 0
    return shown && !parts.some(other => other !== part && part.contains(other))
}).length"""
"""How many of these parts have no other one in them, and can be seen."""


def locate(
    page: Page,
    target: Target,
    root: Page | FrameLocator | Locator | None = None,
    *,
    only_seen: bool = False,
    with_hidden: bool = False,
) -> Locator:
    """The locator of a target whose variables are filled in.

    ``only_seen`` counts what a person can see; ``with_hidden`` also what is told by its role and is not shown.

    Asks nothing of the browser.
    """
    root = page if root is None else root
    for frame in target.frames:
        root = root.frame_locator(frame)
    if (holding := parts_holding(page, target, root)) is not None:
        root = holding.last
    elif target.within is not None:
        root = locate(page, target.within, root)
    found = _narrowed(root, target, with_hidden=with_hidden)
    if only_seen:
        found = found.filter(visible=True)
    return found if target.nth is None else found.nth(int(target.nth))


def parts_holding(page: Page, target: Target, root: Page | FrameLocator | Locator) -> Locator | None:
    """All parts of ``root`` that hold such an element and what it is near, each within those around it.

    None for a target that is near nothing.
    """
    if target.near is None:
        return None
    near = locate(page, _inside(target.near, target.within))
    own = locate(page, target.model_copy(update={"near": None, "nth": None, "within": None, "frame": None}))
    around = None if target.within is None else locate(page, target.within, root)
    parts = root.locator("*") if around is None else around.or_(around.locator("*"))
    elsewhere = locate(page, Target(css=_ITEMS)).filter(has=near).filter(has_not=own)
    return parts.filter(has=near).filter(has=own).filter(has_not=elsewhere)


async def require_one_place(page: Page, target: Target) -> None:
    """That only one of the smallest parts of the page holds both the element and what it is near.

    Raises: TargetNotFound.
    """
    root: Page | FrameLocator = page
    for frame in target.frames:
        root = root.frame_locator(frame)
    holding = parts_holding(page, target, root)
    if holding is None or target.nth is not None:
        return
    count = await holding.evaluate_all(_SMALLEST)
    if count > 1:
        message = f"{count} elements fit {target}; say which one is meant"
        raise TargetNotFound(message, performed=False, target=str(target), count=count)


def _inside(near: Target, around: Target | None) -> Target:
    """What is looked for inside a part of ``around`` need not say so again."""
    return near.model_copy(update={"within": None}) if near.within == around else near


def _narrowed(root: Page | FrameLocator | Locator, target: Target, *, with_hidden: bool) -> Locator:
    exact = target.exact
    parts: list[Locator] = []
    if target.role is not None:
        roles = (target.role,) if isinstance(target.role, str) else target.role
        hidden = with_hidden or None
        by_role = [
            root.get_by_role(cast(Any, role), name=target.name, exact=exact, include_hidden=hidden) for role in roles
        ]
        any_role = by_role[0]
        for other in by_role[1:]:
            any_role = any_role.or_(other)
        parts.append(any_role)
    if target.css is not None:
        parts.append(root.locator(target.css))
    if target.label is not None:
        parts.append(root.get_by_label(target.label, exact=exact))
    if target.placeholder is not None:
        parts.append(root.get_by_placeholder(target.placeholder, exact=exact))
    if target.test_id is not None:
        parts.append(root.get_by_test_id(target.test_id))
    if target.text is not None:
        if parts:
            parts[0] = parts[0].filter(has_text=_whole(target.text) if exact else target.text)
        else:
            parts.append(root.get_by_text(target.text, exact=exact))
    found = parts[0]
    for part in parts[1:]:
        found = found.and_(part)
    return found


def _whole(text: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in text.split())
    return re.compile(rf"^\s*{words}\s*$")


def address_pattern(glob: str) -> re.Pattern[str]:
    """``*`` stands for any characters; everything else for itself. The whole address must match."""
    return re.compile("^" + ".*".join(re.escape(part) for part in glob.split("*")) + "$")


def value_pattern(value: str) -> re.Pattern[str]:
    """The value with any blanks around it, and any kind of line end."""
    lines = (re.escape(line.rstrip()) for line in value.strip().splitlines())
    return re.compile(r"^\s*" + r"[^\S\n]*\r?\n".join(lines) + r"\s*$")
