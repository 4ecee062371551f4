"""Why the gate said so, what its policy can do, and how many trials that takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import binom  # type: ignore[import-untyped]

from sopbench.charts.data import listing
from sopbench.charts.showing import CLEAN, FAINT, LINES, SILENT, Words, drawing, shares, upright, whole
from sopbench.errors import PolicyInvalid
from sopbench.reliability.answers import Answer, percent
from sopbench.reliability.fixed_designs import fixed_design
from sopbench.reliability.gate import decide
from sopbench.reliability.policy import Claims, Policy, Reliability
from sopbench.reliability.policy_file import find_policy, read_policy
from sopbench.reliability.sequential import Design, sequential_design, walk
from sopbench.trials.baselines import BASELINE_NAME, read_baselines
from sopbench.trials.stored import LeftOut, read_trials
from sopbench.trials.tallying import tallied
from sopbench.trials.trying import with_ways

if TYPE_CHECKING:
    from sopbench.charts.showing import Shown
    from sopbench.reliability.tallies import Tally

NAIVE_TRIALS, NAIVE_FAILURES = 20, 1
"""The naive gate: fail under 95 % of 20 trials."""
MOST_WALKS = 3
EXAMPLE = Policy(claims=(Claims(scenario="any", reliability=Reliability()),))


@dataclass(frozen=True)
class Gate:
    """A policy, and what it says of stored trials."""

    policy: Policy
    source: str
    """Where the policy is from; empty when it is only the default, for show."""
    tallies: tuple[Tally, ...]
    left_out: tuple[LeftOut, ...]

    @cached_property
    def answer(self) -> Answer:
        return decide(self.policy, self.tallies)

    @property
    def designs(self) -> tuple[Design, ...]:
        """The different tests of its claims on reliability."""
        claimed = [claims.reliability for claims in self.policy.claims if claims.reliability]
        found = {(each.p0, each.p1, each.alpha * self.policy.alpha_share, each.beta) for each in claimed}
        return tuple(sequential_design(*each) for each in sorted(found, reverse=True))


def gate_of(records: str, policy: str | None = None, baseline: str = BASELINE_NAME) -> Gate:
    """The gate over a folder of runs; without a policy of the project, the default one is shown.

    Raises: UsageError when there is no such folder; PolicyInvalid when the policy that is there cannot be read.
    """
    stored = read_trials(Path(records))
    source = _policy_file(policy)
    claimed = read_policy(Path(source)) if source else EXAMPLE
    found = tallied(stored.trials, read_baselines(Path(baseline)))
    covering = {(claims.scenario, claims.condition) for claims in claimed.claims if claims.coverage}
    tallies = with_ways(found.tallies, stored.trials, covering) if source else ()
    return Gate(claimed, source, tuple(tallies), (*stored.left_out, *found.left_out))


def _policy_file(policy: str | None) -> str:
    if policy:
        return policy
    try:
        return str(find_policy(Path()))
    except PolicyInvalid as invalid:
        if "there is no policy" in str(invalid):
            return ""
        raise


def answer(gate: Gate) -> Shown:
    """What the gate says, in a paragraph."""
    if not gate.source:
        return Words(
            "*There is no policy here, so nothing is decided.* Write a `gate.toml`; below is what the default claim, at"
            " least 99 % against 95 %, would do."
        )
    lines = [f"Policy `{gate.source}` says **{gate.answer.outcome}**.", gate.answer.text]
    lines.extend(f"Left out: {left}." for left in gate.left_out)
    return Words("\n\n".join(lines))


def claims(gate: Gate) -> Shown:
    """Each claim with its answer."""
    if not gate.source:
        return Words("")
    rows: list[tuple[object, ...]] = [
        (
            f"{each.scenario} · {each.condition}",
            each.claim,
            each.outcome,
            each.sentence,
            "never" if each.more_trials is None else f"{each.more_trials:.0f}" if each.more_trials else "",
        )
        for each in gate.answer.claims
    ]
    return listing("Of|Claim|Answer|Because|More trials", rows, "More trials")


def walks(gate: Gate) -> Shown:
    """The trials as the sequential test took them: failures over trials, between the lines that decide."""
    found = {(tally.scenario, tally.condition): tally for tally in gate.tallies}
    claimed = [
        (claims, found[claims.scenario, claims.condition])
        for claims in gate.policy.claims
        if claims.reliability and (claims.scenario, claims.condition) in found
    ]
    walked = [(claims, tally) for claims, tally in claimed if tally.units()][:MOST_WALKS]
    if not walked:
        return Words("No trial has been counted for a claim on reliability.")
    with drawing(2.9, "Sequential tests of the claims on reliability", columns=len(walked)) as (all_axes, made):
        for axes, (claims, tally) in zip(all_axes, walked, strict=True):
            claim = claims.reliability or Reliability()
            design = sequential_design(claim.p0, claim.p1, claim.alpha * gate.policy.alpha_share, claim.beta)
            good = [unit.clean if claim.of == "passed_clean" else unit.passed for unit in tally.units()]
            at = np.arange(1, design.most_trials + 1)
            most = max(design.fail_at) + 1
            pass_at = np.array(design.pass_at, dtype=float)
            axes.fill_between(
                at, -0.5, np.where(pass_at < 0, -0.5, pass_at + 0.5), color=CLEAN, alpha=0.15, label="pass"
            )
            axes.fill_between(at, np.array(design.fail_at) - 0.5, most, color=SILENT, alpha=0.12, label="fail")
            steps = np.concatenate([[0], np.cumsum(~np.array(good))])
            axes.step(range(len(steps)), steps, where="post", color=LINES[0], linewidth=1.5, label="trials")
            end = walk(design, good)
            axes.plot(end.trials, end.failures, "o", color=LINES[0])
            axes.set_ylim(-0.5, max(most, steps.max() + 1))
            axes.set_xlim(0, max(design.most_trials, len(steps)))
            axes.set_title(f"{claims.scenario} · {claims.condition}: {end.outcome} at {end.trials}", fontsize=8)
            axes.set_xlabel("trials")
            axes.set_ylabel("failures")
            whole(axes.yaxis)
            axes.legend(loc="upper left", fontsize=7)
    return made[0]


def characteristic(gate: Gate) -> Shown:
    """How often it passes, by the true rate: the policy's test, a fixed design, and the naive gate."""
    designs = gate.designs[:MOST_WALKS]
    if not designs:
        return Words("The policy claims nothing about reliability.")
    with drawing(3.2, "Operating characteristics", columns=len(designs)) as (all_axes, made):
        for axes, design in zip(all_axes, designs, strict=True):
            rates = np.linspace(max(0.5, design.p1 - 1.5 * (design.p0 - design.p1)), min(0.9999, design.p0 + 0.01), 60)
            fixed = fixed_design(design.p0, design.p1, design.alpha, design.beta)
            own = [design.characteristic(float(rate)).passes for rate in rates]
            axes.plot(rates, own, color=LINES[0], linewidth=2, label="this policy, sequential")
            axes.plot(
                rates,
                binom.cdf(fixed.most_failures, fixed.trials, 1 - rates),
                "--",
                color=FAINT,
                label=f"fixed, {fixed.trials} trials",
            )
            axes.plot(
                rates,
                binom.cdf(NAIVE_FAILURES, NAIVE_TRIALS, 1 - rates),
                color=LINES[1],
                label="naive: fail under 95 % of 20",
            )
            for rate, chance, name in ((design.p0, 1 - design.alpha, "p0"), (design.p1, design.beta, "p1")):
                axes.plot(rate, chance, "o", mfc="white", color=LINES[0])
                axes.annotate(
                    f"{name} {percent(rate)}",
                    (rate, chance),
                    textcoords="offset points",
                    xytext=(-6, 6) if name == "p1" else (8, -11),
                    ha="right" if name == "p1" else "left",
                    size=8,
                )
            axes.set_title(f"{percent(design.p0)} against {percent(design.p1)}")
            axes.set_xlabel("true rate")
            axes.set_ylabel("chance to pass")
            shares(axes, low=float(rates[0]))
            axes.set_xlim(rates[0], 1.0)
            axes.set_ylim(0, 1.02)
            upright(axes)
            axes.legend(loc="upper left", bbox_to_anchor=(0, -0.18), fontsize=7, ncols=3 if len(designs) == 1 else 1)
    return made[0]


