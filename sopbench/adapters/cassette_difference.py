"""How a question differs from the recorded one that is nearest to it: the reader of a miss wants to see just that."""

from __future__ import annotations

import json
from difflib import SequenceMatcher, unified_diff
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PLACES_SHOWN = 3
_LINES_SHOWN = 8
_BEFORE = 30
_LONGEST = 120


def nearest(asked: Any, recorded: Sequence[Any]) -> Any:
    """The recorded question most like the asked one. Both are request bodies; ``recorded`` is not empty."""
    return max(recorded, key=lambda question: _likeness(question, asked))


def difference(recorded: Any, asked: Any) -> str:
    """Where two questions differ, place by place: ``messages[0].content: recorded “…”, asked “…”``."""
    places = list(_differing("", recorded, asked))
    shown = [f"{path}: {_excerpt(old, new)}" for path, old, new in places[:_PLACES_SHOWN]]
    if len(places) > _PLACES_SHOWN:
        shown.append(f"and {len(places) - _PLACES_SHOWN} places more")
    return "; ".join(shown)


def _likeness(one: Any, other: Any) -> float:
    """0 to the number of parts: each of the body's parts counts by the share of words it has in common."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return float(one == other)
    return sum(_share(one.get(key), other.get(key)) for key in one.keys() | other.keys())


def _share(one: Any, other: Any) -> float:
    if one == other:
        return 1.0
    return SequenceMatcher(None, _text(one).split(), _text(other).split()).ratio()


def _differing(path: str, old: Any, new: Any) -> Iterator[tuple[str, Any, Any]]:
    """The smallest parts that differ, each with its path; what one side lacks is None."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from _differing(f"{path}.{key}" if path else key, old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, pair in enumerate(zip(old, new, strict=True)):
            yield from _differing(f"{path}[{index}]", *pair)
    elif old != new:
        yield path, old, new


def _excerpt(old: Any, new: Any) -> str:
    old_text, new_text = _text(old), _text(new)
    if "\n" not in old_text or "\n" not in new_text:
        start = max(_first_difference(old_text, new_text) - _BEFORE, 0)
        return f"recorded “{_window(old_text, start)}”, asked “{_window(new_text, start)}”"
    return "recorded (-), asked (+)\n" + "\n".join(_changed_lines(old_text.splitlines(), new_text.splitlines()))


def _changed_lines(old: list[str], new: list[str]) -> list[str]:
    changed = [line for line in unified_diff(old, new, n=0, lineterm="") if not line.startswith(("---", "+++", "@@"))]
    shown = [f"    {line[0]} {_window(line[1:], 0)}" for line in changed[:_LINES_SHOWN]]
    if len(changed) > _LINES_SHOWN:
        shown.append(f"    … and {len(changed) - _LINES_SHOWN} lines more")
    return shown


def _window(text: str, start: int) -> str:
    end = start + _LONGEST
    return ("…" if start else "") + text[start:end] + ("…" if len(text) > end else "")


def _first_difference(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def _text(value: Any) -> str:
    if value is None:
        return "nothing"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
