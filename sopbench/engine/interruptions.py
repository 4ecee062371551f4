"""What comes between: a banner, a dialog, a question that the document knows and says what to do about."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sopbench.engine.expectations import look_once
from sopbench.errors import AnswersDiffer, AnswerUnusable, BrowserLost, ModelUnavailable, Rejected, StepError
from sopbench.events.types import Interrupted, InterruptionEnded

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.document import Interruption

_FAILS = (StepError, Rejected, ModelUnavailable, AnswerUnusable, AnswersDiffer)


class Interruptions:
    """The interruptions of one run's document, and how often each was met.

    ``do_nodes`` does nodes apart from the step that was interrupted.
    """

    def __init__(self, known: Sequence[Interruption], do_nodes: Callable[[Sequence[str]], Awaitable[None]]) -> None:
        self._known = known
        self._do_nodes = do_nodes
        self._met: Counter[str] = Counter()
        self._dealing = False

    async def dealt_with(self, action: int, context: ExecutionContext) -> Interruption | None:
        """Look for each, in the document's order, and deal with the first that is there; which it was.

        Nothing is looked for while one is being dealt with, nor for one whose own nodes are being done. What goes wrong
        in dealing with it is noted, and the step goes on as if it had not been there.

        Raises: what is no failure of a step: a limit, a stop, a lost browser.
        """
        if self._dealing:
            return None
        here = {context.node, *(frame.node.id for frame in context.frames)}
        for each in self._known:
            if self._met[each.id] >= each.most or here & set(each.do):
                continue
            seen = await _signs(each, context)
            if seen:
                return each if await self._deal_with(each, seen, action, context) else None
        return None

    async def _deal_with(
        self, interruption: Interruption, seen: tuple[str, ...], action: int, context: ExecutionContext
    ) -> bool:
        self._met[interruption.id] += 1
        context.emit(
            Interrupted(
                step=context.step, action=action, interruption=interruption.id, label=interruption.label, seen=seen
            )
        )
        self._dealing = True
        reason = ""
        try:
            with context.aside():
                await self._do_nodes(interruption.do)
        except BrowserLost:
            raise
        except _FAILS as error:
            self._met[interruption.id] = interruption.most  # it would not work the next time either
            reason = str(error)
        finally:
            self._dealing = False
        context.emit(
            InterruptionEnded(step=context.step, interruption=interruption.id, failed=bool(reason), reason=reason)
        )
        if not reason:
            context.used.add("interrupted")
        return not reason


async def _signs(interruption: Interruption, context: ExecutionContext) -> tuple[str, ...]:
    """What it is known by, in words; empty when it is not there."""
    signs = []
    for expectation in interruption.when:
        try:
            words, seen = await look_once(expectation, context)
        except BrowserLost:
            raise
        except StepError:
            return ()
        if not seen.holds:
            return ()
        signs.append(words)
    return tuple(signs)
