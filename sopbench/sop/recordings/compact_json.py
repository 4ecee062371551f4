"""JSON as people write it: what fits in a line stands in a line."""

from __future__ import annotations

import json
from typing import Any

_WIDTH = 120


def dumps(value: Any, *, depth: int = 0, before: int = 0) -> str:
    """``value`` as JSON, indented by 2; ``before`` characters of its first line are taken already."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or (depth > 1 and 2 * depth + before + len(flat) < _WIDTH):
        return flat
    if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value) and len(flat) < 2 * _WIDTH:
        return flat
    inner, end = "  " * (depth + 1), "  " * depth
    if isinstance(value, list):
        items = [inner + dumps(each, depth=depth + 1) for each in value]
        return "[\n" + ",\n".join(items) + f"\n{end}]"
    pairs = []
    for key, held in value.items():
        start = f"{json.dumps(key, ensure_ascii=False)}: "
        pairs.append(inner + start + dumps(held, depth=depth + 1, before=len(start)))
    return "{\n" + ",\n".join(pairs) + f"\n{end}}}"
