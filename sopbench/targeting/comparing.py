"""The candidates worth a close look, and how alike each is to the recorded element."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sopbench.sop.fingerprint import Fingerprint
from sopbench.targeting.shortlist import shortlist
from sopbench.targeting.similarity import IDENTITY, Candidate, Column, similarities
from sopbench.targeting.sparse import Sought
from sopbench.targeting.wordings import stands_beside

SAME = 0.02
"""Difference in likeness that is none."""


@dataclass(frozen=True)
class Comparison:
    """Candidates have places here, in the order of the page."""

    old: Fingerprint
    numbers: Sequence[int]
    """By place, the number among all candidates."""
    candidates: Sequence[Candidate]
    columns: Mapping[str, Column]
    """Those of which the recorded element tells something."""

    def likeness(self, place: int) -> dict[str, float]:
        """Of one candidate, by column: 0 to 1; what the recorded element does not know is not in it."""
        return {name: float(column[place]) for name, column in self.columns.items()}

    def is_as_alike(self, one: int, other: int) -> bool:
        """Whether the one is no less alike than the other in what tells an element itself."""
        told = [self.columns[name] for name in (*IDENTITY, "kind") if name in self.columns]
        return all(column[one] > column[other] - SAME for column in told)


def compare(old: Fingerprint, candidates: Sequence[Candidate], among: Collection[int] | None = None) -> Comparison:
    """Compare, without weights. Where the target says what it is beside, only what stands beside that is compared.

    ``among`` are the numbers of those to be compared; all where it is None.
    """
    likely = [number for number in shortlist(old, candidates) if among is None or number in among]
    numbers = _beside(old, candidates, likely)
    chosen = [candidates[number] for number in numbers]
    columns = similarities(old, chosen)
    known = {name: column for name, column in columns.items() if not np.isnan(column).any()}
    return Comparison(old, numbers, chosen, known)


def _beside(old: Fingerprint, candidates: Sequence[Candidate], numbers: list[int]) -> list[int]:
    """Those that stand beside the words of the target, as the recorded one did; all of them where none does."""
    words = old.beside if isinstance(old, Sought) else None
    if not words or not stands_beside(old.model_dump(), words):
        return numbers
    return [number for number in numbers if stands_beside(candidates[number], words)] or numbers
