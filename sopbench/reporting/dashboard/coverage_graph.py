"""Coverage drawn on the procedure's graph: how many trials took each node and branch, and what none ever took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.reporting.graph_drawing import BranchLook, NodeLook, draw_graph, shade
from sopbench.reporting.graph_layout import NARROW
from sopbench.reporting.wording import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.records.coverage import Covered
    from sopbench.sop.document import Sop

LIGHT, STRONG = "#e4f0f4", "#3d8aa6"
_NEVER = "never"
_ITEMS = {"no": "no items:", "one": "one item:", "many": "many items:"}
_ITEMS_SHORT = {"no": "none", "one": "one", "many": "many"}


def coverage_graph(sop: Sop, covered: Sequence[Covered], trials: int, *, width: float = 620) -> str:
    """An ``<svg>``: the more trials took a node the stronger its colour; what was never taken is drawn broken."""
    narrow = width < NARROW
    notes = _notes(covered, narrow=narrow)
    nodes = {
        each.way.node: NodeLook(
            fill=shade(min(1.0, each.trials / trials), LIGHT, STRONG) if each.trials else "",
            value=_told(each.trials, narrow=narrow),
            note=notes.get(each.way.node, ""),
            never=not each.trials,
        )
        for each in covered
        if each.way.kind == "node"
    }
    met = {each.way.what: each.trials for each in covered if each.way.kind == "interruption"}
    for interruption in sop.public.interruptions:
        number = met.get(interruption.id, 0)
        look = NodeLook(
            fill=shade(min(1.0, number / trials), LIGHT, STRONG) if number else "",
            value=_told(number, narrow=narrow),
            note=f"when: {interruption.label}",
            never=not number,
        )
        nodes.setdefault(interruption.do[0], look)
    branches = {
        (each.way.node, each.way.what): BranchLook(f"{each.trials:,}" if each.trials else _NEVER, not each.trials)
        for each in covered
        if each.way.kind == "branch"
    }
    untried = sum(not each.trials for each in covered if each.way.kind in ("node", "branch", "loop"))
    title = f"Coverage of {sop.meta.title} by {count(trials, 'trial')}: {count(untried, 'way')} untried"
    return draw_graph(sop, nodes, branches, width=width, title=title)


def _told(trials: int, *, narrow: bool) -> str:
    if not trials:
        return _NEVER
    return f"{trials:,}" if narrow else count(trials, "trial")


def _notes(covered: Sequence[Covered], *, narrow: bool) -> dict[str, str]:
    """Loops by their items; and details of a node that were never used or held."""
    told: dict[str, list[str]] = {}
    for each in covered:
        if each.way.kind == "loop":
            words = _ITEMS_SHORT if narrow else _ITEMS
            taken_by = f"{each.trials:,}" if each.trials else _NEVER
            told.setdefault(each.way.node, []).append(f"{words[each.way.what]} {taken_by}")
    untried: dict[str, int] = {}
    for each in covered:
        if each.way.kind in ("skill", "when", "expectation") and not each.trials:
            untried[each.way.node] = untried.get(each.way.node, 0) + 1
    taken = {each.way.node for each in covered if each.way.kind == "node" and each.trials}
    for node, number in untried.items():
        if node in taken:
            told.setdefault(node, []).append(f"{count(number, 'detail')} of it never")
    return {node: " · ".join(parts) for node, parts in told.items()}
