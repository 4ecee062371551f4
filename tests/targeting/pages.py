"""Pages as candidates: what is recorded of an element, what has become of the page, what is chosen then."""

from __future__ import annotations

from typing import Any

from sopbench.sop.fingerprint import Fingerprint
from sopbench.sop.verbs.base import Effect
from sopbench.targeting.choosing import Choice, choose
from sopbench.targeting.scoring import rank

Facts = dict[str, Any]
SAVE, CANCEL, DELETE, COMPANY, EDIT_EVE, PRIVACY = 0, 1, 2, 4, 14, 17


def counted(page: list[Facts]) -> list[Facts]:
    """The page with each element's position among its role, and their number, as they are now."""
    for role in {each["role"] for each in page}:
        like = [each for each in page if each["role"] == role]
        for index, each in enumerate(like):
            each |= {"index": index, "of": len(like)}
    return page


def without(page: list[Facts], number: int) -> list[Facts]:
    return counted([dict(each) for at, each in enumerate(page) if at != number])


def recorded(page: list[Facts], number: int) -> Fingerprint:
    return Fingerprint.model_validate(page[number])


def chosen(old: Fingerprint, page: list[Facts], effect: Effect = Effect.READ) -> Choice:
    return choose(rank(old, page), effect)
