"""Pairs of old and new elements of real web pages, in the format of `similo`, as fingerprints and candidates."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sopbench.sop.fingerprint import Fingerprint

Json = dict[str, Any]


@dataclass(frozen=True)
class Pair:
    """One element of the old page and which candidates of the new one are it."""

    site: str
    number: int
    """Position among the pairs of its site, from 0."""
    raw: Json
    """The old element as the file has it."""
    old: Fingerprint
    meant: str
    """XPath of the candidate that a person found to be the same one."""
    right: frozenset[int]
    """Numbers of the candidates that count as right: the labelled one, its parent, and what lies directly in it."""

    def meant_by(self, xpaths: Iterable[str]) -> bool:
        """Whether one of them counts as right."""
        return any(is_right(xpath, self.meant) for xpath in xpaths)


@dataclass(frozen=True)
class Page:
    """One site: its pairs, and the elements of its new page."""

    site: str
    pairs: tuple[Pair, ...]
    candidates: tuple[Json, ...]
    raw: tuple[Json, ...]
    """The candidates as the file has them."""


def read(path: Path) -> list[Page]:
    """Every site of a `.jsonl` or `.jsonl.gz` file."""
    packed = path.read_bytes()
    lines = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode().splitlines()
    return [_page(json.loads(line)) for line in lines if line.strip()]


def facts(element: Json) -> Json:
    """An element as a candidate. What a fingerprint has no place for (`isButton`, `idxpath`) is left out."""
    place = element.get("location")
    found = {
        "tag": element.get("tag", "").lower(),
        "id": element.get("id"),
        "field": element.get("name"),
        "name": element.get("ariaLabel"),
        "type": element.get("type"),
        "classes": element.get("classList"),
        "href": element.get("href"),
        "alt": element.get("alt"),
        "text": " ".join(element.get("visibleText") or ()),
        "near": " ".join(element.get("neighborText") or ()),
        "path": element.get("xpath"),
        "box": place and {**place, "width": max(0, place["width"]), "height": max(0, place["height"])},
    }
    return {key: value for key, value in found.items() if value}


def is_right(xpath: str, meant: str) -> bool:
    """Whether a click there is a click on the meant one: itself, its direct parent, or one level below it."""
    return xpath == meant or meant.rpartition("/")[0] == xpath or xpath.rpartition("/")[0] == meant


def _page(line: Json) -> Page:
    raw = tuple(line["candidates"])
    pairs = tuple(
        Pair(
            line["site"],
            number,
            pair["old"],
            Fingerprint.model_validate(facts(pair["old"])),
            pair["new_xpath"],
            frozenset(i for i, each in enumerate(raw) if is_right(each["xpath"], pair["new_xpath"])),
        )
        for number, pair in enumerate(line["pairs"])
    )
    return Page(line["site"], pairs, tuple(facts(each) for each in raw), raw)
