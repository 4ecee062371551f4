"""What the cases come to: shares per kind with their intervals, and every wrong case by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.mutations.kinds import BOUNDS, KINDS, MUTATIONS, Bound
from benchmarks.mutations.running import WRONG, Case, Kept, Outcome
from sopbench.reliability.intervals import clopper_pearson


def counted(cases: Sequence[Case]) -> dict[str, Any]:
    """Counts and shares of cases that could be made; None for shares of nothing."""
    made = [case for case in cases if case.outcome is not None]
    as_wanted = sum(case.as_wanted for case in made)
    wrong = sum(case.outcome in WRONG for case in made)
    return {
        "cases": len(made),
        "not_applicable": len(cases) - len(made),
        **{outcome.name.lower(): sum(case.outcome is outcome for case in made) for outcome in Outcome},
        "as_wanted": _share(as_wanted, len(made)),
        "wrong": _share(wrong, len(made)),
    }


def _share(number: int, of: int) -> dict[str, Any] | None:
    if of == 0:
        return None
    low, high = clopper_pearson(number, of)
    return {"count": number, "share": number / of, "low": low, "high": high}


def reaches(figures: dict[str, Any], bound: Bound) -> bool | None:
    """Whether a kind's figures are within its bound; None when there are none."""
    if figures["as_wanted"] is None:
        return None
    return bool(figures["as_wanted"]["share"] >= bound.right and figures["wrong"]["share"] <= bound.wrong)


def summary(cases: Sequence[Case]) -> dict[str, Any]:
    """All figures, by target, by kind and by mutation, and every case."""
    figures: dict[str, Any] = {"targets": {}}
    kept_kinds: tuple[Kept, ...] = ("recorded", "sparse")
    for kept in kept_kinds:
        own = [case for case in cases if case.kept == kept]
        if own:
            figures["targets"][kept] = {
                "kinds": {kind: _of_kind(own, kind) for kind in KINDS if any(c.mutation.kind == kind for c in own)},
                "mutations": {
                    mutation.name: counted([case for case in own if case.mutation == mutation])
                    for mutation in MUTATIONS
                    if any(case.mutation == mutation for case in own)
                },
            }
    figures["cases"] = [case.data() for case in cases]
    return figures


def _of_kind(cases: Sequence[Case], kind: str) -> dict[str, Any]:
    figures = counted([case for case in cases if case.mutation.kind == kind])
    bound = BOUNDS.get(kind)
    return {**figures, "reached": reaches(figures, bound) if bound else None}


def show(figures: dict[str, Any], console: Console) -> None:
    """Print the tables, and what went wrong."""
    for kept, own in figures["targets"].items():
        console.print(_table(f"{kept} targets, by kind", own["kinds"]))
        console.print(_table(f"{kept} targets, by mutation", own["mutations"]))
    for case in figures["cases"]:
        if case["outcome"] in WRONG:
            console.print(
                f"{case['outcome']} ({case['target']}): {case['page']}/{case['element']}, {case['mutation']}: "
                f"{case['said']}; took {case['took']}",
                markup=False,
                soft_wrap=True,
            )


def _table(title: str, rows: dict[str, dict[str, Any]]) -> Table:
    table = Table(title=title)
    table.add_column("change")
    for name in ("cases", "exact", "healed", "abstained", "wrong healed", "wrong exact", "none such"):
        table.add_column(name, justify="right")
    for name in ("as wanted", "wrong", "reached"):
        table.add_column(name)
    for name, row in rows.items():
        numbers = ("cases", "exact", "healed", "abstained", "wrong_healed", "wrong_exact", "not_applicable")
        reached = {True: "yes", False: "NO", None: ""}[row.get("reached")]
        table.add_row(name, *(str(row[key]) for key in numbers), _says(row["as_wanted"]), _says(row["wrong"]), reached)
    return table


def _says(share: dict[str, Any] | None) -> str:
    if share is None:
        return ""
    return f"{share['share']:.1%} ({share['low']:.1%}–{share['high']:.1%})"
