"""The pages of the benchmark and the elements on them, as data.

``pages/NAME.html`` and ``pages/NAME.toml``; and ``scenario/NAME.toml`` for states of the mock sites.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from sopbench.sop.actions import AnyAction
from sopbench.sop.targets import Target

HERE = Path(__file__).resolve().parent
PAGES = HERE / "pages"
Verb = Literal["click", "fill", "select", "set_checked"]
_ACTION: TypeAdapter[Any] = TypeAdapter(AnyAction)
_VALUE_OF: dict[str, str | None] = {"click": None, "fill": "value", "select": "option", "set_checked": "checked"}


class Element(BaseModel):
    """One element, the action that is done to it, and the target that a procedure would have for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    do: Verb
    target: Target
    rename: str
    """Another accessible name of like meaning."""
    lookalike: str
    """The name of something else that sounds alike."""
    before: tuple[str, ...] = ()
    """CSS of what is clicked first, so that the element is there."""
    value: str | None = None
    option: str | None = None
    checked: bool | None = None

    @model_validator(mode="after")
    def _says_what_is_entered(self) -> Element:
        for field in ("value", "option", "checked"):
            if (getattr(self, field) is not None) != (_VALUE_OF[self.do] == field):
                raise ValueError(f"element {self.id!r}: {self.do} goes with {_VALUE_OF[self.do] or 'no value'}")
        return self

    def action(self, target: dict[str, Any]) -> dict[str, Any]:
        """The action as a document has it, done to ``target``. Raises: pydantic.ValidationError."""
        field = _VALUE_OF[self.do]
        data = {"do": self.do, "target": target} | ({field: getattr(self, field)} if field else {})
        _ACTION.validate_python(data)
        return data


class Page(BaseModel):
    """A page and its elements."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str
    """What kind of page it is, for people."""
    way: str | None = None
    """How to get to a state of the mock sites: a key of ``sites.WAYS``. None for a page of ``pages/``."""
    language: str = "en"
    elements: tuple[Element, ...] = Field(min_length=1)
    words: dict[str, str]
    """Phrases of this page, and what stands for them in another language."""

    @property
    def path(self) -> str:
        """Where a page of ``pages/`` is served."""
        return f"/{self.name}.html"


@cache
def pages() -> tuple[Page, ...]:
    """All pages, by name. Raises: pydantic.ValidationError, tomllib.TOMLDecodeError for a mistaken file."""
    common = _read(HERE / "words.toml")
    files = [*sorted(PAGES.glob("*.toml")), *sorted((HERE / "scenario").glob("*.toml"))]
    return tuple(_page(path, common) for path in files)


def _page(path: Path, common: dict[str, Any]) -> Page:
    data = _read(path)
    words = data.pop("words", None) or common
    return Page.model_validate({**data, "name": path.stem, "words": words})


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
