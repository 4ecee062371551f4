"""Verbs of the pointer."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from sopbench.sop.part import Part
from sopbench.sop.targets import PageExpectation, Target, Template
from sopbench.sop.verbs.base import Action, Dialog, Effect, OnTarget

Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]


class Point(Part):
    """A place or a distance on the page, in CSS pixels: x to the right, y downwards."""

    x: float | Template = 0
    y: float | Template = 0

    def __str__(self) -> str:
        return f"({self.x}, {self.y})"


class Click(OnTarget):
    """Click an element. Done when the page took the click, what it opens is there, and its dialog is answered."""

    takes = "click"
    do: Literal["click"] = "click"
    button: Literal["left", "right", "middle"] = "left"
    double: bool = False
    modifiers: tuple[Modifier, ...] = ()
    """Keys held down meanwhile."""
    at: Point | None = None
    """Where on the element, from its top left corner; its middle when absent."""
    opens: str | None = None
    """It opens a new tab or window: the name it gets. The run goes on in it."""
    dialog: Dialog | None = None
    effect: Effect = Effect.IRREVERSIBLE

    def __str__(self) -> str:
        how = "double-click" if self.double else f"{self.button}-click" if self.button != "left" else "click"
        keys = "".join(f"{key}+" for key in self.modifiers)
        return f"{keys}{how} {self.target}" + (f" at {self.at}" if self.at else "")


class Hover(OnTarget):
    """Move the pointer over an element, and leave it there."""

    takes = "click"
    do: Literal["hover"] = "hover"
    at: Point | None = None


class Drag(OnTarget):
    """Press on an element, move, and let go: on another element (``to``), or some way further (``by``).

    Done when the pointer was let go there. The pointer moves in ``steps``, as a hand does.
    """

    takes = "click"
    do: Literal["drag"] = "drag"
    at: Point | None = None
    """Where it is taken hold of, from its top left corner; its middle when absent."""
    to: Target | None = None
    to_at: Point | None = None
    """Where on ``to`` it is let go, from its top left corner; its middle when absent."""
    by: Point | None = None
    steps: int = 12
    effect: Effect = Effect.IRREVERSIBLE

    @model_validator(mode="after")
    def _says_where_to(self) -> Drag:
        if (self.to is None) == (self.by is None):
            raise ValueError("drag needs either 'to' (an element) or 'by' (a distance)")
        return self

    def __str__(self) -> str:
        return f"drag {self.target} " + (f"to {self.to}" if self.to else f"by {self.by}")


class Scroll(Action):
    """Bring an element into view; or move ``by`` a distance within it (the page when there is no target).

    With ``until`` it is repeated until that holds. An error when the end is reached and it does not.
    """

    do: Literal["scroll"] = "scroll"
    target: Target | None = None
    by: Point | None = None
    until: PageExpectation | None = None

    @model_validator(mode="after")
    def _says_what(self) -> Scroll:
        if self.target is None and self.by is None and self.until is None:
            raise ValueError("scroll needs a 'target' to bring into view, or 'by', or 'until'")
        return self

    def __str__(self) -> str:
        where = str(self.target or "the page")
        if self.until is not None:
            return f"scroll {where} until {self.until}"
        return f"scroll {where} by {self.by}" if self.by else f"scroll to {where}"