def expected_trials(gate: Gate) -> Shown:
    """How many trials a decision takes, by the true rate."""
    designs = gate.designs[:MOST_WALKS]
    if not designs:
        return Words("The policy claims nothing about reliability.")
    with drawing(2.8, "Expected trials until a decision", columns=len(designs)) as (all_axes, made):
        for axes, design in zip(all_axes, designs, strict=True):
            rates = np.linspace(max(0.5, design.p1 - 1.5 * (design.p0 - design.p1)), min(0.9999, design.p0 + 0.01), 60)
            fixed = fixed_design(design.p0, design.p1, design.alpha, design.beta)
            own = [design.characteristic(float(rate)).expected_trials for rate in rates]
            axes.plot(rates, own, color=LINES[0], linewidth=2, label="this policy, sequential")
            axes.axhline(fixed.trials, color=FAINT, linestyle="--", label=f"fixed, {fixed.trials} trials")
            axes.axhline(NAIVE_TRIALS, color=LINES[1], label="naive, 20 trials")
            for rate in (design.p0, design.p1):
                trials = design.characteristic(rate).expected_trials
                axes.plot(rate, trials, "o", mfc="white", color=LINES[0])
                axes.annotate(f"{trials:.0f}", (rate, trials), textcoords="offset points", xytext=(6, 4), size=8)
            axes.set_title(f"{percent(design.p0)} against {percent(design.p1)}")
            axes.set_xlabel("true rate")
            axes.set_ylabel("trials")
            shares(axes, low=float(rates[0]))
            axes.set_xlim(rates[0], 1.0)
            axes.set_ylim(0, max(fixed.trials, *own) * 1.1)
            axes.legend(loc="upper left", bbox_to_anchor=(0, -0.2), fontsize=7, ncols=3 if len(designs) == 1 else 1)
    return made[0]


