"""Take a candidate, or none: the courage to abstain."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sopbench.sop.fingerprint import Fingerprint
from sopbench.sop.verbs.base import Effect
from sopbench.targeting.scoring import Ranking, rank
from sopbench.targeting.similarity import IDENTITY, SAME_PLACE, Candidate
from sopbench.targeting.staying import PLAIN, SURELY, is_keyed, stayed
from sopbench.targeting.wordings import stands_beside

BARS: Mapping[Effect, float] = {Effect.READ: 0.4, Effect.IDEMPOTENT: 0.75, Effect.IRREVERSIBLE: 0.95}
"""Least probability at which a candidate is taken.

The bar for reading is where in cross-validation somewhat more than 90 % of the elements that are still there are taken;
a heal must besides be borne out by what the step expects. What can be done again asks for three to one, what cannot be
taken back for nineteen to one. The probability assumes that one missing target in five is gone for good; see
`benchmarks/learn_targeting.py`. What the bars give on real pages: `benchmarks/targeting.py`.
"""
SOME = 0.3
"""Below this, nothing that tells an element itself agrees; what stands around it is never enough."""


@dataclass(frozen=True)
class Choice:
    taken: int | None
    """Number of the candidate."""
    probability: float
    margin: float
    runner_up: int | None
    why: str
    """Why none was taken, for people; empty when one was."""


def choose(ranking: Ranking, effect: Effect, *, several_fit: bool = False) -> Choice:
    """The first candidate if it is sure enough for what the action does to the world.

    Where several elements fit the target as it is written, only one of them can be meant.
    """
    why = objection(ranking, BARS[effect], effect)
    if several_fit and not why and ranking.likeness.get("kind") == 0:
        why = "several elements fit, and the best candidate is of another kind than the recorded one"
    taken = ranking.entries[0].number if not why else None
    return Choice(taken, ranking.probability, ranking.margin, ranking.runner_up, why)


def choose_within(
    old: Fingerprint,
    candidates: Sequence[Candidate],
    those_within: Collection[int],
    effect: Effect,
    *,
    several_fit: bool = False,
) -> tuple[Ranking, Choice]:
    """Of those that lie in what the target says it is within; of all, where it cannot be one of them.

    What is called as the recorded one was, and lies elsewhere, does not make it doubtful then: it was never meant.
    """
    if those_within:
        ranking = rank(old, candidates, those_within)
        choice = choose(ranking, effect, several_fit=several_fit)
        if choice.taken is not None:
            return ranking, choice
    ranking = rank(old, candidates)
    return ranking, choose(ranking, effect, several_fit=several_fit)


def strayed(recorded: Fingerprint, beside: str, seen: Fingerprint) -> bool:
    """Whether the one element that fits stands elsewhere: what the target says it is beside stood around the recorded
    one, and does not stand around this one.

    Once the element itself is gone, the smallest part of the page that holds both reaches into the next row.
    """
    return stands_beside(recorded.model_dump(), beside) and not stands_beside(seen.model_dump(), beside)


def is_named_so(ranking: Ranking) -> bool:
    """Whether the first candidate has the recorded one's key or words: it is that one, whatever has become of it."""
    return _plain({name: ranking.likeness[name] for name in IDENTITY if name in ranking.likeness})


def objection(ranking: Ranking, bar: float, effect: Effect = Effect.READ) -> str:
    """Why the first candidate is not taken; empty when nothing speaks against it."""
    if not ranking.entries:
        return "the page has no element that can take the action"
    if objected := _about_identity(ranking, effect) or _about_others(ranking):
        return objected
    if ranking.probability < bar:
        return (
            f"the best is the meant one with {ranking.probability:.0%} probability; "
            f"an action with effect {effect.value!r} asks for {bar:.0%}"
        )
    return ""


def _about_identity(ranking: Ranking, effect: Effect) -> str:
    """A weak likeness of the element itself is enough only where its whole surroundings are known and agree."""
    likeness = ranking.likeness
    told = {name: likeness[name] for name in IDENTITY if name in likeness}
    if _plain(told) or stayed(likeness):
        return ""
    if effect is Effect.READ and ranking.stands:
        return ""
    if max(told.values(), default=0.0) < SOME:
        return "nothing that tells the element itself agrees (id, wording, address), only what stands around it"
    if "path" not in likeness or "place" not in likeness:
        return "its wording is only similar, and where it stood is not known"
    if likeness.get("kind") == 0:
        return "its wording is only similar, and it is an element of another kind"
    if "count" in likeness:
        return "its wording is only similar, and its path or its position among its like has changed"
    return ""


def _about_others(ranking: Ranking) -> str:
    """Not the namesake in the next row, after its own row has gone or been doubled."""
    likeness = ranking.likeness
    if likeness.get("beside", 1.0) < 1:
        return "what it is said to be near does not stand around it"
    if ranking.twin is not None:
        return "the best two are alike in all but their position on the page"
    if ranking.torn:
        return "one stands where the recorded one was, and another one elsewhere is called as it was"
    if ranking.moved_up:
        return "there are more or fewer of its like, and this one was another one of them"
    if is_keyed(likeness):
        return ""
    # Where there are more or fewer of its like, it may be the next row, called much the same.
    if likeness.get("inside", 1.0) >= (SAME_PLACE if likeness.get("count", 1) == 1 else SURELY):
        return ""
    if ranking.namesake and any(likeness.get(name, 0.0) >= SOME for name in IDENTITY):
        return "several elements are called so, and the best one stands in other surroundings"
    if likeness.get("count") != 1:
        return "it stands in other surroundings than the recorded one, and there are more or fewer of its like"
    return ""


def _plain(told: Mapping[str, float]) -> bool:
    """Whether it is told by itself: several elements may share a field's name or an address, under other words."""
    if is_keyed(told) or told.get("wording", 0) >= PLAIN:
        return True
    if told.get("field") == 1 and "wording" not in told:
        return True
    return told.get("href", 0) >= PLAIN and told.get("wording", 1) >= SOME
