"""What it tells that an element is just where the recorded one was.

One that was taken away does not leave as many of its like behind. So what stands in the same place of the same row, one
of as many as before, is the recorded element under whatever name; unless another one has moved up there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sopbench.targeting.comparing import Comparison
from sopbench.targeting.similarity import Candidate, spoken

PLAIN = 0.8
"""Likeness of a wording or an address from which on it tells an element by itself."""
SURELY = 0.9
"""Likeness of the innermost container or of the texts around it from which on it surely is the same place: the next
row may be called much the same."""


def stayed(likeness: Mapping[str, float]) -> bool:
    """Whether it is just where it was, with as many of its like as there were."""
    return all(likeness.get(name) == 1 for name in ("path", "index", "count", "kind", "frame"))


def stays_in_line(likeness: Mapping[str, float]) -> bool:
    """Whether it is, say, still the third of seven: then its position tells it from those that are just alike."""
    return likeness.get("index") == 1 and likeness.get("count") == 1


def is_keyed(likeness: Mapping[str, float]) -> bool:
    """Whether it has the test id or the id of the recorded one."""
    return likeness.get("test_id") == 1 or likeness.get("id") == 1


def settled(compared: Comparison, order: list[int]) -> tuple[list[int], bool]:
    """The order, where one that stayed is called otherwise, and another elsewhere is called as the recorded one was.

    What stood beside the recorded one has only moved up: then it is the one elsewhere. A name that several have tells
    less than the place: then it is the one that stayed. Else it cannot be told, and the second value is True.
    """
    stayer, namesake = _stayer_and_namesake(compared, order)
    if stayer is None or namesake is None or order[0] not in (stayer, namesake):
        return order, False
    if is_keyed(compared.likeness(order[0])):
        return order, False
    if _stood_beside(compared, stayer):
        first = namesake
    elif any(compared.is_as_alike(each, namesake) for each in order if each != namesake):
        first = stayer
    else:
        return order, True
    return [first, *(each for each in order if each != first)], False


def _stayer_and_namesake(compared: Comparison, order: Sequence[int]) -> tuple[int | None, int | None]:
    stayer = namesake = None
    for each in order:
        likeness = compared.likeness(each)
        if "wording" not in likeness:
            return None, None
        is_called_so = likeness["wording"] >= PLAIN and likeness.get("kind") == 1
        is_there = max(likeness.get("inside", 0.0), likeness.get("near", 0.0)) >= SURELY
        if stayer is None and is_there and not is_called_so and stayed(likeness):
            stayer = each
        if namesake is None and is_called_so and not is_there:
            namesake = each
    return stayer, namesake


def _stood_beside(compared: Comparison, place: int) -> bool:
    words = set(spoken(_called(compared.candidates[place])).split())
    return bool(words) and words <= set(spoken(compared.old.near or "").split())


def _called(candidate: Candidate) -> str:
    return str(candidate.get("name") or candidate.get("text") or "")
