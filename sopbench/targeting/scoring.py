"""Candidates in the order of how alike they are to a recorded element, and how sure it is that the first one is it.

A candidate's score is the sum of its columns of likeness, each times its weight, as a share of what a perfect match
would have: 0 to 1. A likeness that few candidates have weighs more: an id that is on the page once tells more than a
class that forty links share.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sopbench.sop.fingerprint import Fingerprint
from sopbench.targeting.comparing import Comparison, compare
from sopbench.targeting.similarity import IDENTITY, PROOF, Candidate, Column, nested
from sopbench.targeting.staying import moved_up, settled, stands_as_it_stood, stayed, stays_in_line
from sopbench.targeting.weights import SHIPPED, Weights

STAYED = 0.8
"""Likeness in identity of an element that kept its path, its position among its like and their number, and its kind:
one that was taken away does not leave as many of its like behind."""
KEPT = 0.9
"""Least probability of an element that stayed and looks as it did, whatever it is called now. What was learnt knows
nothing of this: the learning pages do not tell an element's position among its like. In `benchmarks/mutate.py` no
element that was taken away left another one there."""
STOOD = 0.5
"""The same of one that stands as it stood and looks like no other, among changing numbers of its like: for reading."""
APART = 0.15
"""Two candidates are told apart by where they are only if frame, landmarks or what stands around differ by more."""


@dataclass(frozen=True)
class Ranked:
    number: int
    """Index among the candidates."""
    score: float


@dataclass(frozen=True)
class Ranking:
    """The best candidates, best first; at most `shortlist.SIZE` of them."""

    entries: tuple[Ranked, ...]
    probability: float
    """That the first one is the meant one."""
    margin: float
    """Score of the first one less that of the runner-up; its own score when there is none."""
    runner_up: int | None
    """Number of the best one that a click on the first does not hit as well."""
    twin: int | None = None
    """Number of one that is alike in all that tells an element itself, and stands in the same surroundings."""
    namesake: bool = False
    """Whether another one is no less alike in what tells an element itself."""
    torn: bool = False
    """Whether one stands just where the meant one was, and another elsewhere is called as it was."""
    moved_up: bool = False
    """Whether the first one is another that only took the place of the meant one."""
    stands: bool = False
    """Whether the first one stands as the meant one stood, see `staying.stands_as_it_stood`."""
    likeness: Mapping[str, float] = field(default_factory=dict)
    """Of the first one, by column: 0 to 1; what the recorded element does not know is not in it."""
    features: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    """What the probability was computed from, see `weights.FEATURES`."""


def rank(old: Fingerprint, candidates: Sequence[Candidate], among: Collection[int] | None = None) -> Ranking:
    """Order the candidates, or those of them whose numbers are given; nothing is taken here."""
    return weigh(compare(old, candidates, among), SHIPPED)


def weigh(compared: Comparison, weights: Weights) -> Ranking:
    """Weigh what was compared."""
    if not compared.numbers:
        return Ranking((), 0.0, 0.0, None)
    points, most = scores(compared, weights)
    (top, *others), torn = settled(compared, np.argsort(-points, kind="stable").tolist())
    rivals = [each for each in others if not nested(compared.candidates[top], compared.candidates[each])]
    ahead = max(0.0, float(points[top] - points[rivals[0]])) if rivals else float(points[top])
    likeness = compared.likeness(top)
    told = features(float(points[top]) / most, identity(likeness), ahead)
    alone = _looks_like_no_other(compared, top)
    stands = stands_as_it_stood(likeness, looks_like_no_other=alone)
    kept = stayed(likeness) and likeness.get("classes", 1.0) == 1
    return Ranking(
        entries=tuple(Ranked(compared.numbers[each], float(points[each]) / most) for each in (top, *others)),
        probability=max(_sure(told, weights), KEPT if kept else STOOD if stands and alone else 0.0),
        margin=ahead / most,
        runner_up=compared.numbers[rivals[0]] if rivals else None,
        twin=None if (stands and alone) or stays_in_line(likeness) else _twin(compared, top, rivals),
        namesake=any(compared.is_as_alike(each, top) for each in rivals),
        torn=torn,
        moved_up=moved_up(compared, top),
        stands=stands,
        likeness=likeness,
        features=told,
    )


def scores(compared: Comparison, weights: Weights) -> tuple[Column, float]:
    """Points of each candidate, and what a perfect match would have."""
    points, most = np.zeros(len(compared.numbers)), 0.0
    for name, column in compared.columns.items():
        if name in PROOF:
            continue
        points = points + weights.of(name) * column + weights.rare_of(name) * rare(column)
        most += weights.of(name) + weights.rare_of(name)
    return points, most or 1.0


def rare(column: Column) -> Column:
    """The likeness, less the more candidates are as alike: alone all of it, one of two 59 %, one of forty 21 %."""
    as_good = len(column) - np.searchsorted(np.sort(column), column - 1e-9)
    shared: Column = column / (1 + np.log(as_good))
    return shared


def identity(likeness: Mapping[str, float]) -> float:
    """The best agreement of what tells an element itself, 0 to 1; what stands around it is none."""
    return max([STAYED * stayed(likeness), *(likeness[name] for name in IDENTITY if name in likeness)])


def features(fraction: float, agreed: float, ahead: float) -> tuple[float, float, float, float]:
    """What sureness is computed from: share of a perfect score, agreement in identity, and that times the lead."""
    return 1.0, fraction, agreed, agreed * math.log1p(ahead)


def _sure(of: Sequence[float], weights: Weights) -> float:
    return 1 / (1 + math.exp(-sum(value * weight for value, weight in zip(of, weights.sureness, strict=True))))


def _looks_like_no_other(compared: Comparison, top: int) -> bool:
    """Whether it alone has all classes of the meant one, and no others."""
    alike = compared.columns.get("classes")
    return alike is not None and alike[top] == 1 and int((alike == 1).sum()) == 1


def _twin(compared: Comparison, top: int, rivals: Sequence[int]) -> int | None:
    where = [compared.columns[name] for name in ("frame", "landmarks", "around", "inside") if name in compared.columns]
    for each in rivals:
        if compared.is_as_alike(each, top) and all(column[top] - column[each] <= APART for column in where):
            return compared.numbers[each]
    return None