def errors(gate: Gate) -> Shown:
    """What each test gets wrong, exactly; and what the naive gate would."""
    rows: list[tuple[object, ...]] = []
    for design in gate.designs:
        fixed = fixed_design(design.p0, design.p1, design.alpha, design.beta)
        good, bad = design.characteristic(design.p0), design.characteristic(design.p1)
        name = f"{percent(design.p0)} against {percent(design.p1)}"
        rows.append(
            (
                f"{name}, sequential",
                percent(1 - good.passes),
                percent(bad.passes),
                f"{good.expected_trials:.0f}",
                f"{bad.expected_trials:.0f}",
            )
        )
        fails, passes = _wrong(fixed.trials, fixed.most_failures, design)
        rows.append((f"{name}, fixed", percent(fails), percent(passes), fixed.trials, fixed.trials))
        fails, passes = _wrong(NAIVE_TRIALS, NAIVE_FAILURES, design)
        rows.append(("naive: fail under 95 % of 20", percent(fails), percent(passes), NAIVE_TRIALS, NAIVE_TRIALS))
    columns = "Test|Fails at p0|Passes at p1|Trials expected at p0|at p1"
    return listing(columns, rows, "Fails at p0|Passes at p1|Trials expected at p0|at p1")


def _wrong(trials: int, most_failures: int, design: Design) -> tuple[float, float]:
    return (
        float(binom.sf(most_failures, trials, 1 - design.p0)),
        float(binom.cdf(most_failures, trials, 1 - design.p1)),
    )
