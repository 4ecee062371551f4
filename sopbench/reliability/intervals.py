"""How much a number of trials says: exact intervals for a rate, and the trials a claim takes.

Everything here assumes independent trials whose number was fixed beforehand.
"""

from __future__ import annotations

import math

from scipy.special import betaincinv  # type: ignore[import-untyped]  # scipy.stats takes 1.3 s to import, this 0.4 s


def clopper_pearson(passed: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact two-sided interval for the rate behind ``passed`` of ``trials``, as shares from 0 to 1.

    The bounds are quantiles of beta distributions: Beta(passed, trials - passed + 1) below and
    Beta(passed + 1, trials - passed) above. It never covers less often than ``confidence`` says.
    Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
    Biometrika 26 (1934), 404–413.

    Raises: ValueError on fewer than one trial, more passed than tried, or a confidence outside (0, 1).
    """
    _check_confidence(confidence)
    if trials < 1:
        raise ValueError(f"trials must be at least 1, got {trials}")
    if not 0 <= passed <= trials:
        raise ValueError(f"passed must be from 0 to {trials}, got {passed}")
    tail = (1 - confidence) / 2
    low = float(betaincinv(passed, trials - passed + 1, tail)) if passed else 0.0
    high = float(betaincinv(passed + 1, trials - passed, 1 - tail)) if passed < trials else 1.0
    return low, high


def trials_needed(reliability: float, confidence: float = 0.95) -> int:
    """The fewest trials that, all passed, show a rate of at least ``reliability``, one-sided.

    The least n with reliability**n ≤ 1 - confidence: were the rate any lower, n passes in a row would be rarer than
    that. 299 for 99 % at 95 % confidence. A single failure, and it takes more. The one-sided case of Clopper–Pearson
    without a failure; for 95 % known as the "rule of three", n ≈ 3 / (1 - reliability): Hanley and Lippman-Hand,
    "If nothing goes wrong, is everything all right?", JAMA 249 (1983), 1743–1745.

    Raises: ValueError when either share is not between 0 and 1.
    """
    _check_confidence(confidence)
    if not 0 < reliability < 1:
        raise ValueError(f"reliability must be between 0 and 1, got {reliability}")
    exact = math.log1p(-confidence) / math.log(reliability)
    nearest = round(exact)
    return max(1, nearest if math.isclose(exact, nearest, rel_tol=1e-12) else math.ceil(exact))


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, got {confidence}")
