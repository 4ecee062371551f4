"""The few candidates of a big page that are worth a close look, found with cheap measures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from sopbench.sop.fingerprint import Fingerprint
from sopbench.targeting.similarity import KEYS, WORDINGS, Candidate, Column

SIZE = 200
"""A page with no more candidates is looked at whole."""
_EQUAL = {**dict.fromkeys(KEYS, 8.0), "href": 4.0, "tag": 1.0}
"""What an equal attribute counts."""
_WORDING, _PATH = 8.0, 3.0
"""What an alike wording and an alike path count."""


def shortlist(old: Fingerprint, candidates: Sequence[Candidate], size: int = SIZE) -> list[int]:
    """Numbers of at most `size` candidates, in the order of the page."""
    if len(candidates) <= size:
        return list(range(len(candidates)))
    likely = _likely(old, candidates)
    threshold = np.partition(likely, -size)[-size]
    above = np.flatnonzero(likely > threshold)
    level = np.flatnonzero(likely == threshold)[: size - len(above)]
    return [int(number) for number in np.sort(np.concatenate([above, level]))]


def _likely(old: Fingerprint, candidates: Sequence[Candidate]) -> Column:
    """Weighted sum of equal keys, and of the likeness in letters of the first wording that is known and of the path."""
    equal = [key for key in _EQUAL if getattr(old, key)]
    alike = [*[key for key in WORDINGS if getattr(old, key)][:1], *(["path"] if old.path else [])]
    score = np.zeros(len(candidates))
    for key, column in zip((*equal, *alike), _columns(candidates, *equal, *alike), strict=True):
        value = getattr(old, key)
        if key in equal:
            score[_places(value, column)] += _EQUAL[key]
        else:
            weight = _PATH if key == "path" else _WORDING
            score += weight * cdist([value], column, scorer=Indel.normalized_similarity, dtype=np.float32)[0]
    return score


def _places(value: str, column: Sequence[str | None]) -> list[int]:
    places: list[int] = []
    for _ in range(column.count(value)):
        places.append(column.index(value, places[-1] + 1 if places else 0))
    return places


def _columns(candidates: Sequence[Candidate], *keys: str) -> list[tuple[str | None, ...]]:
    """Attribute by attribute; each candidate is touched once, which on a big page is what costs."""
    if not keys:
        return []
    return list(zip(*[tuple(map(each.get, keys)) for each in candidates], strict=True))
