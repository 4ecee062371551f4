"""Deciding whether trials pass no less often than in the accepted baseline.

The number of trials is fixed by the baseline and the drop before any trial is seen; it ends sooner only when no further
trial could change the answer.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sopbench.reliability.answers import ClaimAnswer, about, counted, percent
from sopbench.reliability.comparison import Counts, Pairs, fisher_worse, mcnemar_worse, paired
from sopbench.reliability.power import failures_that_tell, pairs_for_drop, trials_for_drop

if TYPE_CHECKING:
    from sopbench.reliability.answers import Outcome
    from sopbench.reliability.policy import NotWorse
    from sopbench.reliability.tallies import Baseline, Tally

_planned = cache(trials_for_drop)
_telling = cache(failures_that_tell)


def not_worse(claim: NotWorse, tally: Tally, alpha_share: float) -> ClaimAnswer:
    """Fisher's exact test of all trials, or McNemar's of those that have a partner of the same seed."""
    baseline = tally.baseline
    if baseline is None:
        return _answer(tally, "undecided", "there is no accepted baseline to compare with", more=None)
    if baseline.sop != tally.sop:
        sentence = f"the baseline is of {baseline.sop!r}, these trials are of {tally.sop!r}: they cannot be compared"
        return _answer(tally, "undecided", sentence, more=None)
    if baseline.trials < 1:
        return _answer(tally, "undecided", "the baseline has no trials", more=None)
    alpha = claim.alpha * alpha_share
    return _by_seed(claim, tally, baseline, alpha) if claim.paired else _by_counts(claim, tally, baseline, alpha)


def _by_counts(claim: NotWorse, tally: Tally, baseline: Baseline, alpha: float) -> ClaimAnswer:
    before = Counts(baseline.passed, baseline.trials)
    was = f"the baseline's {before.passed} of {before.trials}"
    if before.rate <= claim.drop:
        return _answer(tally, "undecided", f"{was} cannot fall by {percent(claim.drop)}", more=None)
    planned = _planned(before, claim.drop, alpha, 1 - claim.beta)
    if planned is None:
        sentence = f"{was} are too few to tell a fall by {percent(claim.drop)}: accept a larger baseline"
        return _answer(tally, "undecided", sentence, {"baseline_trials": before.trials}, more=None)
    units = tally.units()[:planned]
    failures = sum(not unit.passed for unit in units)
    critical, left = _telling(before, planned, alpha), planned - len(units)
    outcome: Outcome = "fail" if failures >= critical else "pass" if failures + left < critical else "undecided"
    numbers: dict[str, float] = {"trials": len(units), "planned": planned, "failures": failures, "fails_at": critical}
    numbers |= {"baseline_passed": before.passed, "baseline_trials": before.trials, "drop": claim.drop, "alpha": alpha}
    numbers["beta"] = claim.beta
    if not units:
        sentence = f"no trial gave evidence: to compare with {was} takes {about(left)}"
        return _answer(tally, outcome, sentence, numbers, more=left)
    now = Counts(len(units) - failures, len(units))
    numbers |= {"rate": now.rate, "p": fisher_worse(before, now)}
    words = {
        "pass": f"{now.passed} of {counted(now.trials)} passed, against {was}: no fall by {percent(claim.drop)}",
        "fail": f"{now.passed} of {counted(now.trials)} passed, against {was}: worse",
        "undecided": f"{now.passed} of {counted(now.trials)} passed, against {was}: takes {about(left)}",
    }
    return _answer(tally, outcome, words[outcome], numbers, more=left if outcome == "undecided" else 0)


def _by_seed(claim: NotWorse, tally: Tally, baseline: Baseline, alpha: float) -> ClaimAnswer:
    needed = pairs_for_drop(claim.drop, 0, alpha, 1 - claim.beta)
    seeds = counted(len(baseline.seeds), "seed")
    if needed is None or len(baseline.seeds) < needed:
        takes = f"takes {needed}" if needed else "cannot be done"
        sentence = f"the baseline has {seeds}: to tell a fall by {percent(claim.drop)} {takes}"
        return _answer(tally, "undecided", sentence, {"seeds": len(baseline.seeds)}, more=None)
    units, now = tally.units(), dict[int, bool]()
    for unit in units:
        if unit.seed is not None:
            now[unit.seed] = now.get(unit.seed, True) and unit.passed
    pairs = paired(baseline.seeds, now)
    left, alone = len(baseline.seeds) - pairs.pairs, len(now.keys() - baseline.seeds.keys())
    numbers: dict[str, float] = {"pairs": pairs.pairs, "worse": pairs.worse, "better": pairs.better, "alpha": alpha}
    numbers |= {"trials": len(units), "beta": claim.beta}
    if left:
        sentence = f"of the baseline's {seeds} {pairs.pairs or 'none'} ran again: takes {about(left)}"
        return _answer(tally, "undecided", sentence, numbers, more=left)
    numbers["p"] = mcnemar_worse(pairs)
    worse = numbers["p"] <= alpha
    return _answer(tally, "fail" if worse else "pass", _pair_words(pairs, alone, worse=worse), numbers)


def _pair_words(pairs: Pairs, alone: int, *, worse: bool) -> str:
    left_out = f" ({counted(alone, 'seed')} without a partner left out)" if alone else ""
    verdict = "worse than the baseline" if worse else "not worse than the baseline"
    return f"of {counted(pairs.pairs, 'seed')} {pairs.worse} turned worse, {pairs.better} better{left_out}: {verdict}"


def _answer(
    tally: Tally, outcome: Outcome, sentence: str, numbers: dict[str, float] | None = None, more: float | None = 0
) -> ClaimAnswer:
    return ClaimAnswer(
        scenario=tally.scenario,
        condition=tally.condition,
        claim="not_worse",
        outcome=outcome,
        sentence=sentence,
        numbers=numbers or {},
        more_trials=more,
    )
