"""The few candidates of a big page that are worth a close look, found with cheap measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    keys = asked_for(old)
    return likeliest(old, len(candidates), dict(zip(keys, _columns(candidates, keys), strict=True)), size)


def asked_for(old: Fingerprint) -> list[str]:
    """The attributes by which a shortlist is made."""
    equal = [key for key in _EQUAL if getattr(old, key)]
    wording = [key for key in WORDINGS if getattr(old, key)][:1]
    return [*equal, *wording, *(["path"] if old.path else [])]


def likeliest(old: Fingerprint, count: int, columns: Mapping[str, Sequence[str | None]], size: int = SIZE) -> list[int]:
    """The same by columns of the attributes that are ``asked_for``, with a value for each of ``count`` candidates."""
    if count <= size:
        return list(range(count))
    likely = _likely(old, count, columns)
    threshold = np.partition(likely, -size)[-size]
    above = np.flatnonzero(likely > threshold)
    level = np.flatnonzero(likely == threshold)[: size - len(above)]
    return [int(number) for number in np.sort(np.concatenate([above, level]))]


def _likely(old: Fingerprint, count: int, columns: Mapping[str, Sequence[str | None]]) -> Column:
    """Weighted sum of equal keys, and of the likeness in letters of the first wording that is known and of the path."""
    score = np.zeros(count)
    for key, column in columns.items():
        value = getattr(old, key)
        if key in _EQUAL:
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


def _columns(candidates: Sequence[Candidate], keys: Sequence[str]) -> list[tuple[str | None, ...]]:
    """Attribute by attribute; each candidate is touched once, which on a big page is what costs."""
    if not keys:
        return []
    return list(zip(*[tuple(map(each.get, keys)) for each in candidates], strict=True))
