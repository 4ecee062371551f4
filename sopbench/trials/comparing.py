"""Whether the same thing happened twice: two logs of one trial, event by event.

What may differ is written in ``TIMES``, ``OF_A_MOMENT`` and ``_PLACES``, and nowhere else. All the rest must be the
same: which steps, attempts and actions there were, in which order, on what, with which words and values, how each
ended, what was read, asked, answered and decided.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.events.types import Event

TIMES = ("at", "seq")
"""Fields left out wherever they stand, and with them all whose name ends in ``_s``."""
OF_A_MOMENT: dict[str, tuple[str, ...]] = {
    "run_started": ("context.document",),
    "page_seen": ("text", "troubles", "complaints"),
    "target_healed": ("score", "probability", "margin", "candidates", "old.box", "new.box", "picture"),
    "target_unclear": ("candidates", "best", "picture"),
    "exploration_step": ("observation",),
    "action_finished": ("remark",),
    "screenshot_taken": ("path",),
    "artifact_kept": ("path", "sha256", "size"),
}
"""Fields by kind of event that show a page as it was at one moment, or name files; a blink earlier it is another."""
_PLACES = (
    (re.compile(r"(?<=127\.0\.0\.1:)\d+|(?<=localhost:)\d+"), "PORT"),
    (re.compile(r"\b\d+(\.\d+)? ?(s|ms|seconds?)\b"), "TIME"),
    (re.compile(r"(/tmp|/private/tmp|/var/folders)/[^\s'\"”]+"), "FOLDER"),
)
"""What is replaced within texts: ports of this machine, lengths of time, folders for a while."""


@dataclass(frozen=True)
class Difference:
    """The first place where two logs part."""

    one: dict[str, Any] | None
    """The event of the first log, whole; None where it has ended."""
    other: dict[str, Any] | None
    fields: tuple[str, ...] = ()
    """Which of its fields differ; none where the kinds of event do."""


@dataclass(frozen=True)
class Comparison:
    """Two logs beside each other."""

    same: int
    """How many events are the same before they part."""
    events: int
    """How many the first log has."""
    difference: Difference | None
    """None when the same thing happened."""


def compare(one: Sequence[Event], other: Sequence[Event]) -> Comparison:
    """Look for the first difference."""
    for number in range(max(len(one), len(other))):
        first = _data(one[number]) if number < len(one) else None
        second = _data(other[number]) if number < len(other) else None
        if first is None or second is None:
            return Comparison(number, len(one), Difference(first, second))
        if (mine := _compared(first)) != (its := _compared(second)):
            kind = first["type"] == second["type"]
            fields = [name for name in {**mine, **its} if mine.get(name) != its.get(name)] if kind else []
            return Comparison(number, len(one), Difference(first, second, tuple(fields)))
    return Comparison(len(one), len(one), None)


def _data(event: Event) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(event.model_dump_json())
    return data


def _compared(data: dict[str, Any]) -> dict[str, Any]:
    left_out = OF_A_MOMENT.get(data["type"], ())
    told = {name: _timeless(value) for name, value in data.items() if not _is_time(name) and name not in left_out}
    for path in left_out:
        name, dot, inner = path.partition(".")
        if dot and isinstance(told.get(name), dict):
            told[name] = {key: value for key, value in told[name].items() if key != inner}
    return told


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _timeless(each) for name, each in value.items() if not _is_time(name)}
    if isinstance(value, list):
        return [_timeless(each) for each in value]
    if isinstance(value, str):
        for pattern, name in _PLACES:
            value = pattern.sub(name, value)
    return value


def _is_time(name: str) -> bool:
    return name in TIMES or name.endswith("_s")
