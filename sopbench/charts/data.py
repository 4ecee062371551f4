"""What all notebooks begin with: the runs, what of them counts, and what is said where there are none."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from sopbench.charts.showing import Listing, Words
from sopbench.records.evidence import alike
from sopbench.reliability.answers import counted

if TYPE_CHECKING:
    from sopbench.charts.showing import Shown
    from sopbench.records.frames import RunFrames

NOTHING = Words("*No runs are stored here yet.* Run `pytest` or `sopbench run`, then make this report again.")
NO_RUNS = Words("*No runs.*")


def or_nothing(show: Callable[..., Shown]) -> Callable[..., Shown]:
    """A view that says so where there are no runs."""

    @wraps(show)
    def shown(frames: RunFrames, *arguments: Any, **named: Any) -> Shown:
        return NO_RUNS if frames.is_empty else show(frames, *arguments, **named)

    return shown


def what_is_in(frames: RunFrames, *, as_rates: bool = False) -> Words:
    """How many runs there are, from when to when, and what counts nowhere.

    With ``as_rates`` also what is left out because it was held otherwise than the last of its scenario.
    """
    if frames.is_empty and frames.excluded.empty:
        return NOTHING
    runs = frames.runs
    lines = [f"**{counted(len(runs), 'run')}** in `{frames.records}`"]
    if runs["began"].notna().any():
        lines[0] += f", begun from {runs['began'].min():%Y-%m-%d %H:%M} to {runs['began'].max():%Y-%m-%d %H:%M} UTC"
    lines[0] += "."
    broken = int((runs["verdict"] == "broken").sum())
    if broken:
        share = broken / len(runs) * 100
        lines.append(f"{counted(broken)} ({share:.1f} %) broke: they are no evidence and are left out of the rates.")
    if as_rates:
        lines.extend(f"Not counted with the others: {left}." for left in alike(runs).left_out)
    if not frames.excluded.empty:
        lines.append("Left out, or counted as broken:")
        tally = frames.excluded["why"].value_counts()
        lines.append("\n".join(f"* {counted(int(number), 'folder')} {why}" for why, number in tally.items() if number))
    return Words("\n\n".join(lines))


def listing(columns: str, rows: list[tuple[object, ...]], numbers: str = "", empty: str = "") -> Listing:
    """A table; the columns are given apart by ``|``."""
    return Listing(
        tuple(columns.split("|")),
        rows,
        frozenset(numbers.split("|")),
        empty or "There is nothing to list.",
    )
