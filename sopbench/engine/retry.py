"""Trying a step again: from the action that failed, and only where that action may be repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.engine.actions import came_late, do_action, may_repeat
from sopbench.engine.healing import healed, is_stale
from sopbench.errors import DataInvalid, ExpectationFailed, StepError, TemplateFailed
from sopbench.events.types import AttemptStarted
from sopbench.sop.document import Retry
from sopbench.sop.verbs.base import Effect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.document import NodeBase

_STALE_S = 1.0
"""How long to wait for an element whose target was healed in this run already: it may be back in other places."""
_HOPELESS = (DataInvalid, TemplateFailed)


class Attempts:
    """Counts the attempts of one step."""

    def __init__(self, node: NodeBase, context: ExecutionContext) -> None:
        self.made = 1
        self._policy = node.retry or Retry(max_attempts=context.limits.attempts)
        self._context = context

    async def again(self, action: AnyAction, error: StepError) -> bool:
        """Begin a further attempt; False when there is none to be had after this error."""
        exhausted = self.made >= self._policy.max_attempts
        if exhausted or isinstance(error, _HOPELESS) or not may_repeat(action, error):
            return False
        waits = self._policy.backoff_s
        wait_s = waits[min(self.made, len(waits)) - 1] if waits else 0.0
        await self._context.clock.sleep(wait_s)
        self.made += 1
        self._context.emit(AttemptStarted(step=self._context.step, attempt=self.made, waited_s=wait_s))
        return True


async def do_actions(actions: Sequence[AnyAction], attempts: Attempts, context: ExecutionContext) -> None:
    """Do all actions in order; what was done and held is not done again.

    Raises: StepError of the last attempt, and what the ports raise.
    """
    for number, action in enumerate(actions):
        may_come_late = False
        find_s = _STALE_S if id(action) in context.stale else None
        while True:
            try:
                await do_action(number, action, context, find_s=find_s)
            except StepError as error:
                if may_come_late and await came_late(number, action, context):
                    break
                known = find_s is not None and is_stale(error)
                if known or not await attempts.again(action, error):
                    await _do_healed(number, actions, error, context)
                    break
                may_come_late |= _may_come_late(action, error)
                if may_come_late and await came_late(number, action, context):
                    break
            else:
                break


async def _do_healed(number: int, actions: Sequence[AnyAction], error: StepError, context: ExecutionContext) -> None:
    """Do it once, to the element that is meant by a stale target.

    Raises: the error itself where nothing can be taken for it; StepError of what was done instead.
    """
    action = actions[number]
    target = await healed(number, action, error, actions[number + 1 :], context)
    try:
        await do_action(number, action, context, target=target)
    except StepError as failure:
        failure.cause = "target"  # what was taken for it was not it
        raise
    context.stale.add(id(action))


def _may_come_late(action: AnyAction, error: StepError) -> bool:
    """Whether what is expected, once it is there, can be taken for what this attempt brought about.

    Of an irreversible action only if it was seen not to be there before.
    """
    if not action.expect:
        return False
    if action.effect is Effect.IRREVERSIBLE:
        return isinstance(error, ExpectationFailed)
    return error.performed is not False
