"""What can be read from the steps of a DevTools recording by themselves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from sopbench.sop.recordings.devtools_selectors import Selectors, alternatives, words_of
from sopbench.sop.recordings.recorded import MAIN_TAB, Json, looks_secret

_KEPT = ("offsetX", "offsetY", "duration", "deviceType", "timeout", "button", "x", "y")


def filled(steps: Sequence[Any]) -> frozenset[str]:
    """Selectors of elements that something is typed into."""
    return frozenset(word for each in _changes(steps) for word in words_of(alternatives(each.get("selectors"))))


def secrets(steps: Sequence[Any]) -> frozenset[str]:
    """What is typed into secret fields; the recorder tells parts of it as their text."""
    secret = (each for each in _changes(steps) if looks_secret(*words_of(alternatives(each.get("selectors")))))
    return frozenset(each["value"] for each in secret if isinstance(each.get("value"), str) and each["value"])


def number(step: Json, key: str) -> float | None:
    """A finite number, if that is what stands there."""
    value = step.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def kept(step: Json, selectors: Selectors, *, is_secret: bool) -> Json:
    """What healing may use one day. The text of a secret field is its secret."""
    told = [list(each) for each in selectors if not (is_secret and each[-1].startswith("text/"))]
    told = [each for each in told if not each[0].startswith("pierce/") or _without_prefix(each) not in told]
    found: Json = {"selectors": told} if told else {}
    found |= {key: step[key] for key in _KEPT if isinstance(step.get(key), str | int | float)}
    target = step.get("target")
    return found | ({"target": target} if isinstance(target, str) and target != MAIN_TAB else {})


def _without_prefix(parts: list[str]) -> list[str]:
    return [each.removeprefix("pierce/") for each in parts]


def _changes(steps: Sequence[Any]) -> Iterator[Json]:
    return (each for each in steps if isinstance(each, dict) and each.get("type") == "change")
