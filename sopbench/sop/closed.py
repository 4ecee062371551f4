"""Which parts of an answer can be compared: what is chosen or counted, not what is written freely."""

from __future__ import annotations

from typing import Any

_CLOSED = frozenset({"boolean", "integer", "number", "null"})


def closed_fields(schema: dict[str, Any]) -> tuple[str, ...]:
    """Of the fields of an object with this JSON Schema, those that leave nothing to be worded."""
    return tuple(name for name, field in schema.get("properties", {}).items() if _is_closed(field))


def _is_closed(schema: Any) -> bool:
    if not isinstance(schema, dict):
        return False
    if "enum" in schema or "const" in schema:
        return True
    kinds = schema.get("type", ())
    kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    if "array" in kinds and _is_closed(schema.get("items")):
        kinds.discard("array")
        return kinds <= _CLOSED
    return bool(kinds) and kinds <= _CLOSED
