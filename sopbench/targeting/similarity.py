"""How alike an element of the page is to a recorded one, attribute by attribute.

A column is one number per candidate, 0 (nothing alike) to 1 (the same). It is NaN throughout when the recorded element
does not know the attribute: no evidence. A candidate comes from a look at the page, so what it lacks is not there: 0.

Attributes that say the same thing in other words are one column, or else a button would be told thrice by its one text:
`wording` is the accessible name, text, label, alternative text, title and placeholder, `kind` is role, tag and type,
`around` is neighbouring text, heading and container.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from sopbench.sop.fingerprint import Box, Fingerprint
from sopbench.targeting.sparse import Sought
from sopbench.targeting.wordings import has_words, spoken, words_around

Column: TypeAlias = NDArray[np.float64]
Candidate: TypeAlias = Mapping[str, Any]

KEYS = ("test_id", "id", "field")
"""What the makers of a page name an element by."""
WORDINGS = ("name", "text", "label", "alt", "title", "placeholder")
KINDS = ("role", "tag", "type")
IDENTITY = (*KEYS, "wording", "href")
"""Columns that tell an element itself, not what stands around it."""

PROOF = ("count", "near", "beside")
"""Columns without weight, on which it depends whether the best candidate is taken. `count`: as many of its like as were
recorded; `near`: the texts around it; `beside`: the share of the words there that the target says it is near."""

NUMBERED = 0.75
"""Likeness of equal ids, test ids and field names with a number in them: it may have been handed out anew."""
REPLACED = 0.7
"""Most that two texts can be alike when a word of one was replaced in the other."""
INFLECTED = 0.7
"""Likeness in letters from which on two words are forms of one."""
NAMED = "'"
"""In a container's words, what its name stands in."""
SAME_PLACE = 0.6
"""Likeness of the innermost container or of the texts around it from which on it is the same place."""
NEAR_PX = 200.0
"""Distance at which `place` has fallen to 1/e."""
LANDMARKS = frozenset({"nav", "header", "footer", "form", "main", "aside", "article", "section", "table", "dialog"})

_PART = re.compile(r"[a-z]+|\d+")
_NUMBER = re.compile(r"\[\d+\]")
_ESCAPED = re.compile(r"%[0-9a-f]{2}")
_COMMON_IN_ADDRESSES = frozenset({"http", "https", "www", "com", "html", "htm"})
_NO_ADDRESS = re.compile(r"^(javascript:.*|[^#]*#|about:blank)?$", re.IGNORECASE)


def similarities(old: Fingerprint, candidates: Sequence[Candidate]) -> dict[str, Column]:
    """One column per attribute, each as long as `candidates`."""
    columns = {key: _each(getattr(old, key), candidates, key, _same_key) for key in KEYS}
    columns["wording"] = _wording(old, candidates)
    columns["href"] = _href(old.href, candidates)
    columns["kind"] = _mean([_each(getattr(old, key), candidates, key, _same) for key in KINDS])
    columns["classes"] = _each(old.classes, candidates, "classes", _shared)
    columns["beside"] = _beside(old, candidates)
    columns["near"] = _near(old, candidates)
    columns["around"] = _mean(
        [
            columns["near"],
            _each(old.heading, candidates, "heading", alike),
            _each(old.container, candidates, "container", _chain),
        ]
    )
    columns["frame"] = _frame(old, candidates)
    columns["path"] = _each(old.path, candidates, "path", Levenshtein.normalized_similarity)
    columns["landmarks"] = _landmarks(old.path, candidates)
    columns["index"] = _equal(old.index, candidates, "index")
    columns["count"] = _equal(old.of, candidates, "of")
    columns["inside"] = _inside(old, candidates)
    return columns | _geometry(old.box, candidates)


def alike(one: str, other: str) -> float:
    """How alike two texts are: half by their letters, half by the words they share; capital letters do not count.

    With a word put in the place of another they are at most `REPLACED` alike, however long the rest: *remove item 12*
    is not *remove item 13*.
    """
    left, right = spoken(one), spoken(other)
    if left == right:
        return 1.0
    words, others = set(left.split()), set(right.split())
    shared = 2 * len(words & others) / (len(words) + len(others))
    score = 0.95 * (Levenshtein.normalized_similarity(left, right) + shared) / 2
    return min(score, REPLACED) if score > REPLACED and _replaced(words - others, others - words) else score


def _replaced(gone: set[str], come: set[str]) -> bool:
    return bool(gone and come) and not all(any(_inflected(word, new) for new in come) for word in gone)


def _inflected(word: str, other: str) -> bool:
    return word.isalpha() and other.isalpha() and Levenshtein.normalized_similarity(word, other) >= INFLECTED


