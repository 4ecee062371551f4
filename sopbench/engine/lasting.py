"""What a step enters has to last until the step is over: a page may take back later what the site did not save.

An entry is looked at as soon as it is made. Many pages show it before it is saved, one field after the other, and put
the old value back when the site refuses it; what is saved after it then hides that anything went wrong. So when all
actions of a skill are done, what was expected of its fields is looked at once more. Only of those entered since the
last action that may have sent them or left them: a form that was submitted may well be empty again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.engine.expectations import look_once, require
from sopbench.engine.witnessing import note_failed
from sopbench.errors import ExpectationFailed, ValueNotHeld
from sopbench.sop.actions import Entry
from sopbench.sop.targets import CheckedIs, TextIs, ValueIs, Visible
from sopbench.sop.templates import render_part
from sopbench.sop.verbs.base import Effect
from sopbench.sop.verbs.fields import Copy, Fill, SelectText
from sopbench.sop.verbs.pages import Screenshot, WaitFor
from sopbench.sop.verbs.pointer import Click
from sopbench.sop.verbs.reading import Extract
from sopbench.sop.verbs.thinking import Interpret, Set

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.targets import Expectation, Target

_LOOKS_S = 1.0
_LEAVE_ALONE = (Extract, Copy, SelectText, Screenshot, WaitFor, Interpret, Set)
_CHOICES = frozenset({"combobox", "listbox", "option", "checkbox", "radio", "switch"})


class Lasting:
    """The entries of one skill that should still stand, in order."""

    def __init__(self, context: ExecutionContext) -> None:
        self._context = context
        self._entries: list[tuple[int, AnyAction]] = []
        self._last = -1

    def note(self, number: int, action: AnyAction) -> None:
        """This action was done, and what it should bring about was seen."""
        self._last = number
        if isinstance(action, _LEAVE_ALONE):
            return
        if not _is_entry(action):
            self._entries.clear()
        elif any(_of_field(each) is not None for each in action.expect):
            self._entries.append((number, action))

    async def lost(self) -> tuple[int, AnyAction, ValueNotHeld] | None:
        """The first entry that does not stand any more, its number and what is there; the log then holds an
        ActionFailed. Those after it count as not made. None when all stand.

        The one that was made last was seen just now; it is looked at again only where something was refused.
        """
        if not self._entries:
            return None
        context, began = self._context, self._context.clock.monotonic()
        was_refused = await context.browser.settle()
        for number, action in self._entries:
            if number == self._last and not was_refused:
                continue
            if said := await self._missing(action):
                error = ValueNotHeld(f"it did not last: {said}", performed=True)
                await note_failed(number, action, error, began, context)
                self._entries = [each for each in self._entries if each[0] < number]
                return number, action, error
        return None

    async def _missing(self, action: AnyAction) -> str:
        """What is there in place of what the action entered; empty when it stands, or its field cannot be seen."""
        for expectation in action.expect:
            field = _of_field(expectation)
            if field is None:
                continue
            try:
                await require([expectation], self._context, timeout_s=_LOOKS_S)
            except ExpectationFailed as error:
                if await self._is_another(expectation, field):
                    return str(error)
        return ""

    async def _is_another(self, expectation: Expectation, field: Target) -> bool:
        """Whether the field can be seen, and does not say the same in the page's own way of writing it."""
        context = self._context
        there = Visible(visible=render_part(field, context.variables))
        if not (await look_once(there, context))[1].holds:
            return False
        if not isinstance(expectation, ValueIs):
            return True
        meant = render_part(expectation, context.variables)
        return not await context.browser.holds_value(meant.target, meant.value)


def _is_entry(action: AnyAction) -> bool:
    """Whether it only changes what a field holds, and may be repeated."""
    if isinstance(action, Click):
        return action.effect is not Effect.IRREVERSIBLE and action.target.role in _CHOICES
    return (
        isinstance(action, Entry)
        and action.effect is Effect.IDEMPOTENT
        and not (isinstance(action, Fill) and action.commit == "enter")
    )


def _of_field(expectation: object) -> Target | None:
    """The field that something is expected of."""
    match expectation:
        case ValueIs(target=target) | TextIs(target=target):
            return target
        case CheckedIs(checked=target):
            return target
    return None
