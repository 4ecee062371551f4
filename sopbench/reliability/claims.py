"""Deciding what is claimed of the trials themselves: how often they pass, what must not happen, ceilings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.special import betaincinv  # type: ignore[import-untyped]

from sopbench.reliability.answers import ClaimAnswer, about, counted, percent
from sopbench.reliability.confidence_sequence import confidence_sequence
from sopbench.reliability.durations import typical
from sopbench.reliability.fixed_designs import trials_to_bound
from sopbench.reliability.intervals import clopper_pearson
from sopbench.reliability.sequential import sequential_design, walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.reliability.answers import Outcome
    from sopbench.reliability.policy import AtMost, Reliability
    from sopbench.reliability.sequential import Design, Progress
    from sopbench.reliability.tallies import Tally

Quantile = Literal["median", "p95"]
WITHIN: dict[Quantile, tuple[float, float]] = {"median": (0.75, 0.5), "p95": (0.99, 0.95)}
"""A ceiling on a quantile is a claim on the share of trials within it: p0 and p1 of that share. The quantile is above
the ceiling when the share is p1 or less."""

_MIDDLES = (np.arange(20) + 0.5) / 20


@dataclass(frozen=True)
class Tested:
    """A sequential test with all that was seen."""

    design: Design
    progress: Progress
    outcome: Outcome
    """The test's, or undecided when later trials contradict it."""
    good: int
    trials: int

    @property
    def numbers(self) -> dict[str, float]:
        """For an answer; without a rate when there was no trial."""
        counts: dict[str, float] = {"trials": self.trials, "good": self.good}
        if self.progress.outcome != "undecided":
            counts["decided_at"] = self.progress.trials
        if self.trials:
            low, high = confidence_sequence(self.good, self.trials)
            counts |= {"rate": self.good / self.trials, "low": low, "high": high}
        design = self.design
        return counts | {"p0": design.p0, "p1": design.p1, "alpha": design.alpha, "beta": design.beta}

    @property
    def more_trials(self) -> float | None:
        """Expected: at p0 before the first trial, then over rates as likely as Beta(good + ½, bad + ½)."""
        if self.outcome != "undecided":
            return 0
        if self.withdrawn:
            return None
        bad = self.trials - self.good
        rates = betaincinv(self.good + 0.5, bad + 0.5, _MIDDLES) if self.trials else np.array([self.design.p0])
        return self.design.expected_more(self.trials, bad, rates)

    @property
    def withdrawn(self) -> bool:
        return self.outcome != self.progress.outcome


def tested(good: Sequence[bool], p0: float, p1: float, alpha: float, beta: float) -> Tested:
    """Take the trials in order until the test decides; then see whether those after it contradict.

    A pass is withdrawn when the interval of all trials together (``clopper_pearson``, 95 %) lies below p1, a fail when
    it lies above p0: the rate changed on the way, and *undecided* is what can be said. It only makes errors rarer.
    """
    design = sequential_design(p0, p1, alpha, beta)
    progress = walk(design, good)
    outcome = progress.outcome
    if outcome != "undecided" and len(good) > progress.trials:
        low, high = clopper_pearson(sum(good), len(good))
        if (outcome == "pass" and high < p1) or (outcome == "fail" and low > p0):
            outcome = "undecided"
    return Tested(design, progress, outcome, sum(good), len(good))


def reliability(claim: Reliability, tally: Tally, alpha_share: float) -> ClaimAnswer:
    """Whether enough trials pass, or pass clean."""
    clean = claim.of == "passed_clean"
    good = [unit.clean if clean else unit.passed for unit in tally.units()]
    test = tested(good, claim.p0, claim.p1, claim.alpha * alpha_share, claim.beta)
    verb = "passed clean" if clean else "passed"
    seen = _seen(test, verb)
    words = {
        "pass": f"{seen}: enough for {percent(claim.p0)}, against {percent(claim.p1)}",
        "fail": f"{seen}: too few for {percent(claim.p0)}",
        "undecided": f"{seen}: {_open(test, f'to tell {percent(claim.p0)} from {percent(claim.p1)}')}",
    }
    return _tested_answer(tally, "reliability", test, words[test.outcome])


