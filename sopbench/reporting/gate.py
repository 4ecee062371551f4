"""What a gate answered, for a terminal: one paragraph, then its claims."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from sopbench.reporting.terminal import Lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sopbench.reliability.answers import Answer, Outcome

OUTCOME, CLAIM = 10, 16
STYLES: dict[Outcome, str] = {"pass": "green", "fail": "bold red", "undecided": "yellow"}
_ROWS = 12


def gate_answer(answer: Answer, left_out: Iterable[object] = ()) -> Lines:
    """The answer as a rich renderable; what was left out is said last."""
    lines = Lines()
    lines.add(answer.text, rows=_ROWS)
    lines.add("")
    for (scenario, condition), claims in groupby(answer.claims, key=lambda claim: (claim.scenario, claim.condition)):
        lines.add((f"{scenario} · {condition}", "bold"))
        for claim in claims:
            state = (f"  {claim.outcome:<{OUTCOME}}", STYLES[claim.outcome])
            lines.add(state, f"{claim.claim:<{CLAIM}}", claim.sentence, rows=_ROWS, hang=2 + OUTCOME + CLAIM)
    for each in left_out:
        lines.add((f"left out: {each}", "dim"), rows=3, hang=2)
    return lines
