"""The operator of a run that nobody watches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.errors import OperatorStopped

if TYPE_CHECKING:
    from sopbench.ports.operator import OperatorQuestion


class UnattendedOperator:
    """Takes the answer that does nothing, where there is one, and stops the run where there is none."""

    name = "unattended"

    def would_answer(self, question: OperatorQuestion) -> bool:
        return False

    async def answer(self, question: OperatorQuestion) -> str:
        """The question's safe option. Raises: OperatorStopped when it has none."""
        if question.safe is None:
            raise OperatorStopped(
                f"nobody is there to answer: {question.text} "
                f"({' / '.join(question.options)}); run with --operator terminal or change on_unsure",
                question=question.text,
                options=list(question.options),
            )
        return question.safe
