"""What a look at a page brought over, made into fingerprints as plain data.

Thousands of elements share most of their words, so they come as columns of numbers: of strings, of lists of strings, of
paths, and of places in the one visible text of the page.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sopbench.sop.unicode import well_formed

_HALF_A_CHARACTER = "\\ud"
"""How JSON writes one."""


@dataclass(frozen=True)
class Told:
    """What one look at one document brought over."""

    elements: Sequence[dict[str, Any]]
    """Fingerprints as plain data, in document order; what is not there is not said."""
    roles: Mapping[str, int]
    """How many elements of each role were seen."""
    holds: Sequence[Mapping[str, Any]]
    """Its iframes: ``before`` says how many elements of each role come before it; the rest is what stands around it."""


def read(told: str) -> Told:
    """What the page wrote, in Python's own terms."""
    data = json.loads(told)
    paths = _paths(data["paths"], data["strings"])
    holds = [{**each, "path": paths[each["path"]]} for each in data["holds"]]
    return Told(_elements(data, told, paths), data["roles"], well_formed(holds))


def read_brief(told: str) -> tuple[int, dict[str, list[str | None]]]:
    """How many elements there are, and a few attributes of each; None where it has none."""
    data = json.loads(told)
    strings = well_formed(data["strings"]) if _HALF_A_CHARACTER in told else data["strings"]
    columns: dict[str, list[str | None]] = {}
    for key, (places, numbers) in data["columns"].items():
        columns[key] = [None] * data["count"]
        for place, number in zip(places, numbers, strict=True):
            columns[key][place] = strings[number]
    if data["path"]:
        paths = _paths(data["paths"], strings)
        columns["path"] = [paths[number] for number in data["path"]]
    return data["count"], columns


def _elements(data: dict[str, Any], told: str, paths: Sequence[str]) -> list[dict[str, Any]]:
    """In the order of the columns; what a column does not say of an element is not there."""
    columns = data["columns"]
    page = data["page"]
    split = any(character > "\uffff" for character in page) if not page.isascii() else False
    found: list[dict[str, Any]] = [{} for _ in range(data["count"])]
    for kind in ("strings", "lists"):
        values = data[kind]
        for key, (places, numbers) in columns[kind].items():
            for place, number in zip(places, numbers, strict=True):
                found[place][key] = values[number]
    for facts, number in zip(found, columns["path"], strict=True):
        facts["path"] = paths[number]
    _put_texts(found, _by_units(page) if split else page, columns)
    _put_places(found, columns)
    return well_formed(found) if split or _HALF_A_CHARACTER in told else found


def _put_texts(found: Sequence[dict[str, Any]], page: str, columns: dict[str, Any]) -> None:
    for facts, (start, end) in zip(found, _in_groups(columns["text"], 2), strict=True):
        if start != end:
            facts["text"] = page[start:end]
    for facts, (start, end, then, until) in zip(found, _in_groups(columns["near"], 4), strict=True):
        if start != end:
            facts["near"] = f"{page[start:end]} {page[then:until]}" if then != until else page[start:end]
        elif then != until:
            facts["near"] = page[then:until]


def _put_places(found: Sequence[dict[str, Any]], columns: dict[str, Any]) -> None:
    for facts, (x, y, width, height) in zip(found, _in_groups(columns["box"], 4), strict=True):
        if width >= 0:
            facts["box"] = {"x": x, "y": y, "width": width, "height": height}
    for facts, (index, of) in zip(found, _in_groups(columns["index"], 2), strict=True):
        if of:
            facts["index"] = index
            facts["of"] = of


def _paths(steps: Sequence[tuple[int, int]], strings: Sequence[str]) -> list[str]:
    """Each goes on from one before it; the first is the root."""
    paths = [""]
    for above, step in steps[1:]:
        paths.append(paths[above] + strings[step])
    return paths


def _in_groups(column: Sequence[Any], size: int) -> Iterator[tuple[Any, ...]]:
    return zip(*[iter(column)] * size, strict=True)


def _by_units(text: str) -> str:
    """With a character for every unit of UTF-16, as the page counts; ``well_formed`` joins them again."""
    return "".join(map(chr, array("H", text.encode("utf-16-le", "surrogatepass"))))