def at_most(claim: AtMost, tally: Tally, name: Literal["silent", "harmful"]) -> ClaimAnswer:
    """Whether silent or harmful failures stay out."""
    units = tally.units()
    hits = sum(unit.ended("failed_silent" if name == "silent" else "failed_harmful") for unit in units)
    needed = trials_to_bound(claim.at_most, claim.below, claim.beta)
    outcome: Outcome = "fail" if hits > claim.at_most else "pass" if len(units) >= needed else "undecided"
    seen = f"{counted(hits, f'{name} failure')} in {counted(len(units))}"
    below = f"a rate below {percent(claim.below)}"
    words = {
        "pass": f"{seen}, which shows {below}",
        "fail": f"{seen}, where {claim.at_most or 'none'} may be",
        "undecided": f"{seen}: to show {below} takes {about(max(0, needed - len(units)))}",
    }
    numbers: dict[str, float] = {"trials": len(units), "hits": hits, "at_most": claim.at_most, "needed": needed}
    numbers |= {"below": claim.below, "beta": claim.beta}
    if units:
        numbers["rate_still_possible"] = clopper_pearson(hits, len(units), 1 - 2 * claim.beta)[1]
    return ClaimAnswer(
        scenario=tally.scenario,
        condition=tally.condition,
        claim=name,
        outcome=outcome,
        sentence=words[outcome],
        numbers=numbers,
        more_trials=needed - len(units) if outcome == "undecided" else 0,
    )


def ceiling(
    tally: Tally, what: Literal["duration", "cost"], quantile: Quantile, most: float, alpha: float, beta: float
) -> ClaimAnswer:
    """Whether the median or the 95th percentile of trials that passed is within a ceiling."""
    name, passed = f"{what} {quantile}", [unit for unit in tally.units() if unit.passed]
    values = [unit.duration_s if what == "duration" else unit.cost_usd for unit in passed]
    known = [value for value in values if value is not None]
    limit = f"{most:g} s" if what == "duration" else f"${most:g}"
    if len(known) < len(values):
        missing = len(values) - len(known)
        sentence = f"the {what} of {counted(missing)} that passed is not known, so nothing can be said about {limit}"
        return _cannot_tell(tally, name, sentence, {"trials": len(values), "unknown": missing})
    test = tested([value <= most for value in known], *WITHIN[quantile], alpha, beta)
    seen = f"{test.good} of {counted(test.trials)} that passed were within {limit}"
    share = "half" if quantile == "median" else "95 %"
    words = {
        "pass": f"{seen}: more than {share} of all are",
        "fail": f"{seen}: too few for its {quantile}",
        "undecided": f"{seen}: {_open(test, f'to tell whether {share} of all are')}",
    }
    answer = _tested_answer(tally, name, test, words[test.outcome])
    if not known:
        return answer
    usual = typical(known)
    return answer.model_copy(update={"numbers": answer.numbers | {"median": usual.median, "p95": usual.p95}})


def broken(most: float, tally: Tally) -> ClaimAnswer:
    """Whether so few trials broke that the others can speak."""
    numbers: dict[str, float] = {"trials": len(tally.rows), "broken": tally.broken, "at_most": most}
    if not tally.rows:
        return _cannot_tell(tally, "broken", "no trial was run", numbers, more=1)
    seen = f"{tally.broken} of {counted(len(tally.rows))} broke and {'is' if tally.broken == 1 else 'are'} left out"
    numbers["share"] = tally.broken_share
    if tally.broken_share > most:
        sentence = f"{seen}, more than the {percent(most)} past which nothing can pass"
        more = tally.broken / most - len(tally.rows) if most else None
        return _cannot_tell(tally, "broken", sentence, numbers, more=more)
    return ClaimAnswer(
        scenario=tally.scenario,
        condition=tally.condition,
        claim="broken",
        outcome="pass",
        sentence=seen if tally.broken else "none broke",
        numbers=numbers,
    )


def _seen(test: Tested, verb: str) -> str:
    if not test.trials:
        return "no trial gave evidence"
    first = test.progress.trials
    if test.progress.outcome == "undecided" or first == test.trials:
        return f"{test.good} of {counted(test.trials)} {verb}"
    return f"{first - test.progress.failures} of the first {counted(first)} {verb}, {test.good} of all {test.trials:,}"


def _open(test: Tested, question: str) -> str:
    return "the rate changed on the way" if test.withdrawn else f"{question} takes {about(test.more_trials)}"


def _tested_answer(tally: Tally, name: str, test: Tested, sentence: str) -> ClaimAnswer:
    return ClaimAnswer(
        scenario=tally.scenario,
        condition=tally.condition,
        claim=name,
        outcome=test.outcome,
        sentence=sentence,
        numbers=test.numbers,
        more_trials=test.more_trials,
    )


def _cannot_tell(
    tally: Tally, name: str, sentence: str, numbers: dict[str, float], more: float | None = None
) -> ClaimAnswer:
    return ClaimAnswer(
        scenario=tally.scenario,
        condition=tally.condition,
        claim=name,
        outcome="undecided",
        sentence=sentence,
        numbers=numbers,
        more_trials=more,
    )
