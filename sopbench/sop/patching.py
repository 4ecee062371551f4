"""Changing one value in a document's text, and nothing else of it."""

from __future__ import annotations

import json
from typing import Any

from sopbench.sop.positions import Positions

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
