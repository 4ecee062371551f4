"""What all verbs share, and what an action does to the world."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from sopbench.sop.part import Part
from sopbench.sop.targets import Expectation, Expression, Target, Template


class Effect(StrEnum):
    """What an action does to the world."""

    READ = "read"
    IDEMPOTENT = "idempotent"
    IRREVERSIBLE = "irreversible"


ElementKind = Literal["click", "fill", "choose", "check", "upload", "read"]
"""What an element must be able to take: to be pressed, typed into, chosen from, ticked, given a file, or read."""


class Action(Part):
    """What all verbs share."""

    do: str
    when: Expression | None = None
    """Done only if this holds; otherwise skipped, and the log says so."""
    expect: tuple[Expectation, ...] = ()
    """What must be true afterwards."""
    effect: Effect = Effect.READ
    undone: tuple[Expectation, ...] = ()
    """What shows, when it failed, that it did not happen. Something irreversible that may have been done is done again
    only if all of this is seen."""
    timeout_s: float | None = Field(default=None, gt=0)
    """For the action itself; the run's limit for its kind when absent."""
    note: str | None = None
    """Why, for people."""

    def __str__(self) -> str:
        return self.do.replace("_", " ")

    def element(self) -> tuple[ElementKind, Target] | None:
        """The kind of element it is done to, and its target; None for what is not done to a single element."""
        return None


class OnTarget(Action):
    """A verb that is done to one element."""

    takes: ClassVar[ElementKind]
    target: Target

    def element(self) -> tuple[ElementKind, Target] | None:
        return self.takes, self.target

    def __str__(self) -> str:
        return f"{self.do.replace('_', ' ')} {self.target}"


class Dialog(Part):
    """The browser's own dialog (alert, confirm, prompt) that an action brings up, and the answer to it."""

    answer: Literal["accept", "dismiss"] = "accept"
    text: Template | None = None
    """What is entered into a prompt."""
    says: Template | None = None
    """Part of its message; a dialog that says something else is dismissed, and the action has failed."""
