"""The interval for many looks: what its evidence is, that it covers at all of them, and what an ordinary one does."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad  # type: ignore[import-untyped]

from sopbench.reliability.confidence_sequence import confidence_sequence, log_evidence
from sopbench.reliability.intervals import clopper_pearson


@pytest.mark.parametrize(("passed", "failed", "rate"), [(3, 1, 0.6), (20, 0, 0.9), (0, 4, 0.3), (40, 9, 0.95)])
def test_the_evidence_is_the_mixture_of_likelihood_ratios(passed: int, failed: int, rate: float) -> None:
    def ratio(angle: float) -> float:
        other = math.sin(angle) ** 2
        return 2 / math.pi * (other / rate) ** passed * ((1 - other) / (1 - rate)) ** failed

    mixture, _ = quad(ratio, 0, math.pi / 2)

    assert log_evidence(passed, failed, rate) == pytest.approx(math.log(mixture), abs=1e-8)


@pytest.mark.parametrize("rate", [0.3, 0.9, 0.99])
def test_the_evidence_is_a_martingale_while_the_rate_is_true(rate: float) -> None:
    for passed, failed in ((0, 0), (5, 2), (60, 1)):
        after = rate * math.exp(log_evidence(passed + 1, failed, rate))
        after += (1 - rate) * math.exp(log_evidence(passed, failed + 1, rate))

        assert after == pytest.approx(math.exp(log_evidence(passed, failed, rate)))


def test_what_is_impossible_has_evidence_without_bound() -> None:
    assert log_evidence(3, 1, 1.0) == math.inf
    assert log_evidence(3, 0, 1.0) < 0


@pytest.mark.parametrize("rate", [0.5, 0.95, 0.99])
def test_looked_at_after_every_trial_it_covers_while_an_ordinary_interval_does_not(rate: float) -> None:
    passed = np.cumsum(np.random.default_rng(8).random((300, 400)) < rate, axis=1)
    looks = range(9, 400, 10)

    def misses(interval: object) -> float:
        assert callable(interval)
        bounds = {(n, k): interval(k, n) for n in (look + 1 for look in looks) for k in set(passed[:, n - 1].tolist())}
        out = [
            any(not bounds[look + 1, row[look]][0] <= rate <= bounds[look + 1, row[look]][1] for look in looks)
            for row in passed.tolist()
        ]
        return float(np.mean(out))

    assert misses(confidence_sequence) <= 0.05
    assert misses(clopper_pearson) > 0.05


@pytest.mark.parametrize(("passed", "trials"), [(20, 20), (0, 7), (297, 300), (1, 2)])
def test_it_is_wider_than_the_interval_for_one_look(passed: int, trials: int) -> None:
    low, high = confidence_sequence(passed, trials)

    once = clopper_pearson(passed, trials)
    assert low <= once[0]
    assert once[1] <= high


@pytest.mark.parametrize(
    ("passed", "trials", "confidence", "complaint"),
    [(0, 0, 0.95, "trials must be at least 1"), (3, 2, 0.95, "from 0 to 2"), (1, 2, 1.0, "between 0 and 1")],
)
def test_nonsense_is_refused(passed: int, trials: int, confidence: float, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        confidence_sequence(passed, trials, confidence)
