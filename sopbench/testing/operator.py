"""An operator who answers from a script."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sopbench.errors import SopbenchError

if TYPE_CHECKING:
    from sopbench.ports.operator import OperatorQuestion

Reply = str | SopbenchError
"""One of the question's options, or an error to be raised: ``OperatorStopped("nobody is there")``."""


class FakeOperator:
    """Gives its answers in order, or by a function of the question.

    A question too many gets the answer that does nothing. An answer that is no option, and a question too many that has
    no such answer, are mistakes of the test: AssertionError.
    """

    name = "fake"

    def __init__(self, answers: Iterable[Reply] | Callable[[OperatorQuestion], Reply] = ()) -> None:
        self._waiting = None if callable(answers) else list(answers)
        self._answer = answers if callable(answers) else self._in_order
        self.questions: list[OperatorQuestion] = []
        """Everything it was asked."""

    def would_answer(self, question: OperatorQuestion) -> bool:
        """Whether it has an answer left."""
        return self._waiting is None or bool(self._waiting)

    async def answer(self, question: OperatorQuestion) -> str:
        self.questions.append(question)
        answer = self._answer(question)
        if isinstance(answer, SopbenchError):
            raise answer
        if answer not in question.options:
            raise AssertionError(f"{answer!r} is no option of {question.text!r}: {', '.join(question.options)}")
        return answer

    def _in_order(self, question: OperatorQuestion) -> Reply:
        if self._waiting:
            return self._waiting.pop(0)
        if question.safe is not None:
            return question.safe
        raise AssertionError(f"the fake operator has no answer left to: {question.text}")
