"""Changing one value in a document's text, and nothing else of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sopbench.sop.positions import Positions

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 120
_STEP = 2


def with_part(text: str, pointer: str, value: Any) -> str:
    """As ``with_value``; where the new value does not fit on its line, the object around it is written anew as well.

    Raises: KeyError when there is nothing at the pointer.
    """
    changed = with_value(text, pointer, value)
    start = Positions(text).offset(pointer)
    if changed[start : start + 2] not in ("{\n", "[\n"):
        return changed
    around, _, key = pointer.rpartition("/")
    start = Positions(text).offset(around)
    holder, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
    return with_value(text, around, {**holder, key: value})


def with_value(text: str, pointer: str, value: Any) -> str:
    """The text with another value at an existing JSON pointer; everything around it stays as it is, byte by byte.

    Raises: KeyError when there is nothing at the pointer.
    """
    start = Positions(text).offset(pointer)
    _, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    line_start = text.rfind("\n", 0, start) + 1
    line = text[line_start:start]
    indent = len(line) - len(line.lstrip(" "))
    rest = text[end:].partition("\n")[0]
    return text[:start] + _written(value, indent, len(line), len(rest)) + text[end:]


def with_added(text: str, pointer: str, value: Any, key: str = "") -> str:
    """The text with one more entry at the end of the array or object at the pointer; of an object under ``key``.

    Raises: KeyError when there is nothing at the pointer.
    """
    start = Positions(text).offset(pointer)
    holder, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    if not holder:
        return with_value(text, pointer, {key: value} if isinstance(holder, dict) else [value])
    last = len(text[: end - 1].rstrip())
    name = json.dumps(key, ensure_ascii=False) + ": " if isinstance(holder, dict) else ""
    if "\n" not in text[last:end]:
        return with_value(text, pointer, {**holder, key: value} if isinstance(holder, dict) else [*holder, value])
    indent = _indent_at(text, end) + _STEP
    entry = " " * indent + name + _written(value, indent, indent + len(name), 1)
    return f"{text[:last]},\n{entry}{text[last:]}"


def with_several(text: str, pointer: str, values: Sequence[Any]) -> str:
    """The text with these entries of an array in place of the one at the pointer.

    Raises: KeyError when there is nothing at the pointer.
    """
    start = Positions(text).offset(pointer)
    _, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    line_start = text.rfind("\n", 0, start) + 1
    indent = start - line_start if not text[line_start:start].strip() else _indent_at(text, start)
    written = [_written(value, indent, indent, 1) for value in values]
    return text[:start] + (",\n" + " " * indent).join(written) + text[end:]


def _indent_at(text: str, offset: int) -> int:
    """Blanks at the beginning of the line that the character before this place stands in."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return len(line) - len(line.lstrip(" "))


def _written(value: Any, indent: int, column: int, after: int) -> str:
    """On one line where it fits, else one entry per line; ``after`` characters follow it on its last line."""
    plain = json.dumps(value, ensure_ascii=False)
    if column + len(plain) + after <= WIDTH or not isinstance(value, dict | list) or not value:
        return plain
    inner = indent + _STEP
    if isinstance(value, dict):
        keys = [json.dumps(key, ensure_ascii=False) + ": " for key in value]
        parts = [
            key + _written(each, inner, inner + len(key), 1) for key, each in zip(keys, value.values(), strict=True)
        ]
        opening, closing = "{", "}"
    else:
        parts = [_written(each, inner, inner, 1) for each in value]
        opening, closing = "[", "]"
    lines = ",\n".join(" " * inner + part for part in parts)
    return f"{opening}\n{lines}\n{' ' * indent}{closing}"
