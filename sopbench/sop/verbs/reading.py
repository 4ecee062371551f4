"""Verbs that read from the page."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from sopbench.sop.part import Part
from sopbench.sop.targets import Name, Target
from sopbench.sop.verbs.base import Action, Dialog, Effect, ElementKind, OnTarget

ValueType = Literal["string", "integer", "number", "boolean", "date"]


class Source(Part):
    """Where one value stands on the page."""

    target: Target | None = None
    """Inside ``each`` when that is given; None is the element of ``each`` itself."""
    attribute: str | None = None
    """Read this attribute; ``value`` is what a form field holds now; ``checked`` its state. None reads the text."""
    type: ValueType = "string"
    """What the text is turned into, read as the page's language writes it: ``1,500.00 €`` is the number 1500,
    ``Jun 2, 2025`` the date ``2025-06-02``. Empty text gives null for all but strings; any other text that says no such
    value is an error. ``data-…`` attributes and number fields are read as programs write them."""
    all: bool = False
    """All matches as a list; none gives an empty list."""
    optional: bool = False
    """No match gives null instead of an error."""


class More(Part):
    """How to get at the rest of a list that does not show whole: scroll it, or turn its pages.

    The list is read until nothing new comes: only records that can be seen, from the top down. Records that appear on
    two pages, gaps between what came into sight, a page that does not turn, and another number than the page itself
    says are errors: the list was not read whole. The action's time limit holds for each turn.
    """

    scroll: Target | Literal["page"] | None = None
    """What scrolls: an element, or the page."""
    next: Target | None = None
    """Leads to the next page; the last one is reached when it is gone or disabled."""
    key: Name | None = None
    """The field that tells one record from another; the whole record when absent."""
    total: Target | None = None
    """Where the page says how many there are: the last number in its text."""
    pages: int = Field(default=200, ge=1)
    """At most so many pages, or scrolls."""

    @model_validator(mode="after")
    def _one_way(self) -> More:
        if (self.scroll is None) == (self.next is None):
            raise ValueError("'more' needs either 'scroll' or 'next'")
        return self


class Extract(Source, Action):
    """Read from the page into a variable.

    ``target``: one value (with ``all``, a list of them). ``each`` with ``fields``: a list of records.
    ``table``: a list of records, named by the table's header. ``definitions``: one record of terms and their values.
    """

    do: Literal["extract"] = "extract"
    into: Name
    each: Target | None = None
    """Every match becomes one record; none gives an empty list."""
    fields: dict[Name, Source] = Field(default_factory=dict)
    """Name of the record's field → where it stands, within the match."""
    table: Target | None = None
    """A table or grid. Cells that span several rows or columns count for each; headers above headers are joined
    by `` / ``; header names are the record's keys, as the page writes them: ``column 1`` where there is none, ``A (2)``
    for the second of a name. A form field gives its value, a checkbox ``true`` or ``false``, a picture alone its
    description. Hidden rows and columns, the foot, and rows of one cell over all columns are left out."""
    definitions: Target | None = None
    """A definition list (several values of a term: one line each), a table of two columns without a header row, or a
    card. In a card, a value is recognised by its ``label``, by ``aria-labelledby``, or by standing after an element
    whose text ends with a colon; nothing else is."""
    more: More | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Extract:
        kinds = (self.target, self.each, self.table, self.definitions)
        if sum(kind is not None for kind in kinds) != 1:
            raise ValueError(
                "extract needs one of 'target' (one value), 'each' with 'fields' (a list of records),"
                " 'table' and 'definitions'"
            )
        if (self.each is not None) != bool(self.fields):
            raise ValueError("'each' needs 'fields', and 'fields' need 'each'")
        if self.more is not None and self.each is None and self.table is None:
            raise ValueError("'more' is for lists: it needs 'each' or 'table'")
        return self

    def element(self) -> tuple[ElementKind, Target] | None:
        return None if self.target is None or self.all or self.optional else ("read", self.target)

    def __str__(self) -> str:
        return f"extract {self.into} from {self.each or self.table or self.definitions or self.target}"


class Download(OnTarget):
    """Click what brings a file. Done when the file is whole, and kept among the run's artefacts."""

    takes = "click"
    do: Literal["download"] = "download"
    into: Name | None = None
    """Variable that takes ``{name, path, bytes, sha256}``; the path is relative to the run's folder."""
    dialog: Dialog | None = None
    effect: Effect = Effect.IDEMPOTENT
