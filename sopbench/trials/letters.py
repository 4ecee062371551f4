"""What was written in a mailbox during a run, held against the drafts a case expects.

What a text says in figures is read as the check of generated texts reads it; what it should say was written by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sopbench.sop.grounding import gaps, says
from sopbench.trials.case import Column, Compare
from sopbench.trials.cells import cell_problem
from sopbench.trials.oracle import Match
from sopbench.trials.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sopbench.trials.case import ExpectedDraft, SiteCase


@dataclass(frozen=True)
class Letter:
    """A mail that was written on the site, not one that was there before."""

    to: tuple[str, ...]
    """Addresses."""
    cc: tuple[str, ...]
    subject: str
    text: str
    is_sent: bool = False
    """Else it lies among the drafts."""


class LetterOracle:
    """Drafts that should be there; any other, and anything that was sent, is wrong."""

    def __init__(self, case: SiteCase, read: Callable[[], Sequence[Letter]]) -> None:
        self._case = case
        self._read = read

    def matches(self) -> Match:
        """Whether just the expected drafts are there, and nothing was sent."""
        return Match("drafts", self.outcome())

    def outcome(self) -> Outcome:
        return compare_letters(self._case.drafts, self._read())


def compare_letters(expected: Sequence[ExpectedDraft], written: Sequence[Letter]) -> Outcome:
    """A draft that is not there is *missing*; one that is not as it should be, or not expected, is *wrong*."""
    wrong = [f"mail {each.subject!r} was sent to {', '.join(each.to)}" for each in written if each.is_sent]
    drafts = [each for each in written if not each.is_sent]
    missing = []
    for wanted in expected:
        found = _counterpart(wanted, drafts)
        if found is None:
            missing.append(f"no draft {wanted.subject!r}")
            continue
        drafts.remove(found)
        wrong += [f"draft {wanted.subject!r}: {problem}" for problem in _problems(wanted, found)]
    wrong += [f"extra draft {each.subject!r}" for each in drafts]
    return Outcome(missing=tuple(missing), wrong=tuple(wrong))


def _counterpart(wanted: ExpectedDraft, drafts: Sequence[Letter]) -> Letter | None:
    same = [each for each in drafts if each.subject == wanted.subject]
    return next(iter([*same, *drafts]), None)


def _problems(wanted: ExpectedDraft, found: Letter) -> Iterator[str]:
    for name in ("to", "cc"):
        should, there = (sorted(a.casefold() for a in getattr(each, name)) for each in (wanted, found))
        if should != there:
            yield f"{name} is {', '.join(there) or 'nobody'}, expected {', '.join(should) or 'nobody'}"
    if found.subject != wanted.subject:
        yield f"its subject is {found.subject!r}"
    everything = f"{found.subject}\n{found.text}"
    yield from (f"does not say {figure!r}" for figure in wanted.figures if not says(everything, figure))
    for gap in gaps(everything, [], said=wanted.figures):
        if gap.kind != "name":
            yield f"says {gap.text!r}, which it should not"
    problem = cell_problem(Column(compare=Compare.FACTS), "", wanted.facts, found.text) if wanted.facts else ""
    if problem:
        yield problem
