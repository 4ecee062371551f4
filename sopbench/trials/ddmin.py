"""The smallest part of a whole that still makes it fail: delta debugging, *ddmin*.

A. Zeller, R. Hildebrandt: Simplifying and Isolating Failure-Inducing Input. IEEE Transactions on Software Engineering
28 (2), 2002, 183-200, figure 5. The answer is 1-minimal: without any single member of it, it does not fail any more. It
takes at most n² + 3n tests of n members, and 2·log₂ n where one member alone is to blame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")


def ddmin(whole: Sequence[T], fails: Callable[[tuple[T, ...]], bool]) -> tuple[T, ...]:
    """A 1-minimal part of ``whole`` that fails, in its order. ``whole`` itself must fail, and nothing must not.

    No part is tried twice.
    """
    tried: dict[tuple[int, ...], bool] = {}

    def failing(part: tuple[int, ...]) -> bool:
        if part not in tried:
            tried[part] = fails(tuple(whole[at] for at in part))
        return tried[part]

    part, parts = tuple(range(len(whole))), 2
    while len(part) >= 2:
        subsets = _split(part, parts)
        complements = [tuple(at for at in part if at not in subset) for subset in subsets]
        if smaller := next((each for each in subsets if failing(each)), None):
            part, parts = smaller, 2
        elif parts > 2 and (smaller := next((each for each in complements if failing(each)), None)):
            part, parts = smaller, max(parts - 1, 2)
        elif parts < len(part):
            parts = min(len(part), 2 * parts)
        else:
            break
    return tuple(whole[at] for at in part)


def _split(part: tuple[int, ...], parts: int) -> list[tuple[int, ...]]:
    """In so many pieces, as equal as can be."""
    size, more = divmod(len(part), parts)
    pieces, start = [], 0
    for number in range(parts):
        end = start + size + (number < more)
        pieces.append(part[start:end])
        start = end
    return [piece for piece in pieces if piece]