def nested(one: Candidate, other: Candidate) -> bool:
    """Whether one lies directly in the other, so that a click on either is a click on both."""
    if one.get("frame") != other.get("frame") or one.get("shadow") != other.get("shadow"):
        return False
    path, another = one.get("path") or "", other.get("path") or ""
    return bool(path and another) and (path.rpartition("/")[0] == another or another.rpartition("/")[0] == path)


def _each(value: Any, candidates: Sequence[Candidate], key: str, measure: Callable[[Any, Any], float]) -> Column:
    if not value:
        return _unknown(candidates)
    found: dict[Any, float] = {None: 0.0}
    column = []
    for candidate in candidates:
        theirs = candidate.get(key)
        if isinstance(theirs, list):
            theirs = tuple(theirs)
        if theirs not in found:
            found[theirs] = measure(value, theirs) if theirs else 0.0
        column.append(found[theirs])
    return np.array(column)


def _unknown(candidates: Sequence[Candidate]) -> Column:
    return np.full(len(candidates), np.nan)


def _mean(columns: Iterable[Column]) -> Column:
    """Mean of the columns that are known."""
    every = list(columns)
    known = [column for column in every if not np.isnan(column).any()]
    return np.mean(known, axis=0) if known else every[0]


def _same(one: str, other: str) -> float:
    return float(one.casefold() == other.casefold())


def _same_key(one: str, other: str) -> float:
    if one.casefold() != other.casefold():
        return 0.0
    return NUMBERED if any(letter.isdigit() for letter in one) else 1.0


def _shared(one: Sequence[str], other: Sequence[str]) -> float:
    left, right = {item.lower() for item in one}, {item.lower() for item in other}
    return 2 * len(left & right) / (len(left) + len(right))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.casefold().split())


def _words_shared(words: frozenset[str], text: str) -> float:
    others = _words(text)
    return 2 * len(words & others) / (len(words) + len(others)) if others else 0.0


def _near(old: Fingerprint, candidates: Sequence[Candidate]) -> Column:
    """The texts around it: what the target says of them today goes over what was recorded."""
    said = _beside(old, candidates)
    return _each(old.near and _words(old.near), candidates, "near", _words_shared) if np.isnan(said).any() else said


def _beside(old: Fingerprint, candidates: Sequence[Candidate]) -> Column:
    if not isinstance(old, Sought) or not old.beside:
        return _unknown(candidates)
    words = frozenset(spoken(old.beside).split())
    return np.array([len(words & words_around(each)) / len(words) for each in candidates])


def _chain(one: Sequence[str], other: Sequence[str]) -> float:
    """How alike two chains of containers are; the innermost weighs as much as all others together."""
    return (alike(one[0], _counterparts(one[0], other)[0]) + _shared(one, other)) / 2


def _wording(old: Fingerprint, candidates: Sequence[Candidate]) -> Column:
    """Each wording of the old element once, against the attributes it stood in; name and text may change places.

    A sign without a letter, as on many a button, says nothing beside words. Whatever else agrees, it is no more alike
    than its accessible name is: *Add…* labelled "Add record" is not *Add…* labelled "Add template".
    """
    stood: dict[str, set[str]] = {}
    worded = any(has_words(getattr(old, key)) for key in WORDINGS)
    for key in WORDINGS:
        value = getattr(old, key)
        if value and (has_words(value) or not worded):
            stood.setdefault(spoken(value), set()).update(("name", "text") if key in ("name", "text") else (key,))
    columns = {
        value: np.max([_each(value, candidates, key, alike) for key in sorted(keys)], axis=0)
        for value, keys in stood.items()
    }
    if not columns:
        return _unknown(candidates)
    mean = _mean(columns.values())
    return np.minimum(mean, columns[spoken(old.name)]) if old.name and spoken(old.name) in columns else mean


def _href(href: str | None, candidates: Sequence[Candidate]) -> Column:
    """Parts of the address that both have; a part that many addresses of the page have counts little."""
    if not is_address(href):
        return _unknown(candidates)
    ours = _parts(href or "")
    theirs = [_parts(candidate.get("href") or "") for candidate in candidates]
    spread = Counter(part for parts in theirs for part in parts)
    weight = {part: 1 + math.log((len(theirs) + 1) / (spread[part] + 1)) for part in {*spread, *ours}}
    total = sum(weight[part] for part in ours)
    column = []
    for parts in theirs:
        shared = sum(weight[part] for part in ours & parts)
        every = total + sum(weight[part] for part in parts) - shared
        column.append(shared / every if every else 0.0)
    return np.array(column)


