"""Is the gate's own word right? Simulated gates and nights, against what is promised of them.

``python benchmarks/gate.py --json OUT`` plays 20,000 gates for each true rate, with the sequential test, with a fixed
number of trials and with the naive "fail under 95 % of 20"; then 2,000 times 1,000 nights for the monitors.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sopbench.reliability import monitoring
from sopbench.reliability.confidence_sequence import PRIOR
from sopbench.reliability.fixed_designs import fixed_design
from sopbench.reliability.sequential import Design, sequential_design

Json = dict[str, Any]
Counts = npt.NDArray[np.int64]

GATES = 20_000
REPETITIONS = 2_000
TRIALS_A_NIGHT = 20
POLICIES = ((0.99, 0.95, 0.05, 0.05), (0.95, 0.90, 0.05, 0.05), (0.999, 0.99, 0.05, 0.05))
NAIVE_TRIALS, NAIVE_FAILURES = 20, 1
"""Fail under 95 % of 20: two failures or more fail it."""


def gates(design: Design, rate: float, number: int, rng: np.random.Generator) -> Json:
    """Play the sequential test: how often it passes, and how many trials it takes."""
    last = design.most_trials
    passed, trials = np.zeros(number, dtype=bool), np.zeros(number, dtype=np.int64)
    for start in range(0, number, 2_000):
        part = slice(start, min(start + 2_000, number))
        failures = np.cumsum(rng.random((part.stop - part.start, last)) >= rate, axis=1)
        passes = failures <= np.array(design.pass_at)
        decided = passes | (failures >= np.array(design.fail_at))
        at = decided.argmax(axis=1)
        passed[part], trials[part] = passes[np.arange(len(at)), at], at + 1
    exact = design.characteristic(rate)
    return {
        "passes": float(passed.mean()),
        "passes_exact": exact.passes,
        "trials": float(trials.mean()),
        "trials_exact": exact.expected_trials,
        "trials_p95": float(np.quantile(trials, 0.95)),
        "trials_most": int(trials.max()),
    }


def fixed_gates(trials: int, most_failures: int, rate: float, number: int, rng: np.random.Generator) -> float:
    """The share of gates with a fixed number of trials that pass."""
    return float((rng.binomial(trials, 1 - rate, number) <= most_failures).mean())


def policy_figures(policy: tuple[float, float, float, float], number: int, rng: np.random.Generator) -> Json:
    """One policy over true rates from far below p1 to 1."""
    p0, p1, alpha, beta = policy
    began = time.process_time()
    design, fixed = sequential_design(*policy), fixed_design(*policy)
    searched_s = time.process_time() - began
    step = p0 - p1
    rates = sorted({round(rate, 6) for rate in (*np.linspace(p1 - step, p0, 9), (1 + p0) / 2, 1.0)} | {p0, p1})
    played = {rate: gates(design, rate, number, rng) for rate in rates}
    points = [
        {
            "rate": rate,
            "sequential": played[rate],
            "fixed_passes": fixed_gates(fixed.trials, fixed.most_failures, rate, number, rng),
            "naive_passes": fixed_gates(NAIVE_TRIALS, NAIVE_FAILURES, rate, number, rng),
        }
        for rate in rates
    ]
    return {
        "p0": p0,
        "p1": p1,
        "alpha": alpha,
        "beta": beta,
        "search_cpu_s": searched_s,
        "most_trials": design.most_trials,
        "fewest_to_pass": design.fewest_to_pass,
        "fixed_trials": fixed.trials,
        "fixed_most_failures": fixed.most_failures,
        "false_fail_at_p0": 1 - played[p0]["passes"],
        "false_pass_at_p1": played[p1]["passes"],
        "three_standard_errors": 3 * math.sqrt(max(alpha * (1 - alpha), beta * (1 - beta)) / number),
        "trials_at_p0": played[p0]["trials"],
        "trials_at_p1": played[p1]["trials"],
        "points": points,
    }


def accepted_alarms(
    rates: npt.NDArray[np.float64], accepted: float, repetitions: int, rng: np.random.Generator, alpha: float = 0.05
) -> Counts:
    """For each repetition the first night on which ``worse_than_accepted`` alarms; 0 for none.

    The sum over beginnings is kept up by R ← (R + 1) · ratio, which is the same sum without keeping each beginning.
    """
    worse, horizon = monitoring.worse_rates(accepted), len(rates)
    sums, first = np.zeros((repetitions, len(worse))), np.zeros(repetitions, dtype=np.int64)
    for number, rate in enumerate(rates, 1):
        passed = rng.binomial(TRIALS_A_NIGHT, rate, repetitions)
        ratios = np.exp(monitoring.log_ratios(passed, TRIALS_A_NIGHT - passed, accepted, worse))
        sums = (np.minimum(sums, 1e200) + 1) * np.minimum(ratios, 1e100)
        evidence = (sums.mean(axis=1) + horizon - number) / horizon
        first = np.where((first == 0) & (evidence >= 1 / alpha), number, first)
    return first


def before_alarms(
    rates: npt.NDArray[np.float64], repetitions: int, rng: np.random.Generator, alpha: float = 0.05
) -> Counts:
    """The same for ``worse_than_before``."""
    horizon = len(rates)
    nightly = rng.binomial(TRIALS_A_NIGHT, rates, (repetitions, horizon))
    passed = np.concatenate([np.zeros((repetitions, 1), dtype=np.int64), np.cumsum(nightly, axis=1)], axis=1)
    failed = TRIALS_A_NIGHT * np.arange(horizon + 1) - passed
    first = np.zeros(repetitions, dtype=np.int64)
    for number in range(2, horizon + 1):
        starts = slice(max(1, number - monitoring.LOOK_BACK), number)
        now = passed[:, [number]], failed[:, [number]]
        logs = monitoring.log_change(passed[:, starts], failed[:, starts], *now)
        evidence = np.exp(np.minimum(logs, 700)).sum(axis=1) / horizon
        first = np.where((first == 0) & (evidence >= 1 / alpha), number, first)
    return first


def sequence_misses(rate: float, nights: int, repetitions: int, rng: np.random.Generator, alpha: float = 0.05) -> float:
    """In which share of repetitions the confidence sequence, looked at every night, ever leaves out the true rate."""
    passed = np.cumsum(rng.binomial(TRIALS_A_NIGHT, rate, (repetitions, nights)), axis=1)
    failed = TRIALS_A_NIGHT * np.arange(1, nights + 1) - passed
    likelihood = passed * math.log(rate) + failed * math.log1p(-rate)
    assert PRIOR == (0.5, 0.5)
    return float(((monitoring.log_mixture(passed, failed) - likelihood) >= -math.log(alpha)).any(axis=1).mean())


def nightly_figures(repetitions: int, nights: int, rng: np.random.Generator) -> Json:
    """False alarms over steady nights, and how many nights a fall goes unseen."""
    steady = [
        {
            "rate": rate,
            "accepted_alarms": float((accepted_alarms(np.full(nights, rate), rate, repetitions, rng) > 0).mean()),
            "before_alarms": float((before_alarms(np.full(nights, rate), repetitions, rng) > 0).mean()),
            "sequence_misses": sequence_misses(rate, nights, repetitions, rng),
        }
        for rate in (0.9, 0.99)
    ]
    falls = []
    fewer, good = max(20, repetitions // 10), nights // 5
    for after in (0.5, 0.8, 0.9, 0.95):
        rates = np.where(np.arange(nights) < good, 0.99, after)
        seen = {
            "accepted": accepted_alarms(rates, 0.99, fewer, rng) - good,
            "before": before_alarms(rates[: good + 100], fewer, rng) - good,
        }
        falls.append({"from": 0.99, "to": after} | {f"{name}_nights": _delay(delay) for name, delay in seen.items()})
    return {
        "nights": nights,
        "trials_a_night": TRIALS_A_NIGHT,
        "repetitions": repetitions,
        "steady": steady,
        "falls": falls,
    }


def _delay(nights: Counts) -> Json:
    """``seen``: the share of falls that were; ``median``: of these, the night on which, 1 for the first worse one."""
    seen = nights[nights > 0]
    return {"seen": float(len(seen) / len(nights)), "median": float(np.median(seen)) if len(seen) else None}


def measured(number: int = GATES, repetitions: int = REPETITIONS, nights: int = 1000, seed: int = 7) -> Json:
    """All figures; the same seed gives the same."""
    rng = np.random.default_rng(seed)
    return {
        "gates_per_point": number,
        "seed": seed,
        "naive": f"fail under 95 % of {NAIVE_TRIALS}",
        "policies": [policy_figures(policy, number, rng) for policy in POLICIES],
        "nightly": nightly_figures(repetitions, nights, rng),
    }


def main() -> None:
    """Print the figures, and write them where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="where to write the figures")
    began = time.perf_counter()
    options = parser.parse_args()
    figures = measured()
    figures["seconds"] = round(time.perf_counter() - began, 1)
    for policy in figures["policies"]:
        print(f"{policy['p0']:g} against {policy['p1']:g}: fixed {policy['fixed_trials']} trials, ", end="")
        print(f"at most {policy['most_trials']}; ±{policy['three_standard_errors']:.4f} (3 s.e.)")
        print("    rate    sequential   (exact)    trials     fixed     naive    share of gates that pass")
        for point in policy["points"]:
            own = point["sequential"]
            print(
                f"  {point['rate']:7.4f}  {own['passes']:9.4f}  {own['passes_exact']:9.4f}  {own['trials']:8.1f}",
                end="",
            )
            print(f"  {point['fixed_passes']:8.4f}  {point['naive_passes']:8.4f}")
    for night in (*figures["nightly"]["steady"], *figures["nightly"]["falls"]):
        print(night)
    print(f"{figures['seconds']} s")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
