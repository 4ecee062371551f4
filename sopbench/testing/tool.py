"""Tools that answer what they were told to answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from sopbench.errors import SopbenchError
from sopbench.ports.tool import ToolAnswer

if TYPE_CHECKING:
    from sopbench.sop.actions import ToolAction

Reply = Any | SopbenchError
"""The answer's data, or an error to be raised: ``ToolUnavailable("refused", performed=False)``."""


class FakeTool:
    """Answers in the order given, or by a function of the action.

    Being called more than it was told is a mistake of the test: AssertionError.
    """

    def __init__(self, answers: Iterable[Reply] | Callable[[ToolAction], Reply] = ()) -> None:
        self._answers = answers if callable(answers) else None
        self._waiting = [] if callable(answers) else list(answers)
        self.called: list[ToolAction] = []
        """Every call, variables filled in."""

    async def call(self, action: ToolAction, *, timeout_s: float) -> ToolAnswer:
        self.called.append(action)
        if self._answers is None and not self._waiting:
            raise AssertionError(f"the fake tool has no answer left to: {action}")
        answer = self._answers(action) if self._answers is not None else self._waiting.pop(0)
        if isinstance(answer, SopbenchError):
            raise answer
        return ToolAnswer(answer)
