"""What it tells that an element is just where the recorded one was.

One that was taken away does not leave as many of its like behind. So what stands in the same place of the same row, one
of as many as before, is the recorded element under whatever name; unless another one has moved up there.
"""

from __future__ import annotations

from collections.abc import Mapping

from sopbench.targeting.comparing import Comparison
from sopbench.targeting.similarity import SAME_PLACE, named_otherwise
from sopbench.targeting.wordings import spoken

PLAIN = 0.8
"""Likeness of a wording or an address from which on it tells an element by itself."""
SURELY = 0.9
"""Likeness of the innermost container or of the texts around it from which on it surely is the same place: the next
row may be called much the same."""


def stayed(likeness: Mapping[str, float]) -> bool:
    """Whether it is just where it was, with as many of its like as there were."""
    return all(likeness.get(name) == 1 for name in ("path", "index", "count", "kind", "frame"))


def stands_as_it_stood(likeness: Mapping[str, float], *, looks_like_no_other: bool) -> bool:
    """Whether it is just where it was, looks as it did, and much the same is around it; and it was recorded among
    changing numbers of its like.

    Where such a one is taken away, the next may come to stand there: enough only where a wrong one does no harm. What
    is around it need not be known of one that looks like no other: a button with a picture of its own.
    """
    itself = all(likeness.get(name) == 1 for name in ("path", "index", "kind", "frame", "classes"))
    unknown = 1.0 if looks_like_no_other else 0.0
    around = all(likeness.get(name, unknown) >= SAME_PLACE for name in ("near", "around", "inside"))
    return "count" not in likeness and itself and around


def stays_in_line(likeness: Mapping[str, float]) -> bool:
    """Whether it is, say, still the third of seven: then its position tells it from those that are just alike."""
    return likeness.get("index") == 1 and likeness.get("count") == 1


def is_keyed(likeness: Mapping[str, float]) -> bool:
    """Whether it has the test id or the id of the recorded one."""
    return likeness.get("test_id") == 1 or likeness.get("id") == 1


def settled(compared: Comparison, order: list[int]) -> tuple[list[int], bool]:
    """The order, where one that stayed is called otherwise, and a better one is elsewhere.

    What stood beside the recorded one has only moved up: it is not the recorded one. Otherwise the one that stayed is,
    if the other is not called as the recorded one was, or is in what is called otherwise, or several are called so.
    Else it cannot be told, and the second value is True.
    """
    best = compared.likeness(order[0])
    if is_keyed(best) or "wording" not in best:
        return order, False
    stayer = next((each for each in order if _is_in_its_place(compared.likeness(each))), None)
    if stayer is None:
        return order, False
    rival = next((each for each in order if each != stayer and _is_elsewhere(compared.likeness(each))), None)
    if order[0] not in (stayer, rival):
        return order, False
    stood_beside = _stood_beside(compared, stayer)
    if rival is None or compared.likeness(rival)["wording"] < PLAIN:
        if stood_beside is not False:
            return order, bool(stood_beside) and order[0] == stayer
        first = stayer
    elif stood_beside:
        first = rival
    elif any(compared.is_as_alike(each, rival) for each in order if each != rival) or (
        stood_beside is False and named_otherwise(compared.old, compared.candidates[rival])
    ):
        first = stayer
    else:
        return order, True
    return [first, *(each for each in order if each != first)], False


def moved_up(compared: Comparison, best: int) -> bool:
    """Whether it took the place of the recorded one, which it stood beside or shares its form with.

    There are more or fewer of its like than there were, and by its name, or by the field it fills, it is another one.
    """
    likeness = compared.likeness(best)
    if likeness.get("count") != 0 or is_keyed(likeness):
        return False
    if likeness.get("field") == 0:
        return True
    was, name = spoken(compared.old.name or ""), spoken(str(compared.candidates[best].get("name") or ""))
    return bool(was and name and was != name and _stood_beside(compared, best))


def _is_in_its_place(likeness: Mapping[str, float]) -> bool:
    """In the surroundings of the recorded one, just where it was, under another name."""
    return likeness["wording"] < PLAIN and _surroundings(likeness) >= SURELY and stayed(likeness)


def _is_elsewhere(likeness: Mapping[str, float]) -> bool:
    """One that might be it, in other surroundings or under a name that is only alike."""
    return likeness.get("kind") == 1 and (likeness["wording"] < PLAIN or _surroundings(likeness) < SURELY)


def _surroundings(likeness: Mapping[str, float]) -> float:
    return max(likeness.get("inside", 0.0), likeness.get("near", 0.0))


def _stood_beside(compared: Comparison, place: int) -> bool | None:
    """Whether it was there when the other was recorded; None where its words cannot be seen on the page."""
    candidate = compared.candidates[place]
    shown = set(spoken(str(candidate.get("text") or candidate.get("label") or "")).split())
    words = set(spoken(str(candidate.get("name") or "")).split()) or shown
    if words and words <= set(spoken(compared.old.near or "").split()):
        return True
    return False if words and words <= shown else None
