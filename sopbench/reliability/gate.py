"""Does what is claimed hold? Each claim decided on its own, and all of them in one paragraph.

What is promised, if the trials are independent and their rate does not change on the way:

* Each claim fails what it calls good (p0 or better; no change; always within the ceiling) with a chance of at most its
  alpha, and passes what it calls bad (p1 or worse; a fall by ``drop``; ``below`` or more) with at most its beta.
* The whole passes only if every claim does. So it passes although a claim is false with at most that claim's beta,
  however many claims there are (an intersection–union test: Berger, "Multiparameter hypothesis testing and acceptance
  sampling", Technometrics 24 (1982), 295–300).
* The whole fails if any claim does. So it fails although all claims are good with at most the *sum* of their alphas;
  ``alpha_for = "all_claims"`` in the policy divides them (Bonferroni), and it takes more trials.

A gate run again because it failed is another gate: two tries pass what is bad up to twice as often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sopbench.reliability.answers import Answer, ClaimAnswer, about, percent
from sopbench.reliability.baseline_claim import not_worse
from sopbench.reliability.claims import at_most, broken, ceiling, reliability
from sopbench.reliability.coverage_claim import covered
from sopbench.reliability.tallies import Tally, check_apart

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sopbench.reliability.answers import Outcome
    from sopbench.reliability.claims import Quantile
    from sopbench.reliability.policy import Claims, CostCeiling, DurationCeiling, Policy


def decide(policy: Policy, tallies: Iterable[Tally]) -> Answer:
    """Decide every claim of the policy by the trials there are; tallies that nothing is claimed of are left aside.

    Raises: ValueError on tallies that cannot be: two of one scenario and condition, or a run that is in two of them.
    """
    given = tuple(tallies)
    check_apart(given)
    found = {(tally.scenario, tally.condition): tally for tally in given}
    answers: list[ClaimAnswer] = []
    for claims in policy.claims:
        key = claims.scenario, claims.condition
        tally = found.get(key) or Tally(*key, sop="", rows=())
        answers += _decided(claims, tally, policy.alpha_share)
    outcome = _outcome(answers)
    more = _more(answers) if outcome == "undecided" else 0
    return Answer(outcome=outcome, text=_text(outcome, answers, more), claims=tuple(answers), more_trials=more)


def _decided(claims: Claims, tally: Tally, alpha_share: float) -> list[ClaimAnswer]:
    answers = [broken(claims.broken_at_most, tally)]
    if claims.reliability:
        answers.append(reliability(claims.reliability, tally, alpha_share))
    if claims.silent:
        answers.append(at_most(claims.silent, tally, "silent"))
    if claims.harmful:
        answers.append(at_most(claims.harmful, tally, "harmful"))
    if claims.not_worse:
        answers.append(not_worse(claims.not_worse, tally, alpha_share))
    if claims.coverage:
        answers.append(covered(claims.coverage, tally))
    return answers + _ceilings(claims, tally, alpha_share)


def _ceilings(claims: Claims, tally: Tally, alpha_share: float) -> list[ClaimAnswer]:
    wanted: list[tuple[Literal["duration", "cost"], Quantile, float | None, DurationCeiling | CostCeiling]] = []
    if claims.duration:
        wanted.append(("duration", "median", claims.duration.median_s, claims.duration))
        wanted.append(("duration", "p95", claims.duration.p95_s, claims.duration))
    if claims.cost:
        wanted.append(("cost", "median", claims.cost.median_usd, claims.cost))
        wanted.append(("cost", "p95", claims.cost.p95_usd, claims.cost))
    return [
        ceiling(tally, what, quantile, most, claim.alpha * alpha_share, claim.beta)
        for what, quantile, most, claim in wanted
        if most is not None
    ]


def _outcome(answers: Sequence[ClaimAnswer]) -> Outcome:
    outcomes = {answer.outcome for answer in answers}
    return "fail" if "fail" in outcomes else "undecided" if "undecided" in outcomes else "pass"


def _more(answers: Sequence[ClaimAnswer]) -> float | None:
    """The most of each scenario and condition, summed up: its claims are decided by the same trials."""
    most: dict[tuple[str, str], float] = {}
    for answer in answers:
        if answer.more_trials is None:
            return None
        key = answer.scenario, answer.condition
        most[key] = max(most.get(key, 0), answer.more_trials)
    return sum(most.values())


def _text(outcome: Outcome, answers: Sequence[ClaimAnswer], more: float | None) -> str:
    head = {
        "pass": "The gate passes: every claim holds.",
        "fail": "The gate fails.",
        "undecided": f"The gate is undecided, and takes {about(more)} to decide."
        if more is not None
        else "The gate is undecided, and more trials alone would not decide it.",
    }[outcome]
    parts = []
    for scenario, condition in dict.fromkeys((answer.scenario, answer.condition) for answer in answers):
        own = [answer for answer in answers if (answer.scenario, answer.condition) == (scenario, condition)]
        told = "; ".join(answer.sentence for answer in own if _worth_telling(answer, own))
        parts.append(f"{scenario} under {condition}: {told}.")
    return " ".join([head, *parts, _promise(answers)]).strip()


def _worth_telling(answer: ClaimAnswer, own: Sequence[ClaimAnswer]) -> bool:
    """All of them; but where nothing was run it is said once, and that none broke goes without saying."""
    if not own[0].numbers["trials"]:
        return answer.claim == "broken"
    return answer.claim != "broken" or bool(answer.numbers["broken"])


def _promise(answers: Sequence[ClaimAnswer]) -> str:
    alphas = [answer.numbers["alpha"] for answer in answers if "alpha" in answer.numbers]
    betas = [answer.numbers["beta"] for answer in answers if "beta" in answer.numbers]
    promises = []
    if alphas:
        promises.append(f"a good one fails it in at most {percent(min(1.0, sum(alphas)))} of gates")
    if betas:
        promises.append(f"a bad one passes it in at most {percent(max(betas))}")
    return f"By its policy, {' and '.join(promises)}." if promises else ""
