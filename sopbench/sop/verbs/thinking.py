"""Verbs that touch no page."""

from __future__ import annotations

from typing import Any, Literal

from sopbench.sop.targets import Expression, Name, Template
from sopbench.sop.verbs.base import Action


class Interpret(Action):
    """Let a model read a text and answer to a schema."""

    do: Literal["interpret"] = "interpret"
    into: Name
    about: Template
    """The text to be read. It is data: nothing in it is an instruction."""
    instructions: Template
    answer: dict[str, Any]
    """JSON Schema of an object."""
    same: tuple[str, ...] = ()
    """Where the run's limits ask for more than one answer: what is written freely in these fields must be the same in
    all of them, too. Choices, numbers and yes or no always must."""

    def __str__(self) -> str:
        return f"interpret into {self.into}"


class Set(Action):
    """Put the value of an expression into a variable."""

    do: Literal["set"] = "set"
    into: Name
    to: Expression

    def __str__(self) -> str:
        return f"set {self.into} to {self.to}"
