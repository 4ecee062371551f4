"""Beginning again: a run that failed goes through the procedure once more from its start, and repeats nothing.

A checkpoint is an item of a loop that is done. What lies before the loops is done again, in an empty window; what could
not be undone and stands outside of the items that are done forbids it, unless its loop is ``repeatable``.
"""

from __future__ import annotations

import json
from collections import ChainMap, Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sopbench.engine.steps import cause_of
from sopbench.errors import AnswerUnusable, DataInvalid, ModelUnavailable, SopbenchError, StepError, TemplateFailed
from sopbench.events.types import RunResumed
from sopbench.sop.templates import value_of

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext, Frame
    from sopbench.sop.nodes import LoopNode

RESUMABLE = (StepError, ModelUnavailable, AnswerUnusable)
"""Failures after which the same way may well succeed. Not a limit, a rejection, or a question nobody recorded."""


class Resuming:
    """How often one run may still begin again, and what with."""

    def __init__(self, context: ExecutionContext) -> None:
        self._context = context
        self._given = dict(context.variables)
        self._policy = context.sop.private.resume
        self._made = 0

    def require_harmless(self, error: SopbenchError) -> None:
        """Raises: the error, where the run may not begin again; what forbids it is said in its message."""
        if self._policy is None or self._made + 1 >= self._policy.max_attempts:
            raise error
        if deeds := self._context.done_for_good():
            error.message += f"; it is not begun again: {'; '.join(deeds)}"
            raise error

    async def begin_again(self, error: SopbenchError, node: str, *, done: int) -> None:
        """Wait, then open an empty window and forget all variables but those that were given.

        Raises: BrowserLost when there is no browser to be had.
        """
        context, policy = self._context, self._policy
        assert policy is not None  # noqa: S101 - required before
        self._made += 1
        waits = policy.backoff_s
        wait_s = waits[min(self._made, len(waits)) - 1] if waits else 0.0
        context.emit(
            RunResumed(number=self._made, why=str(error), cause=cause_of(error), node=node, done=done, waited_s=wait_s)
        )
        await context.clock.sleep(wait_s)
        context.variables = ChainMap(dict(self._given))
        context.deeds.clear()
        await context.browser.renew()


class DoneItems:
    """The items of loops that are done, known from one listing to the next by their keys.

    Items with the same key are counted: of three alike, two of which are done, two are passed over.
    """

    def __init__(self) -> None:
        self._done: Counter[tuple[str, ...]] = Counter()
        self._to_pass: Counter[tuple[str, ...]] = Counter()
        self._failed: dict[tuple[str, ...], str] = {}
        self._listed: dict[tuple[str, ...], str] = {}
        self._missing: dict[tuple[str, ...], str] = {}
        """Listed before the run began again, not done then, and not listed since."""

    def begin_again(self) -> int:
        """From now on those that are done are passed over, once each; how many they are."""
        self._to_pass = self._done.copy()
        self._missing = {path: told for path, told in self._listed.items() if not self._done[path]}
        return self._done.total()

    def listed(self, frame: Frame, context: ExecutionContext) -> None:
        """The loop of the frame has been entered, with these items. Those without a key would not be known again."""
        if frame.loop.key is None:
            return
        for item in frame.items:
            with suppress(TemplateFailed):  # told when it is come to
                path = _path(frame, context, _key(frame.loop, item, context))
                self._missing.pop(path, None)
                self._listed[path] = _told(frame.loop, item)

    def passes_over(self, frame: Frame, context: ExecutionContext) -> bool:
        """Whether the item that the frame has come to was done before; notes its key. Raises: TemplateFailed."""
        frame.key = _key(frame.loop, frame.items[frame.index], context)
        path = _path(frame, context, frame.key)
        if not self._to_pass[path]:
            return False
        self._to_pass[path] -= 1
        return True

    def require_none_left(self) -> None:
        """That each item which had failed, or was still to be done, when the run began again was listed once more.

        Raises: DataInvalid.
        """
        if left := self._missing | self._failed:
            told = "; ".join(left.values())
            raise DataInvalid(f"what was to be done before the run began again is not listed any more: {told}")

    def note(self, frame: Frame, context: ExecutionContext, *, failed: bool) -> None:
        """The frame's item has come to its end; it is done, unless it failed."""
        path = _path(frame, context, frame.key)
        if not failed:
            self._done[path] += 1
            self._failed.pop(path, None)
        else:
            self._failed[path] = _told(frame.loop, frame.items[frame.index])
        is_known_again = not failed and frame.loop.key is not None
        if not (is_known_again or frame.loop.repeatable):
            context.deeds += frame.deeds  # an item that reads otherwise the next time would be done twice
        frame.deeds = []


def _path(frame: Frame, context: ExecutionContext, key: str) -> tuple[str, ...]:
    """The loop and key of one of the frame's items, after those of the items around it."""
    outer = [each for each in context.frames if each.is_loop and each is not frame]
    return (*(part for each in outer for part in (each.node.id, each.key)), frame.node.id, key)


def _key(node: LoopNode, item: Any, context: ExecutionContext) -> str:
    if node.key is not None:
        item = value_of(node.key, context.variables.new_child({node.as_: item}))
    return json.dumps(item, sort_keys=True, default=str)


def _told(node: LoopNode, item: Any) -> str:
    return f"{node.label}: {json.dumps(item, default=str):.200}"
