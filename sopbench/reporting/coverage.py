"""Coverage of a procedure, for a terminal: what was never taken first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.records.coverage import KINDS
from sopbench.reporting.terminal import Lines
from sopbench.reporting.wording import count, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sopbench.records.coverage import Covered

KIND, NAME, TRIALS = 12, 34, 12


def coverage_lines(title: str, conditions: Mapping[str, int], covered: Sequence[Covered]) -> Lines:
    """All ways of one document; ``conditions`` says how many trials there were under each."""
    lines = Lines()
    under = ", ".join(f"{number:,} {name}" for name, number in conditions.items())
    lines.add((f"{title}  ", "bold"), count(sum(conditions.values()), "trial"), f" ({under})" if under else "", rows=0)
    untried = [each for each in covered if not each.trials]
    for each in untried:
        _row(lines, each, (f"{'never':>{TRIALS - 2}}  ", "yellow"))
    if untried:
        lines.add("")
    for each in sorted((each for each in covered if each.trials), key=lambda each: KINDS.index(each.way.kind)):
        _row(lines, each, (f"{count(each.trials, 'trial'):>{TRIALS - 2}}  ", ""))
    lines.add("")
    lines.add("  ", " · ".join(_share(covered, kind) for kind in KINDS if _of(covered, kind)), rows=3, hang=2)
    return lines


def _row(lines: Lines, each: Covered, trials: tuple[str, str]) -> None:
    by_node = each.way.kind in ("skill", "when", "expectation")
    name = one_line(each.way.node if by_node else each.way.name, NAME - 1)
    under = ", ".join(f"{number:,} {condition}" for condition, number in each.conditions.items())
    said = one_line(each.way.says, 60)
    told = " · ".join(part for part in ((under if len(each.conditions) > 1 else ""), said) if part)
    lines.add(f"  {each.way.kind:<{KIND}}", trials, f"{name:<{NAME}}", (told, "dim"))


def _of(covered: Sequence[Covered], kind: str) -> list[Covered]:
    return [each for each in covered if each.way.kind == kind]


def _share(covered: Sequence[Covered], kind: str) -> str:
    own = _of(covered, kind)
    return f"{kind} {sum(bool(each.trials) for each in own)} of {len(own)}"
