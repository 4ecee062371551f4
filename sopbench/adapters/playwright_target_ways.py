"""The targets that may fit an element, from the plainest to the one that only counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sopbench.sop.targets import Target

_CONTAINER = re.compile(r"^(?P<role>\w+)(?: (?P<quote>['\"])(?P<name>.*)(?P=quote))?$", re.DOTALL)
_FORMULA = re.compile(r"\{[{%#]")
_LONGEST = 200
"""A text of this length may have been cut."""
_LONGEST_PLAIN = 80
"""Nobody would tell an element by more text than this."""
_CONTAINERS_TRIED = 3
_CALLED_BY_CONTENT = frozenset({"listitem", "dialog", "alertdialog", "article", "region", "tabpanel"})
_NEVER_BY_ROLE = frozenset({"generic", "presentation", "none", "paragraph"})


def in_order(
    facts: Mapping[str, Any], ways: Mapping[str, str | None], frame: Sequence[str], *, is_read: bool = False
) -> Iterator[Target]:
    """Targets that say what the element's fingerprint and ``ways`` (CSS by ``id``, ``field``, ``path``) say of it.

    One that is to be read is not told by what it says now.
    """
    for given in _plain_ways(_unread(facts) if is_read else facts, ways):
        if not _has_formula(given):
            yield Target(**given, frame=tuple(frame) or None)


def _unread(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    own = {"text", "name"} if facts.get("name") == facts.get("text") else {"text"}
    return {key: value for key, value in facts.items() if key not in own}


def _plain_ways(facts: Mapping[str, Any], ways: Mapping[str, str | None]) -> Iterator[dict[str, Any]]:
    if test_id := facts.get("test_id"):
        yield {"test_id": test_id}
    named = list(_by_name(facts))
    yield from named
    around = list(_around(facts.get("container", ())))
    yield from _inside(named, around)
    said = list(_by_text(facts))
    yield from said
    yield from _inside(said, around)
    for key in ("id", "field", "path"):
        if way := ways.get(key):
            yield {"css": way}


def _by_name(facts: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    role, name = facts.get("role"), facts.get("name")
    if role and name and role not in _NEVER_BY_ROLE:
        yield {"role": role, "name": name, **_exactly(name)}
    for key in ("label", "placeholder"):
        if text := facts.get(key):
            yield {key: text, **_exactly(text)}


def _by_text(facts: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    text, role = facts.get("text"), facts.get("role")
    if not text or len(text) > _LONGEST_PLAIN:
        return
    if role and role not in _NEVER_BY_ROLE:
        yield {"role": role, "text": text, "exact": True}
    yield {"text": text, "exact": True}
    if facts["tag"] == "label":
        yield {"css": "label", "text": text, "exact": True}


def _around(containers: Sequence[str]) -> Iterator[Target]:
    """What it lies in, as targets: by its name if it has one, by a text in it where that may be no name of its own."""
    for said in containers[:_CONTAINERS_TRIED]:
        found = _CONTAINER.match(said)
        if found is None:
            continue
        role, name = found["role"], _unquoted(found["name"], found["quote"])
        if name is None:
            yield Target(role=role)
        elif not _FORMULA.search(name):
            if role != "listitem":
                yield Target(role=role, name=name)
            if role in _CALLED_BY_CONTENT:
                yield Target(role=role, text=name)


def _inside(ways: Sequence[dict[str, Any]], around: Sequence[Target]) -> Iterator[dict[str, Any]]:
    for way in ways[:1]:
        for each in around:
            yield {**way, "within": each}


def _exactly(text: str) -> dict[str, bool]:
    return {} if len(text) >= _LONGEST else {"exact": True}


def _unquoted(name: str | None, quote: str | None) -> str | None:
    return name if name is None or quote != "'" else name.replace("\\'", "'").replace("\\\\", "\\")


def _has_formula(given: Mapping[str, Any]) -> bool:
    return any(isinstance(value, str) and _FORMULA.search(value) for value in given.values())
