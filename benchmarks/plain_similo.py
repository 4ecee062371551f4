"""Similo as it was published: weights of the paper (Nass et al., arXiv 2208.00677), one measure for each attribute.

Tag, id, name, visible text and neighbouring text weigh 1.5, all else 0.5. Equality for tag, id, name and whether it
is a button; Levenshtein for texts, classes, addresses and paths; share of common words for neighbouring text;
distance up to 100 px for the position; ratio of the smaller to the larger for area and shape.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rapidfuzz.distance import Levenshtein

Json = dict[str, Any]

TEXTS = {"classList": 0.5, "href": 0.5, "alt": 0.5, "xpath": 0.5, "idxpath": 0.5, "visibleText": 1.5}


def similo(old: Json, candidates: Sequence[Json]) -> list[float]:
    """Score of each candidate; higher is more alike."""
    return [_score(old, each) for each in candidates]


def _score(old: Json, new: Json) -> float:
    score = sum(1.5 for key in ("tag", "id", "name") if key in old and _low(old[key]) == _low(new.get(key)))
    for key, weight in TEXTS.items():
        if old.get(key) and new.get(key):
            score += weight * Levenshtein.normalized_similarity(_low(old[key]), _low(new[key]))
    score += 1.5 * _common_words(old.get("neighborText") or (), new.get("neighborText") or ())
    score += 0.5 * (old.get("isButton") == new.get("isButton"))
    here, there = old["location"], new["location"]
    score += 0.5 * max(0.0, 1 - math.hypot(here["x"] - there["x"], here["y"] - there["y"]) / 100)
    for key in ("area", "shape"):
        if old.get(key) and new.get(key):
            score += 0.5 * min(old[key], new[key]) / max(old[key], new[key])
    return score


def _common_words(one: Sequence[str], other: Sequence[str]) -> float:
    left, right = {_low(word) for word in one}, {_low(word) for word in other}
    return len(left & right) / max(len(left), len(right)) if left and right else 0.0


def _low(value: str | Sequence[str] | None) -> str:
    return (value if isinstance(value, str) else " ".join(value or ())).lower()
