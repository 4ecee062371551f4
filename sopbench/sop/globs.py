"""Patterns in which ``*`` stands for any characters, and nothing else has a meaning of its own."""

from __future__ import annotations

from functools import lru_cache

from sopbench.sop.meaning import plain


def fits(pattern: str, text: str) -> bool:
    """Whether the whole text fits the pattern. Case, kinds and numbers of blanks, and line ends do not count.

    Takes time in proportion to the text, whatever the pattern.
    """
    begin, *rest = _pieces(pattern)
    text = _folded(text)
    if not rest:
        return text == begin
    if not text.startswith(begin):
        return False
    *middle, end = rest
    at = len(begin)
    for part in middle:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(text) - len(end) >= at and text.endswith(end)


def fits_any(patterns: str | tuple[str, ...], text: str) -> bool:
    """Whether the text fits the pattern, or one of several."""
    return any(fits(pattern, text) for pattern in ((patterns,) if isinstance(patterns, str) else patterns))


@lru_cache(maxsize=4096)
def _pieces(pattern: str) -> tuple[str, ...]:
    return tuple(_folded(pattern).split("*"))


def _folded(text: str) -> str:
    return " ".join(plain(text).split()).casefold()
