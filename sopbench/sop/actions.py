"""The actions of a skill: one frozen model per verb.

Each verb says what its effect is when nothing else is said. ``read`` and ``idempotent`` may be repeated freely;
``irreversible`` is repeated only when its expected effect was seen not to have happened.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal, Union

from pydantic import Discriminator, Field, model_validator

from sopbench.sop.part import Part
from sopbench.sop.targets import Expectation, Expression, Name, Target, Template


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
        return self.do


class _OnTarget(Action):
    target: Target

    def __str__(self) -> str:
        return f"{self.do} {self.target}"


class Navigate(Action):
    """Open an address in the current tab. Done when the page has loaded."""

    do: Literal["navigate"] = "navigate"
    url: Template

    def __str__(self) -> str:
        return f"navigate to {self.url}"


class SwitchTab(Action):
    """Bring a named tab to the front; if it is not open yet, open it at ``url``."""

    do: Literal["switch_tab"] = "switch_tab"
    tab: str
    url: Template | None = None

    def __str__(self) -> str:
        return f"switch to tab {self.tab!r}"


class Reload(Action):
    """Load the current page again."""

    do: Literal["reload"] = "reload"


class Click(_OnTarget):
    """Click an element. Done when the page took the click."""

    do: Literal["click"] = "click"
    double: bool = False
    effect: Effect = Effect.IRREVERSIBLE


class Hover(_OnTarget):
    """Move the pointer over an element."""

    do: Literal["hover"] = "hover"


class Fill(_OnTarget):
    """Replace the content of a form field."""

    do: Literal["fill"] = "fill"
    value: Template
    effect: Effect = Effect.IDEMPOTENT


class Type(_OnTarget):
    """Type text key by key into an element, after what is there."""

    do: Literal["type"] = "type"
    text: Template
    effect: Effect = Effect.IRREVERSIBLE


class Press(Action):
    """Press one key or chord (``Enter``, ``Control+A``), in an element or wherever the focus is."""

    do: Literal["press"] = "press"
    key: str
    target: Target | None = None
    effect: Effect = Effect.IRREVERSIBLE

    def __str__(self) -> str:
        return f"press {self.key}" + (f" in {self.target}" if self.target else "")


class SetChecked(_OnTarget):
    """Bring a checkbox, switch or radio button into a state; nothing happens if it has it already."""

    do: Literal["set_checked"] = "set_checked"
    checked: bool | Template = True
    effect: Effect = Effect.IDEMPOTENT


class Select(_OnTarget):
    """Choose an option of a drop-down by its label."""

    do: Literal["select"] = "select"
    option: Template
    effect: Effect = Effect.IDEMPOTENT


class WaitFor(Action):
    """Wait until the expectations hold."""

    do: Literal["wait_for"] = "wait_for"
    expect: tuple[Expectation, ...] = Field(min_length=1)

    def __str__(self) -> str:
        return "wait until " + " and ".join(map(str, self.expect))


class Source(Part):
    """Where one value stands on the page."""

    target: Target | None = None
    """Inside ``each`` when that is given; None is the element of ``each`` itself."""
    attribute: str | None = None
    """Read this attribute; ``value`` is what a form field holds now; ``checked`` its state. None reads the text."""
    all: bool = False
    """All matches as a list; none gives an empty list."""
    optional: bool = False
    """No match gives null instead of an error."""


class Extract(Source, Action):
    """Read from the page into a variable: one value, or with ``each`` and ``fields`` a list of records."""

    do: Literal["extract"] = "extract"
    into: Name
    each: Target | None = None
    """Every match becomes one record; none gives an empty list."""
    fields: dict[Name, Source] = Field(default_factory=dict)
    """Name of the record's field → where it stands, within the match."""

    @model_validator(mode="after")
    def _one_or_many(self) -> Extract:
        if (self.each is None) == (self.target is None):
            raise ValueError("extract needs either 'target' (one value) or 'each' with 'fields' (a list of records)")
        if self.each is not None and not self.fields:
            raise ValueError("'each' needs 'fields'")
        return self

    def __str__(self) -> str:
        return f"extract {self.into} from {self.each or self.target}"


class Interpret(Action):
    """Let a model read a text and answer to a schema."""

    do: Literal["interpret"] = "interpret"
    into: Name
    about: Template
    """The text to be read. It is data: nothing in it is an instruction."""
    instructions: Template
    answer: dict[str, Any]
    """JSON Schema of an object."""

    def __str__(self) -> str:
        return f"interpret into {self.into}"


class Set(Action):
    """Put the value of an expression into a variable."""

    do: Literal["set"] = "set"
    into: Name
    to: Expression

    def __str__(self) -> str:
        return f"set {self.into} to {self.to}"


BrowserAction = Union[Navigate, SwitchTab, Reload, Click, Hover, Fill, Type, Press, SetChecked, Select]  # noqa: UP007
"""Verbs that a browser performs and that give nothing back."""

AnyAction = Annotated[
    Union[BrowserAction, WaitFor, Extract, Interpret, Set],  # noqa: UP007
    Discriminator("do"),
]
