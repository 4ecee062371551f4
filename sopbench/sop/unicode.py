"""Text that can be written down. A page may cut an emoji in half; what is left of it is no Unicode."""

from __future__ import annotations

from typing import Any


def well_formed(value: Any) -> Any:
    """The same plain data with U+FFFD for every half of a character."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {well_formed(key): well_formed(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [well_formed(item) for item in value]
    return value
