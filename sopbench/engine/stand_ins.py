"""What stands for an element that is called otherwise now: what is expected of the one is expected of the other.

An action whose target is stale is healed. What it should bring about is often said of the same element, or of one that
the procedure uses next (*the password field shows*): so that is looked for as the action would be healed. Everything
else that is expected is known by its words alone: a heading, a notice, a button that nobody presses.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sopbench.errors import BrowserLost, StepError
from sopbench.ports.browser import Seen
from sopbench.sop.targets import CheckedIs, Hidden, TextIs, ValueIs, Visible
from sopbench.sop.templates import render_part
from sopbench.targeting.choosing import choose_within
from sopbench.targeting.sparse import fingerprint_of

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.targets import PageExpectation, Target

_FIELDS = {Visible: "visible", Hidden: "hidden", TextIs: "target", ValueIs: "target", CheckedIs: "checked"}


def note_stand_in(stale: Target, taken: Target, context: ExecutionContext) -> None:
    """From now on what is expected of ``stale``, variables filled in, may also be seen of ``taken``."""
    context.stand_ins[_words(stale)] = taken


async def look_at_stand_in(
    written: PageExpectation, context: ExecutionContext, *, timeout_s: float, search: bool
) -> tuple[str, Seen] | None:
    """What is expected of what stands for its element, in words, and what was found; None where nothing does.

    With ``search``, one not known yet is looked for: among what could take the action that the procedure does to it.
    """
    field = _FIELDS.get(type(written))
    stale: Target | None = getattr(written, field) if field else None
    if field is None or stale is None:
        return None
    rendered = render_part(written, context.variables)
    words = _words(getattr(rendered, field))
    if words not in context.stand_ins and search and not isinstance(written, Hidden):
        use = _use_of(stale, context)
        if use is not None and isinstance(rendered, Visible) and (opener := await _opener(rendered.visible, context)):
            return f"{rendered.visible} is there, folded away behind {opener}", Seen(holds=True, found="")
        if use is not None:
            await _search(use, context)
    if words not in context.stand_ins:
        return None
    replaced = rendered.model_copy(update={field: context.stand_ins[words]})
    seen = await context.browser.look(replaced, timeout_s=timeout_s)
    return f"{replaced}, which stands for {getattr(rendered, field)}", seen


async def _opener(target: Target, context: ExecutionContext) -> Target | None:
    try:
        return await context.browser.opener(target)
    except BrowserLost:
        raise
    except StepError:
        return None  # the page is on its way to another one: nothing is folded away there


async def _search(use: AnyAction, context: ExecutionContext) -> None:
    element = render_part(use, context.variables).element()
    if element is None:
        return
    kind, target = element
    old = fingerprint_of(target)
    try:
        candidates = await context.browser.candidates(kind, like=old, within=target.within)
        _, choice = choose_within(old, candidates.elements, candidates.those_within, use.effect)
        if choice.taken is None or (await context.browser.look(Visible(visible=target), timeout_s=0)).holds:
            return  # nothing stands for it, or it came itself meanwhile
        note_stand_in(target, await candidates.target(choice.taken), context)
        context.used.add("healed")
    except BrowserLost:
        raise
    except StepError:
        return  # the page is on its way to another one: nothing stands there


def _use_of(written: Target, context: ExecutionContext) -> AnyAction | None:
    """The first action of the procedure to such an element."""
    for skill in context.sop.private.skills:
        for action in skill.actions:
            element = action.element()
            if element is not None and _words(element[1]) == _words(written):
                return action
    return None


def _words(target: Target) -> str:
    return json.dumps(target.model_dump(mode="json", exclude_defaults=True, exclude={"fingerprint", "exact"}))