def is_address(href: str | None) -> bool:
    """Whether it leads somewhere: ``#`` and ``javascript:`` lead nowhere and tell nothing."""
    return bool(href) and not _NO_ADDRESS.match(href or "")


@lru_cache(maxsize=8192)
def _parts(href: str) -> frozenset[str]:
    return frozenset(_PART.findall(_ESCAPED.sub(" ", href.lower()))) - _COMMON_IN_ADDRESSES


def _frame(old: Fingerprint, candidates: Sequence[Candidate]) -> Column:
    """Same frames and shadow roots; known only where the old element's place is known at all."""
    if not (old.path or old.frame or old.shadow):
        return _unknown(candidates)
    ours = (tuple(old.frame), tuple(old.shadow))
    return np.array(
        [float((tuple(each.get("frame") or ()), tuple(each.get("shadow") or ())) == ours) for each in candidates]
    )


def _landmarks(path: str | None, candidates: Sequence[Candidate]) -> Column:
    """Same landmarks on the way from the root: a link of the footer is not the one of the header."""
    ours = _landmarks_of(path or "")
    if not ours:
        return _unknown(candidates)
    theirs = [_landmarks_of(candidate.get("path") or "") for candidate in candidates]
    return np.array([len(ours & each) / len(ours | each) for each in theirs])


@lru_cache(maxsize=8192)
def _landmarks_of(path: str) -> frozenset[str]:
    return LANDMARKS & set(_NUMBER.sub("", path).lower().split("/"))


def _equal(value: int | None, candidates: Sequence[Candidate], key: str) -> Column:
    if value is None:
        return _unknown(candidates)
    return np.array([float(each.get(key) == value) for each in candidates])


def _inside(old: Fingerprint, candidates: Sequence[Candidate]) -> Column:
    """Whether it lies in the same row, dialog, form: by the name of the innermost container that has one other than the
    element's own words; in a full recording without such a name, by the texts around it and the heading above.
    """
    ours = _container(old.container[:1], old.name, old.text)
    if ours:
        return np.array([_most_inside(ours, each) for each in candidates])
    if old.of is None:
        return _unknown(candidates)
    near = _near(old, candidates)
    heading = _each(old.heading, candidates, "heading", alike)
    return near if np.isnan(heading).any() else heading if np.isnan(near).any() else np.minimum(near, heading)


def _most_inside(ours: str, candidate: Candidate) -> float:
    around = candidate.get("container") or ()
    named = _container(_counterparts(ours, around), candidate.get("name"), candidate.get("text"))
    return alike(ours, named) if named else 0.0


def named_otherwise(old: Fingerprint, candidate: Candidate) -> bool:
    """Whether what it lies in has another name than what the old one lay in."""
    ours = _container(old.container[:1], old.name, old.text)
    theirs = _container(_counterparts(ours, candidate.get("container") or ()), candidate.get("name"))
    return bool(ours and theirs) and alike(ours, theirs) < SAME_PLACE


def _counterparts(ours: str, around: Sequence[str]) -> Sequence[str]:
    """The innermost container of the same kind, then the innermost one.

    A group may have been put around the element in its row; but a row in that row is another one.
    """
    kind = ours.partition(" ")[0]
    return [*[each for each in around if each.partition(" ")[0] == kind][:1], *around[:1]]


def _container(containers: Sequence[str], *own: str | None) -> str:
    """The words of the first that has a name, unless that is what the element itself says."""
    named = [each for each in containers if NAMED in each]
    told = {spoken(each) for each in own if each}
    return next((each for each in named if spoken(each.partition(" ")[2]) not in told), "")


def _geometry(box: Box | None, candidates: Sequence[Candidate]) -> dict[str, Column]:
    if box is None:
        return {"place": _unknown(candidates), "area": _unknown(candidates), "shape": _unknown(candidates)}
    nowhere = {"x": -1e6, "y": -1e6, "width": 1.0, "height": 1.0}
    boxes = [candidate.get("box") or nowhere for candidate in candidates]
    x, y = (np.array([each[side] for each in boxes], dtype=float) for side in ("x", "y"))
    width, height = (np.maximum(1.0, [each[side] for each in boxes]) for side in ("width", "height"))
    ours = max(1.0, box.width), max(1.0, box.height)
    return {
        "place": np.exp(-np.hypot(x - box.x, y - box.y) / NEAR_PX),
        "area": _ratio(width * height, ours[0] * ours[1]),
        "shape": _ratio(width / height, ours[0] / ours[1]),
    }


def _ratio(values: Column, value: float) -> Column:
    return np.minimum(values, value) / np.maximum(values, value)
