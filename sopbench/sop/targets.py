"""Which element is meant, and what should be true of the page: the two things actions speak of."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Union

from pydantic import Field, model_validator

from sopbench.sop.fingerprint import Fingerprint
from sopbench.sop.part import Part


class TextKind(StrEnum):
    """What a text of a document means to the engine; stands in its field's type, where walk.py finds it."""

    TEMPLATE = "template"
    EXPRESSION = "expression"
    DATA = "data"
    """JSON, every text of which is a template."""


Template = Annotated[str, TextKind.TEMPLATE]
"""Text in which ``{{ … }}`` is filled in when the action is reached."""
Data = Annotated[Any, TextKind.DATA]
"""JSON in whose texts ``{{ … }}`` is filled in; a text that is nothing but one of them gives the value itself."""
Expression = Annotated[str, TextKind.EXPRESSION]
"""What may stand between ``{{`` and ``}}``, without them: ``'Processed' in mail.labels``."""
Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
"""A name that can be used in a template."""

_IDENTIFYING = ("role", "label", "placeholder", "text", "test_id", "css")


class Target(Part):
    """An element, in the words of Playwright's locators. Several attributes narrow each other: all must fit."""

    role: Template | tuple[str, ...] | None = None
    """ARIA role; several mean any of them."""
    name: Template | None = None
    """Accessible name; part of it is enough unless ``exact``."""
    label: Template | None = None
    placeholder: Template | None = None
    text: Template | None = None
    test_id: Template | None = None
    css: Template | None = None
    exact: bool = False
    """Whole text, and its case, must be the same: for name, label, placeholder and text."""
    within: Target | None = None
    """Only inside this element."""
    near: Target | None = None
    """In the smallest part of the page that holds both; never across rows, list items or articles."""
    nth: int | Template | None = None
    """Counting from 0, -1 is the last. Without it there must be exactly one match."""
    frame: Template | tuple[Template, ...] | None = None
    """CSS of the iframe it is in; several for frames within frames, outermost first."""
    fingerprint: Fingerprint | None = None
    """What it was like when it was recorded: asked only where nothing, or several, fit the rest."""

    @model_validator(mode="after")
    def _says_something(self) -> Target:
        if not any(getattr(self, name) is not None for name in _IDENTIFYING):
            raise ValueError(f"a target needs at least one of {', '.join(_IDENTIFYING)}")
        if self.name is not None and self.role is None:
            raise ValueError("'name' is an accessible name and needs a 'role' beside it; or use 'label' or 'text'")
        return self

    @property
    def frames(self) -> tuple[str, ...]:
        """The frames it is in, outermost first."""
        return (self.frame,) if isinstance(self.frame, str) else self.frame or ()

    def __str__(self) -> str:
        """As a person would say it: ``button 'Save' within dialog``."""
        role = self.role if isinstance(self.role, str) else "/".join(self.role or ())
        words = [role or "element"]
        words += [repr(value) for value in (self.name, self.label, self.text, self.placeholder) if value]
        words += [f"[{value}]" for value in (self.css, self.test_id) if value]
        words += [f"number {self.nth}"] if self.nth is not None else []
        words += [f"near {self.near}"] if self.near else []
        words += [f"within {self.within}"] if self.within else []
        words += [f"in frame {' > '.join(self.frames)}"] if self.frame else []
        return " ".join(words)


class _Expectation(Part):
    timeout_s: float | None = Field(default=None, ge=0)
    """How long to wait for it; the run's find limit when absent, 0 means look once."""


class UrlIs(_Expectation):
    """The page's address matches a pattern; ``*`` stands for any characters."""

    url: Template

    def __str__(self) -> str:
        return f"address is {self.url}"


class Visible(_Expectation):
    """At least one such element can be seen."""

    visible: Target

    def __str__(self) -> str:
        return f"{self.visible} is visible"


class Hidden(_Expectation):
    """No such element can be seen."""

    hidden: Target

    def __str__(self) -> str:
        return f"{self.hidden} is hidden"


class TextIs(_Expectation):
    """The text stands in the element, or anywhere on the page."""

    text: Template
    target: Target | None = Field(default=None, alias="in")

    def __str__(self) -> str:
        return f"{self.target or 'page'} says {self.text!r}"


class ValueIs(_Expectation):
    """A form field holds the value; blanks around it and kinds of line end do not count."""

    value: Template
    target: Target = Field(alias="of")

    def __str__(self) -> str:
        return f"{self.target} holds {self.value!r}"


class CheckedIs(_Expectation):
    """A checkbox, switch or radio button is on (or, with ``is`` false, off)."""

    checked: Target
    state: bool | Template = Field(default=True, alias="is")

    def __str__(self) -> str:
        return f"{self.checked} is {'checked' if self.state is True else self.state}"


class CountIs(_Expectation):
    """So many elements match, seen or not."""

    count: Target
    exactly: int | None = Field(default=None, alias="is", ge=0)
    minimum: int | None = Field(default=None, alias="min", ge=0)
    maximum: int | None = Field(default=None, alias="max", ge=0)

    @model_validator(mode="after")
    def _says_how_many(self) -> CountIs:
        if self.exactly is None and self.minimum is None and self.maximum is None:
            raise ValueError("a count needs 'is', 'min' or 'max'")
        return self

    def fits(self, number: int) -> bool:
        return (
            (self.exactly is None or number == self.exactly)
            and (self.minimum is None or number >= self.minimum)
            and (self.maximum is None or number <= self.maximum)
        )

    def __str__(self) -> str:
        bounds = [(self.exactly, "exactly"), (self.minimum, "at least"), (self.maximum, "at most")]
        return f"{' and '.join(f'{word} {n}' for n, word in bounds if n is not None)} of {self.count}"


class Downloaded(_Expectation):
    """A file of this name came in during the run, and is whole; ``*`` stands for any characters."""

    download: Template

    def __str__(self) -> str:
        return f"file {self.download} is downloaded"


class That(_Expectation):
    """An expression over the variables is true. Looks at no page, so it is not waited for."""

    that: Expression

    def __str__(self) -> str:
        return self.that


PageExpectation = Union[UrlIs, Visible, Hidden, TextIs, ValueIs, CheckedIs, CountIs, Downloaded]  # noqa: UP007 - used as a type
Expectation = Annotated[Union[PageExpectation, That], Field(union_mode="left_to_right")]  # noqa: UP007

EXPECTATIONS: dict[str, type[Any]] = {
    "url": UrlIs, "visible": Visible, "hidden": Hidden, "text": TextIs,
    "value": ValueIs, "checked": CheckedIs, "count": CountIs, "download": Downloaded, "that": That,
}  # fmt: skip
"""The key that tells one expectation from another."""
