"""Candidates in words, for people and models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

NONE = "none"
"""The answer that takes none of them."""
_CALLED_BY = ("name", "label", "text", "placeholder", "title", "alt", "test_id", "id", "href")
_LONGEST = 60


def says(facts: Mapping[str, Any]) -> str:
    """One element as a person would say it: ``button 'Store' in dialog 'Edit', under 'Account'``."""
    called = next((str(facts[key]) for key in _CALLED_BY if facts.get(key)), "")
    words = [str(facts.get("role") or facts.get("tag") or "element")]
    if called:
        words.append(repr(called if len(called) <= _LONGEST else called[: _LONGEST - 1] + "…"))
    if container := facts.get("container"):
        words.append(f"in {container[0]}")
    if heading := facts.get("heading"):
        words.append(f"under {heading!r}")
    return " ".join(words)


def menu(elements: Sequence[Mapping[str, Any]], numbers: Iterable[int]) -> str:
    """One line each, by number."""
    return "\n".join(f"{number}: {says(elements[number])}" for number in numbers)
