"""The documents of a page, one in the other, read as one: as a person sees them, a frame is no border."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sopbench.adapters.candidate_columns import Told

_LONGEST = 200
_CONTAINERS_TOLD = 6


@dataclass(frozen=True, eq=False)
class Document:
    """What a look at one document told, and the documents in its iframes."""

    told: Told
    inside: dict[int, Document] = field(default_factory=dict)
    """By the number of the iframe, in document order."""


def join(top: Document) -> None:
    """Count every element among its like on the whole page, and tell what stands around those in an iframe.

    Changes the elements that were told of.
    """
    if top.inside:
        _surround(top, {})
        _count(top, Counter(), _totals(top))


def _totals(document: Document) -> Counter[str]:
    return sum((_totals(each) for each in document.inside.values()), Counter(document.told.roles))


def _count(document: Document, before: Mapping[str, int], of: Mapping[str, int]) -> None:
    """``before``: how many of each role come before the document."""
    inner = [(Counter(document.told.holds[number]["before"]), each) for number, each in sorted(document.inside.items())]
    totals = [_totals(each) for _, each in inner]
    for facts in document.told.elements:
        if "of" not in facts:
            continue
        role, own = facts.get("role") or facts["tag"], facts["index"]
        passed = sum(total[role] for (ahead, _), total in zip(inner, totals, strict=True) if ahead[role] <= own)
        facts["index"] = before.get(role, 0) + own + passed
        facts["of"] = of[role]
    reached = Counter(before)
    for (ahead, each), total in zip(inner, totals, strict=True):
        _count(each, reached + ahead, of)
        reached += total


def _surround(document: Document, around: Mapping[str, Any]) -> None:
    """``around``: what stands around the iframe the document is in."""
    for facts in document.told.elements:
        _put(facts, around)
    for number, each in document.inside.items():
        own = document.told.holds[number]
        _surround(each, _put({key: own[key] for key in ("heading", "container", "near", "path") if own[key]}, around))


def _put(facts: dict[str, Any], around: Mapping[str, Any]) -> dict[str, Any]:
    for key in ("heading", "near"):
        if around.get(key):
            facts.setdefault(key, around[key][:_LONGEST])
    if around:
        facts["path"] = f"{around['path']}/{facts['path']}"
    if around.get("container"):
        facts["container"] = [*_list(facts.get("container")), *around["container"]][:_CONTAINERS_TOLD]
    return facts


def _list(value: Sequence[str] | None) -> Sequence[str]:
    return value or ()
