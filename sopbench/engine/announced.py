"""An expectation that only announces what is used next: what stands there under other words will do as well.

*The password field shows* means that the password can be entered. Where the field is called otherwise now, the action
that fills it would be healed; so its expectation is. Other things that are expected are known by their words alone: a
heading, a notice, a button that nobody presses. They are never healed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.errors import StepError
from sopbench.sop.targets import Visible
from sopbench.sop.templates import render_part
from sopbench.sop.verbs.base import Effect
from sopbench.targeting.choosing import choose
from sopbench.targeting.scoring import rank
from sopbench.targeting.shown import says
from sopbench.targeting.sparse import fingerprint_of

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.targets import Expectation, Target

_OF_NO_WORDS = {"fingerprint", "exact"}


async def stand_in(expectation: Expectation, context: ExecutionContext) -> str:
    """What can be seen in place of the control that is expected, in words; empty when that is no control that the
    procedure uses, or nothing there is surely it.
    """
    if not isinstance(expectation, Visible) or (use := _use_of(expectation.visible, context)) is None:
        return ""
    kind, target = render_part(use, context.variables).element() or ("", None)
    if target is None or kind == "":
        return ""
    old = fingerprint_of(target)
    try:
        candidates = await context.browser.candidates(kind, like=old)
    except StepError:
        return ""
    effect = Effect.IRREVERSIBLE if use.effect is Effect.IRREVERSIBLE else Effect.IDEMPOTENT
    choice = choose(rank(old, candidates.elements), effect)
    if choice.taken is None:
        return ""
    context.used.add("healed")
    return f"{render_part(expectation, context.variables)}, as {says(candidates.elements[choice.taken])}"


def _use_of(target: Target, context: ExecutionContext) -> AnyAction | None:
    """The first action of the procedure to such an element."""
    words = _words(target)
    for skill in context.sop.private.skills:
        for action in skill.actions:
            element = action.element()
            if element is not None and _words(element[1]) == words:
                return action
    return None


def _words(target: Target) -> dict[str, object]:
    return target.model_dump(exclude_defaults=True, exclude=_OF_NO_WORDS)
