"""Walk through a document's texts: which strings are templates, which are expressions, and where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

from sopbench.sop.part import Part
from sopbench.sop.targets import TextKind


@dataclass(frozen=True)
class Slot:
    """One field of a kind of part."""

    name: str
    key: str
    """Its name in the JSON document."""
    text: TextKind | None
    """What a string in it means."""
    becomes: type[int] | type[bool] | None
    """What a rendered template in it is turned into: ``nth`` is an int, ``checked`` a bool."""
    is_nested: bool
    """Whether other parts may stand in it."""


@dataclass(frozen=True)
class Text:
    """A template or an expression of the document."""

    pointer: str
    """JSON pointer, from where the walk began."""
    kind: TextKind
    value: str


@cache
def slots(kind: type[Part]) -> tuple[Slot, ...]:
    """Fields of ``kind`` in the order of its definition."""
    return tuple(_slot(name, info) for name, info in kind.model_fields.items())


def texts(part: Part, pointer: str = "") -> Iterator[Text]:
    """All templates and expressions in ``part``, however deep, in document order."""
    pending: list[tuple[str, Any, TextKind | None]] = [(pointer, part, None)]
    while pending:
        where, value, kind = pending.pop()
        if isinstance(value, str):
            if kind is not None:
                yield Text(where, kind, value)
        elif isinstance(value, Part):
            held = ((s, getattr(value, s.name)) for s in reversed(slots(type(value))))
            pending += [(f"{where}/{s.key}", v, s.text) for s, v in held if v is not None]
        elif isinstance(value, tuple | list):
            pending += [(f"{where}/{i}", value[i], kind) for i in reversed(range(len(value)))]
        elif isinstance(value, dict):
            pending += [(f"{where}/{escape(str(k))}", v, kind) for k, v in reversed(value.items())]


def escape(key: str) -> str:
    """A key as one step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def _slot(name: str, info: Any) -> Slot:
    parts = tuple(_leaves(info.annotation))
    marks = (*info.metadata, *parts)
    text = next((mark for mark in marks if isinstance(mark, TextKind)), None)
    converts: tuple[type[int] | type[bool], ...] = (bool, int)
    becomes = next((kind for kind in converts if text is not None and kind in parts), None)
    nested = any(isinstance(leaf, type) and issubclass(leaf, Part) for leaf in parts)
    return Slot(name, info.alias or name, text, becomes, nested)


def _leaves(annotation: Any) -> Iterator[Any]:
    inner = get_args(annotation)
    if not inner:
        yield annotation
    for each in inner:  # for Annotated these are its type and its metadata
        yield from _leaves(each)
