"""What the engine needs from whoever answers for the run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class OperatorQuestion:
    """A question with its possible answers; ``safe`` is the one that does nothing."""

    text: str
    options: tuple[str, ...]
    safe: str | None = None
    picture: str = ""
    """What it is about, relative to the run's folder."""
    folder: Path | None = None
    """The run's, where it has one."""


class Operator(Protocol):
    """A policy, a script, a person."""

    name: str

    def would_answer(self, question: OperatorQuestion) -> bool:
        """Whether it might say anything to this but its safe option. A question it would not answer is not worth
        putting, where the run could go on without: after a failure that nobody foresaw.
        """

    async def answer(self, question: OperatorQuestion) -> str:
        """One of the question's options. Raises: OperatorStopped."""
