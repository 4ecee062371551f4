"""Words as they are compared, and the words that stand around an element."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

_WORD = re.compile(r"\w+")


@lru_cache(maxsize=8192)
def spoken(text: str) -> str:
    """The words of a text without capitals and punctuation; the text itself when it has none."""
    folded = text.casefold()
    return " ".join(_WORD.findall(folded)) or folded


def has_words(text: str | None) -> bool:
    return bool(text and _WORD.search(text))


def words_around(element: Mapping[str, Any]) -> frozenset[str]:
    """Of the texts around it, the heading above, and the names of what it lies in."""
    around = (element.get("near"), element.get("heading"), *(element.get("container") or ()))
    return frozenset(word for text in around if text for word in spoken(text).split())


def stands_beside(element: Mapping[str, Any], words: str) -> bool:
    """Whether all of the words stand around it."""
    return set(spoken(words).split()) <= words_around(element)
