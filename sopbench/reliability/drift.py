"""Which of two moved when the rate moved: the site, or the model.

Both can be frozen: the site as a mock, the model's answers in a cassette. Trials in which only one of the two was live
can move by that one alone, so each is compared with itself, before and after:

    site     decisions   moves by
    mock     cassette    neither: the procedure, or the harness
    mock     live        the model
    real     cassette    the site
    real     live        any of them: such trials tell that something moved, not what
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scipy.stats import fisher_exact  # type: ignore[import-untyped]

from sopbench.reliability.answers import counted, percent
from sopbench.reliability.comparison import Counts
from sopbench.reliability.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Mapping

Mover = Literal["procedure", "model", "site"]
Moved = Literal["moved", "stayed", "cannot tell"]

LIVE: dict[Mover, tuple[bool, bool]] = {"procedure": (False, False), "model": (False, True), "site": (True, False)}
"""What moves the trials by itself → whether the site was live in them, and whether the decisions were."""
MARGIN = 0.1
"""A change of the rate by less than this counts as none, unless told."""


@dataclass(frozen=True)
class Compared:
    """Trials that one thing alone can move, before and after."""

    mover: Mover
    before: Counts | None
    """None where there was no such trial."""
    after: Counts | None
    answer: Moved
    p: float | None
    """Of Fisher's exact test, two-sided."""
    low: float | None
    """Of the change of the rate, at the confidence that all comparisons together keep."""
    high: float | None


@dataclass(frozen=True)
class Drift:
    """What moved, as far as it can be told."""

    compared: tuple[Compared, ...]
    moved: tuple[Mover, ...]
    """Empty when nothing is known to have moved. When the procedure did, nothing else can be named."""
    sentence: str


def drift(
    before: Mapping[tuple[bool, bool], Counts],
    after: Mapping[tuple[bool, bool], Counts],
    alpha: float = 0.05,
    margin: float = MARGIN,
) -> Drift:
    """Name what moved between two sets of trials, each counted by (site was live, decisions were live).

    Three comparisons, each at ``alpha`` / 3 (Bonferroni): if nothing moved, one is named with a chance of at most
    ``alpha``. *moved*: Fisher's exact test, two-sided ("The logic of inductive inference", Journal of the Royal
    Statistical Society 98 (1935), 39–82). *stayed*: not that, and the interval of the change lies within ± ``margin``;
    Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17
    (1998), 873–890, method 10. *cannot tell*: neither. Trials must be independent.

    Raises: ValueError on an alpha or a margin outside (0, 1).
    """
    for name, share in (("alpha", alpha), ("margin", margin)):
        if not 0 < share < 1:
            raise ValueError(f"{name} must be between 0 and 1, got {share:g}")
    each = alpha / len(LIVE)
    compared = tuple(_compared(mover, before.get(live), after.get(live), each, margin) for mover, live in LIVE.items())
    procedure, *others = compared
    if procedure.answer == "moved":
        moved: tuple[Mover, ...] = ("procedure",)
    else:
        moved = tuple(other.mover for other in others if other.answer == "moved")
    return Drift(compared, moved, f"{_head(compared, moved)} {_details(compared)}")


def change_interval(before: Counts, after: Counts, confidence: float = 0.95) -> tuple[float, float]:
    """The interval of the change of a rate, after less before, from -1 to 1. Source: see ``drift``."""
    was, now = before.rate, after.rate
    was_low, was_high = wilson(before.passed, before.trials, confidence)
    now_low, now_high = wilson(after.passed, after.trials, confidence)
    change = now - was
    return (
        change - math.hypot(now - now_low, was_high - was),
        change + math.hypot(now_high - now, was - was_low),
    )


def _compared(mover: Mover, before: Counts | None, after: Counts | None, alpha: float, margin: float) -> Compared:
    if before is None or after is None:
        return Compared(mover, before, after, "cannot tell", None, None, None)
    p = float(fisher_exact([[before.passed, before.failed], [after.passed, after.failed]]).pvalue)
    low, high = change_interval(before, after, 1 - alpha)
    answer: Moved = "moved" if p <= alpha else "stayed" if -margin < low and high < margin else "cannot tell"
    return Compared(mover, before, after, answer, p, low, high)


def _head(compared: tuple[Compared, ...], moved: tuple[Mover, ...]) -> str:
    if moved == ("procedure",):
        return (
            "The rate moved with the site and the decisions both frozen: the procedure or the harness changed, and"
            " nothing can be said of the site or the model."
        )
    answers = {each.mover: each.answer for each in compared}
    unknown = [mover for mover in ("model", "site") if answers[mover] == "cannot tell"]
    if len(moved) == 2:
        return "The site and the model both moved."
    if moved:
        other = "model" if moved == ("site",) else "site"
        rest = f"; of the {other} it cannot be told" if unknown else f", and the {other} did not"
        return f"The {moved[0]} moved{rest}."
    if unknown:
        return f"It cannot be told whether the {' or the '.join(unknown)} moved."
    return "Neither the site nor the model moved."


_ALONE: dict[Mover, str] = {
    "procedure": "site and decisions frozen",
    "model": "only the decisions live",
    "site": "only the site live",
}


def _details(compared: tuple[Compared, ...]) -> str:
    return " ".join(f"{_detail(each)}." for each in compared)


def _detail(each: Compared) -> str:
    name = _ALONE[each.mover].capitalize()
    if each.before is None or each.after is None or each.p is None or each.low is None or each.high is None:
        missing = " and ".join(
            when for when, counts in (("before", each.before), ("after", each.after)) if counts is None
        )
        return f"{name}: no trials {missing}"
    return (
        f"{name}: {_share(each.before)} before, {_share(each.after)} after, a change of"
        f" {each.low * 100:+.0f} to {each.high * 100:+.0f} points (p = {each.p:.2g}): {each.answer}"
    )


def _share(counts: Counts) -> str:
    return f"{percent(counts.rate)} of {counted(counts.trials)}"
