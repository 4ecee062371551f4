"""Verbs for form fields, keys and the clipboard."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from sopbench.sop.targets import Name, Target, Template
from sopbench.sop.verbs.base import Action, Dialog, Effect, ElementKind, OnTarget


class Fill(OnTarget):
    """Replace the content of a form field or editor. Done when the field holds the value, as the page writes it.

    A page that ignores or rewrites it is typed to key by key; the field is left with Tab, or with ``commit``. Of a
    drop-down it chooses the option with that value, or else that label.
    """

    takes = "fill"
    do: Literal["fill"] = "fill"
    value: Template
    commit: Literal["tab", "enter"] | None = None
    """The key that ends the entry; none, unless the page needs Tab for it to hold."""
    effect: Effect = Effect.IDEMPOTENT


class Clear(OnTarget):
    """Empty a form field or editor. Done when it is empty."""

    takes = "fill"
    do: Literal["clear"] = "clear"
    effect: Effect = Effect.IDEMPOTENT


class Type(OnTarget):
    """Type text key by key into an element, after what is there. Done when the keys were pressed."""

    takes = "fill"
    do: Literal["type"] = "type"
    text: Template
    effect: Effect = Effect.IRREVERSIBLE


class Press(Action):
    """Press one key or chord (``Enter``, ``Control+A``), in an element or wherever the focus is."""

    do: Literal["press"] = "press"
    key: Template
    target: Target | None = None
    times: int | Template = 1
    dialog: Dialog | None = None
    effect: Effect = Effect.IRREVERSIBLE

    def element(self) -> tuple[ElementKind, Target] | None:
        return None if self.target is None else ("fill", self.target)

    def __str__(self) -> str:
        return f"press {self.key}" + (f" in {self.target}" if self.target else "")


class SetChecked(OnTarget):
    """Bring a checkbox, switch or radio button into a state; nothing happens if it has it already.

    Done when it shows that state.
    """

    takes = "check"
    do: Literal["set_checked"] = "set_checked"
    checked: bool | Template = True
    effect: Effect = Effect.IDEMPOTENT


class Select(OnTarget):
    """Choose options of a drop-down or list, native or made by the page: by label, value or index.

    Done when exactly these are chosen (native), or when the control says the option's label (made by the page).
    """

    takes = "choose"
    do: Literal["select"] = "select"
    option: Template | Annotated[tuple[Template, ...], Field(min_length=1)] | None = None
    """Label, or labels where several may be chosen. A whole label goes before a part of one."""
    value: Template | None = None
    index: int | Template | None = None
    """Counting from 0, -1 is the last."""
    add: bool = False
    """Leave chosen what is chosen already."""
    effect: Effect = Effect.IDEMPOTENT

    @model_validator(mode="after")
    def _says_which(self) -> Select:
        if sum(each is not None for each in (self.option, self.value, self.index)) != 1:
            raise ValueError("select needs one of 'option' (its label), 'value' and 'index'")
        return self

    def __str__(self) -> str:
        chosen = self.option if self.option is not None else self.value if self.value is not None else self.index
        return f"select {chosen!r} in {self.target}"


class PickDate(OnTarget):
    """Put a date into a date field, whatever it is made of: native, typed into, or a calendar that opens.

    Done when the field holds that date, in the form it asks for or else the page's own way of writing it. Where the
    field asks for no form and day and month could be mistaken, its calendar is used if it has one.
    """

    takes = "fill"
    do: Literal["pick_date"] = "pick_date"
    date: Template
    """ISO 8601: ``2025-06-02``."""
    effect: Effect = Effect.IDEMPOTENT


class Upload(OnTarget):
    """Give files to a file field, or to the button that asks for them. Done when the field names them."""

    takes = "upload"
    do: Literal["upload"] = "upload"
    files: Annotated[tuple[Template, ...], Field(min_length=1)]
    """Paths; relative ones are looked for beside the document."""
    effect: Effect = Effect.IDEMPOTENT

    def __str__(self) -> str:
        return f"upload {', '.join(self.files)} to {self.target}"


class SelectText(OnTarget):
    """Mark text in an element: all of it, or the first place where ``text`` stands. Done when it is marked.

    Whole words go before a part of one.
    """

    takes = "fill"
    do: Literal["select_text"] = "select_text"
    text: Template | None = None


class Copy(OnTarget):
    """Copy an element's text to the clipboard, as a person does: all of it, by the keyboard."""

    takes = "read"
    do: Literal["copy"] = "copy"
    into: Name | None = None
    """Variable that takes what was copied as well."""


class Paste(OnTarget):
    """Put what the clipboard holds in place of a field's content. Done when the page has taken it."""

    takes = "fill"
    do: Literal["paste"] = "paste"
    effect: Effect = Effect.IDEMPOTENT
