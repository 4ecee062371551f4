"""What all verbs share, and what an action does to the world."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from sopbench.sop.part import Part
from sopbench.sop.targets import Expectation, Expression, Target, Template


class Effect(StrEnum):
    """What an action does to the world."""

    READ = "read"
    IDEMPOTENT = "idempotent"
    IRREVERSIBLE = "irreversible"


class Action(Part):
    """What all verbs share."""

    do: str
    when: Expression | None = None
    """Done only if this holds; otherwise skipped, and the log says so."""
    expect: tuple[Expectation, ...] = ()
    """What must be true afterwards."""
    effect: Effect = Effect.READ
    timeout_s: float | None = Field(default=None, gt=0)
    """For the action itself; the run's limit for its kind when absent."""
    note: str | None = None
    """Why, for people."""

    def __str__(self) -> str:
        return self.do.replace("_", " ")


class OnTarget(Action):
    """A verb that is done to one element."""

    target: Target

    def __str__(self) -> str:
        return f"{self.do.replace('_', ' ')} {self.target}"


class Dialog(Part):
    """The browser's own dialog (alert, confirm, prompt) that an action brings up, and the answer to it."""

    answer: Literal["accept", "dismiss"] = "accept"
    text: Template | None = None
    """What is entered into a prompt."""
    says: Template | None = None
    """Part of its message; a dialog that says something else is dismissed, and the action has failed."""
