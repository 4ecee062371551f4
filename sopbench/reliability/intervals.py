"""How much a number of trials says: intervals for a rate, and the trials a claim takes.

Everything here assumes independent trials whose number was fixed beforehand. Where it was not, see
``confidence_sequence``; where trials come in clusters, see ``clusters``.
"""

from __future__ import annotations

import math

from scipy.special import betaincinv, ndtri  # type: ignore[import-untyped]  # scipy.stats takes 1.3 s, this 0.4 s


def clopper_pearson(passed: float, trials: float, confidence: float = 0.95) -> tuple[float, float]:
    """The exact two-sided interval for the rate behind ``passed`` of ``trials``, as shares from 0 to 1.

    The bounds are quantiles of beta distributions: Beta(passed, trials - passed + 1) below and
    Beta(passed + 1, trials - passed) above. It never covers less often than ``confidence`` says.
    Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
    Biometrika 26 (1934), 404–413. Counts need not be whole: effective ones are not (see ``clusters``).

    Raises: ValueError on fewer than one trial, more passed than tried, or a confidence outside (0, 1).
    """
    _check(passed, trials, confidence)
    tail = (1 - confidence) / 2
    low = float(betaincinv(passed, trials - passed + 1, tail)) if passed else 0.0
    high = float(betaincinv(passed + 1, trials - passed, 1 - tail)) if passed < trials else 1.0
    return low, high


def wilson(passed: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The score interval: all rates that a normal approximation would not reject.

    Shorter than ``clopper_pearson``; it covers ``confidence`` on average, and less for rates near 0 or 1, where ours
    are: behind "at least 99 %" it must not stand. (p̂ + z²/2n ± z √(p̂(1-p̂)/n + z²/4n²)) / (1 + z²/n).
    Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), 209–212.

    Raises: ValueError as ``clopper_pearson`` does.
    """
    _check(passed, trials, confidence)
    z = float(ndtri(1 - (1 - confidence) / 2))
    share = passed / trials
    centre = share + z * z / (2 * trials)
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    low, high = ((centre + sign * half) / (1 + z * z / trials) for sign in (-1, 1))
    return (low if passed else 0.0), (high if passed < trials else 1.0)


def jeffreys(passed: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The equal-tailed interval of Beta(passed + ½, trials - passed + ½): what to believe after the trials.

    The lower bound is 0 when none passed, the upper 1 when all did. It covers ``confidence`` on average only, as
    ``wilson`` does. Source: Brown, Cai and DasGupta, "Interval estimation for a binomial proportion", Statistical
    Science 16 (2001), 101–133, section 3.1.2.

    Raises: ValueError as ``clopper_pearson`` does.
    """
    _check(passed, trials, confidence)
    tail = (1 - confidence) / 2
    a, b = passed + 0.5, trials - passed + 0.5
    return (float(betaincinv(a, b, tail)) if passed else 0.0, float(betaincinv(a, b, 1 - tail)) if b > 0.5 else 1.0)


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


def rate_still_possible(trials: int, confidence: float = 0.95) -> float:
    """How frequent a thing may still be that was seen in none of ``trials``: the upper bound of its rate, one-sided.

    1 - (1 - confidence)^(1/n), for 95 % about 3 / n: the rule of three, read the other way (source: ``trials_needed``).

    Raises: ValueError on fewer than one trial, or a confidence outside (0, 1).
    """
    _check(0, trials, confidence)
    return -math.expm1(math.log1p(-confidence) / trials)


def _check(passed: float, trials: float, confidence: float) -> None:
    _check_confidence(confidence)
    if not trials >= 1:
        raise ValueError(f"trials must be at least 1, got {trials}")
    if not 0 <= passed <= trials:
        raise ValueError(f"passed must be from 0 to {trials}, got {passed}")


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, got {confidence}")
