"""Trying an action again: only that one, and only where it may be repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.engine.actions import came_late, do_action, may_repeat
from sopbench.engine.healing import is_stale
from sopbench.errors import BrowserLost, DataInvalid, ExpectationFailed, StepError, TemplateFailed, ToolRefused, WayLost
from sopbench.events.types import AttemptStarted
from sopbench.sop.nodes import Retry
from sopbench.sop.targets import That
from sopbench.sop.templates import render_part
from sopbench.sop.verbs.base import Effect

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.nodes import NodeBase

_STALE_S = 1.0
"""How long to wait for an element whose target was healed in this run already: it may be back in other places."""
_HOPELESS = (DataInvalid, TemplateFailed, ToolRefused)


class Attempts:
    """Counts the attempts of one step. Each of its skills has as many as its node says."""

    def __init__(self, node: NodeBase, context: ExecutionContext) -> None:
        policy = node.retry or Retry(max_attempts=context.limits.attempts)
        self.made = 1
        self._allowed = 1 if node.recovery is not None and "retry" not in node.recovery else policy.max_attempts
        self._last = self._allowed
        self._first = 1
        self._waits = policy.backoff_s
        self._context = context

    async def again(self, action: AnyAction, error: StepError) -> bool:
        """Begin a further attempt; False when there is none to be had after this error."""
        if not self.left or isinstance(error, _HOPELESS) or not await may_repeat(action, error, self._context):
            return False
        tried = self.made - self._first + 1
        wait_s = self._waits[min(tried, len(self._waits)) - 1] if self._waits else 0.0
        await self._context.clock.sleep(wait_s)
        self.begin(wait_s)
        return True

    @property
    def left(self) -> bool:
        """Whether there are any."""
        return self.made < self._last

    def begin(self, waited_s: float = 0.0) -> None:
        """Count a further attempt."""
        self.made += 1
        self._context.emit(AttemptStarted(step=self._context.step, attempt=self.made, waited_s=waited_s))

    def renew(self) -> None:
        """Another skill of the step begins: it has all its attempts before it."""
        self._first, self._last = self.made, self.made + self._allowed - 1


class Deeds:
    """What one skill did, or may have done, that cannot be taken back."""

    def __init__(self, context: ExecutionContext) -> None:
        self.said = ""
        """In words; empty while there is no such thing."""
        self._context = context

    def note(self, action: AnyAction, *, performed: bool | None) -> None:
        if action.effect is Effect.IRREVERSIBLE and performed is not False:
            self._note(action, f"cannot be undone, and {'was' if performed else 'may have been'} done")

    def note_wrong_element(self, action: AnyAction) -> None:
        self._note(action, "was done to an element that was not the one")

    def _note(self, action: AnyAction, what: str) -> None:
        said = f"'{render_part(action, self._context.variables)}' {what}"
        self.said = self.said or said
        self._context.note_deed(said)


async def do_with_attempts(
    number: int, action: AnyAction, attempts: Attempts, deeds: Deeds, context: ExecutionContext
) -> bool:
    """Do one action, as often as it takes and may be; what it should bring about may also come late.

    False when its ``when`` did not hold: it was not done then.

    Raises: StepError of the last attempt, and what the ports raise.
    """
    tries = _Tries(number, action, attempts, context)
    while True:
        try:
            is_done = await do_action(number, action, context, find_s=tries.find_s)
        except StepError as error:
            deeds.note(action, performed=error.performed)
            if await tries.are_over(error):
                return True
        else:
            if is_done:
                deeds.note(action, performed=True)
            return is_done


class _Tries:
    """The tries of one action: what is done between them."""

    def __init__(self, number: int, action: AnyAction, attempts: Attempts, context: ExecutionContext) -> None:
        self._number, self._action = number, action
        self._attempts, self._context = attempts, context
        self._may_come_late = False
        self._was_stale = id(action) in context.stale
        self.find_s = _STALE_S if self._was_stale else None

    async def are_over(self, error: StepError) -> bool:
        """Whether what it should bring about is there after all; False when it is to be done again.

        Raises: the error, when neither.
        """
        interrupted = await self._interrupted(error)
        if await self._came_late():
            return True
        self._may_come_late |= _may_come_late(self._action, error)
        if interrupted:
            if await self._came_late():
                return True
            if await may_repeat(self._action, error, self._context):
                return False
        if not (self._was_stale and is_stale(error)) and await self._attempts.again(self._action, error):
            return await self._came_late()
        if self._may_come_late and self._attempts.left:
            self._attempts.begin()
            if await self._came_late(patient=True):
                return True
        raise error

    async def _came_late(self, *, patient: bool = False) -> bool:
        return self._may_come_late and await came_late(self._number, self._action, self._context, patient=patient)

    async def _interrupted(self, error: StepError) -> bool:
        """Whether something had come between, and was dealt with. Raises: WayLost where the run has to begin again."""
        if self._context.interrupted is None or isinstance(error, BrowserLost):
            return False
        between = await self._context.interrupted(self._number, self._context)
        if between is not None and between.then == "begin_again":
            message = f"{between.label}: dealt with, but what was under way may be lost; before it: {error}"
            lost = WayLost(message, performed=error.performed)
            lost.cause = error.cause
            raise lost
        return between is not None


def _may_come_late(action: AnyAction, error: StepError) -> bool:
    """Whether what is expected, once it is there, can be taken for what this attempt brought about.

    Of an irreversible action only if it was seen not to be there before.
    """
    if all(isinstance(each, That) for each in action.expect):
        return False  # nothing is expected of the page; a variable was what it is before
    if action.effect is Effect.IRREVERSIBLE:
        return isinstance(error, ExpectationFailed)
    return error.performed is not False
