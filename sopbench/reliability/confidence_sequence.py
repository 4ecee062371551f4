"""An interval for a rate that may be looked at after every trial, for as long as anybody likes."""

from __future__ import annotations

import math

from scipy.optimize import brentq  # type: ignore[import-untyped]
from scipy.special import betaln, xlogy  # type: ignore[import-untyped]

PRIOR = (0.5, 0.5)
"""Of the mixture: Jeffreys', which has much of its weight near 0 and 1, where rates of procedures are."""


def log_evidence(passed: int, failed: int, rate: float, prior: tuple[float, float] = PRIOR) -> float:
    """Logarithm of the evidence against ``rate`` being true: how much better a beta mixture explains the trials.

    M = B(a + passed, b + failed) / B(a, b) / (rate^passed · (1 - rate)^failed). If ``rate`` is true, M is a martingale
    that starts at 1 and never is negative, so the chance that it *ever* reaches 1 / alpha is at most alpha (Ville,
    "Étude critique de la notion de collectif" (1939)). Infinite when the trials are impossible under ``rate``.

    Raises: ValueError on counts below 0 or a rate outside [0, 1].
    """
    if passed < 0 or failed < 0:
        raise ValueError(f"counts must be at least 0, got {passed} passed and {failed} failed")
    if not 0 <= rate <= 1:
        raise ValueError(f"rate must be from 0 to 1, got {rate}")
    a, b = prior
    mixture = betaln(a + passed, b + failed) - betaln(a, b)
    return float(mixture - xlogy(passed, rate) - xlogy(failed, 1 - rate))


def confidence_sequence(passed: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The rates that the evidence does not speak against, after this many trials.

    All rates with M < 1 / (1 - confidence); see ``log_evidence``. Looked at after every trial for ever, it covers the
    true rate at *all* those times together with at least ``confidence``. An interval for a fixed number does not: it
    is wider than ``clopper_pearson`` for that reason.
    Source: Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of Mathematical
    Statistics 41 (1970), 1397–1409; Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic
    confidence sequences", Annals of Statistics 49 (2021), 1055–1080.

    Raises: ValueError on fewer than one trial, more passed than tried, or a confidence outside (0, 1).
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, got {confidence}")
    if trials < 1:
        raise ValueError(f"trials must be at least 1, got {trials}")
    if not 0 <= passed <= trials:
        raise ValueError(f"passed must be from 0 to {trials}, got {passed}")
    limit = -math.log1p(-confidence)
    failed, share = trials - passed, passed / trials

    def beyond(rate: float) -> float:
        return min(log_evidence(passed, failed, rate), 1e300) - limit

    low = float(brentq(beyond, 0.0, share, xtol=1e-12)) if passed else 0.0
    high = float(brentq(beyond, share, 1.0, xtol=1e-12)) if failed else 1.0
    return low, high
