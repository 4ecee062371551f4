"""Deciding whether every way of the procedure was tried: a rate says nothing of a branch that was never taken.

It holds or it does not yet: there is nothing to err about, and no number of trials is sure to take what the cases do
not lead to. So it is never failed, only not passed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.reliability.answers import ClaimAnswer, counted

if TYPE_CHECKING:
    from sopbench.reliability.policy import Coverage
    from sopbench.reliability.tallies import Tally

_NAMED = 5


def covered(claim: Coverage, tally: Tally) -> ClaimAnswer:
    """Whether every way of the kinds claimed was taken by enough trials that gave evidence."""
    if not tally.rows:
        return _answer(tally, "no trial was run", {"trials": 0})
    if tally.ways is None:
        return _answer(tally, "which ways were taken cannot be told: the document or a log is not the one that ran", {})
    ways = [way for way in tally.ways if way.kind in claim.of]
    untried = [way for way in ways if way.trials < claim.trials]
    kinds = ", ".join(claim.of)
    numbers: dict[str, float] = {"ways": len(ways), "untried": len(untried), "at_least": claim.trials}
    rarely = "never taken" if claim.trials == 1 else f"taken by fewer than {claim.trials} trials"
    if untried:
        named = ", ".join(f"{way.kind} {way.name}" for way in untried[:_NAMED])
        more = f" and {len(untried) - _NAMED} more" if len(untried) > _NAMED else ""
        sentence = f"{len(untried)} of {counted(len(ways), 'way')} ({kinds}) {rarely}: {named}{more}"
        return _answer(tally, f"{sentence}; add a case that leads there", numbers)
    often = "" if claim.trials == 1 else f" by at least {claim.trials} trials"
    sentence = f"every way ({kinds}) was taken{often}, {len(ways)} in all"
    return _answer(tally, sentence, numbers).model_copy(update={"outcome": "pass", "more_trials": 0})


def _answer(tally: Tally, sentence: str, numbers: dict[str, float]) -> ClaimAnswer:
    return ClaimAnswer(
        scenario=tally.scenario,
        condition=tally.condition,
        claim="coverage",
        outcome="undecided",
        sentence=sentence,
        numbers=numbers,
        more_trials=None,
    )
