"""Where in the procedure time, retries, heals and failures happen: its graph, coloured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Polygon, Rectangle

from sopbench.charts.data import NO_RUNS
from sopbench.charts.showing import FAINT, GRID, INK, Words, drawing
from sopbench.errors import SopbenchError
from sopbench.events.log import LOG_NAME
from sopbench.events.types import RunStarted, parse_event
from sopbench.records.evidence import versions
from sopbench.reliability.answers import counted
from sopbench.sop.flow import Flow
from sopbench.sop.loader import load
from sopbench.sop.nodes import TriggerNode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

    from sopbench.charts.showing import Shown
    from sopbench.records.frames import RunFrames
    from sopbench.sop.nodes import Node

HEAT = LinearSegmentedColormap.from_list("heat", ["#fdf6e6", "#f2c879", "#d9772f", "#9c1f3f"])
MEASURES = ("time", "retries", "heals", "failures")
HEADS = {
    "time": "time,\n% of all",
    "retries": "retries\nof 100",
    "heals": "heals\nof 100",
    "failures": "failures\nof 100",
}
ROW = 0.27
"""Inches."""
BOX_LEFT, BOX_RIGHT, CELLS, CELL = 0.7, 5.9, 7.0, 0.9
INDENT = 0.35
LONGEST_LABEL = 44
LINE = "#7d8b9a"


@dataclass(frozen=True)
class Row:
    """One node, at its place."""

    node: str
    label: str
    kind: str
    depth: int


@dataclass(frozen=True)
class Procedure:
    """What is drawn of one procedure."""

    sop: str
    title: str
    rows: tuple[Row, ...]
    edges: tuple[tuple[str, str, str], ...]
    """Source, target, condition."""
    nodes: pd.DataFrame
    """Summed over conditions, by node."""
    trials: int
    remark: str


def procedures(frames: RunFrames, document: str | None = None) -> tuple[Procedure, ...]:
    """The procedures of the stored runs, each in its last version; or only the one of the document.

    Raises: DocumentInvalid when the document that is given cannot be read.
    """
    found = []
    for sop, sha256 in versions(frames.runs).items():
        runs = frames.runs[(frames.runs["sha256"] == sha256) & (frames.runs["verdict"] != "broken")]
        nodes = _summed(frames.nodes_of(sha256))
        file = Path(document) if document else _document_of(frames, sop, sha256)
        loaded = load(file) if file else None
        if document and loaded is not None and loaded.sop.meta.id != sop:
            continue
        remark = (
            "" if loaded else "The document was not found: its nodes stand in the order in which runs came to them."
        )
        if loaded is not None and loaded.sha256 != sha256:
            remark = "The document has changed since the last run; it is drawn as it is now."
        if loaded is not None:
            rows = tuple(_rows_of(loaded.sop.public.nodes, Flow(loaded.sop)))
            edges = tuple((edge.source, edge.target, edge.condition) for edge in loaded.sop.public.edges)
        else:
            rows = tuple(
                Row(str(each.node), str(each.label or each.node), str(each.kind), 0) for each in nodes.itertuples()
            )
            edges = ()
        title = loaded.sop.meta.title if loaded else sop
        found.append(Procedure(sop, title, rows, edges, nodes.set_index("node"), len(runs), remark))
    return tuple(found)


def heatmaps(frames: RunFrames, document: str | None = None) -> list[Shown]:
    """The graph of each procedure, with what happened at each node."""
    if frames.is_empty:
        return [NO_RUNS]
    found = procedures(frames, document)
    if not found:
        return [Words("No run says which procedure it is of.")]
    shown: list[Shown] = []
    for procedure in found:
        remark = f" {procedure.remark}" if procedure.remark else ""
        shown.append(
            Words(
                f"**{procedure.title}** (`{procedure.sop}`), {counted(procedure.trials)} that gave evidence, under all"
                f" conditions.{remark}"
            )
        )
        shown.append(_drawn(procedure))
    return shown


def measures(procedure: Procedure) -> pd.DataFrame:
    """By node, in the order of the rows: time in percent of all, the others of 100 visits; NaN where never visited."""
    nodes = procedure.nodes.reindex([row.node for row in procedure.rows])
    visits = nodes["visits"].where(nodes["visits"] > 0)
    total = nodes["own_s"].sum()
    return pd.DataFrame(
        {
            "time": nodes["own_s"] / total * 100 if total else nodes["own_s"],
            "retries": nodes["retries"] / visits * 100,
            "heals": nodes["healed"] / visits * 100,
            "failures": nodes["failed"] / visits * 100,
        }
    )


def _summed(nodes: pd.DataFrame) -> pd.DataFrame:
    columns = ["visits", "failed", "retries", "healed", "own_s"]
    return nodes.groupby(["node", "kind", "label"], observed=True, sort=False)[columns].sum().reset_index()


def _document_of(frames: RunFrames, sop: str, sha256: str) -> Path | None:
    """The file of the version that was run, if it still is there."""
    runs = frames.runs[(frames.runs["sop"] == sop) & (frames.runs["sha256"] == sha256)]
    try:
        with (Path(frames.records) / str(runs["run"].iloc[-1]) / LOG_NAME).open("rb") as log:
            start = parse_event(log.readline())
        file = Path(str(start.context.get("document", ""))) if isinstance(start, RunStarted) else Path()
        load(file)
    except (OSError, ValueError, SopbenchError):
        return None
    return file


def _rows_of(nodes: tuple[Node, ...], flow: Flow) -> Iterator[Row]:
    by_id = {node.id: node for node in nodes}

    def below(node_id: str, depth: int) -> Iterator[Row]:
        node = by_id[node_id]
        if not isinstance(node, TriggerNode):
            yield Row(node.id, node.label, node.type, depth)
        for child in flow.children(node_id):
            yield from below(child, depth + 1)

    for node in nodes:
        if flow.parent(node.id) is None:
            yield from below(node.id, 0)


def _drawn(procedure: Procedure) -> Shown:
    rows, cells = procedure.rows, measures(procedure)
    says = f"Graph of {procedure.sop} with time, retries, heals and failures of its {len(rows)} nodes"
    with drawing(1.0 + ROW * len(rows), says) as ((axes,), made):
        axes.set_xlim(-0.1, CELLS + len(MEASURES) * CELL)
        axes.set_ylim(len(rows) - 0.3, -1.7)
        axes.axis("off")
        for index, row in enumerate(rows):
            _box(axes, row, index, visited=not np.isnan(cells["retries"].iloc[index]))
        _arrows(axes, procedure)
        _cells(axes, cells)
    return made[0]


def _left(row: Row) -> float:
    return BOX_LEFT + row.depth * INDENT


def _box(axes: Axes, row: Row, index: int, *, visited: bool) -> None:
    left, top, bottom = _left(row), index - 0.36, index + 0.36
    point = 0.14 if row.kind == "decision" else 0.0
    corners = [
        (left, index), (left + point, top), (BOX_RIGHT - point, top), (BOX_RIGHT, index), (BOX_RIGHT - point, bottom),
        (left + point, bottom),
    ]  # fmt: skip
    fill = {"decision": "#e4ecf7", "loop": "#eee6f7"}.get(row.kind, "#f4f6f8")
    look = {"facecolor": fill, "linestyle": "-"} if visited else {"facecolor": "white", "linestyle": ":"}
    axes.add_patch(Polygon(corners, closed=True, edgecolor=FAINT, linewidth=0.8, joinstyle="round", **look))
    label = row.label if len(row.label) <= LONGEST_LABEL else f"{row.label[: LONGEST_LABEL - 1]}…"
    extra = "" if visited else "  (never visited)"
    axes.text(left + 0.2, index, f"{label}{extra}", va="center", size=8, color=INK if visited else FAINT)


def _arrows(axes: Axes, procedure: Procedure) -> None:
    """To the next row they go straight down; further down on the right, back up on the left, each in a lane."""
    at = {row.node: index for index, row in enumerate(procedure.rows)}
    edges = [(at[a], at[b], condition) for a, b, condition in procedure.edges if a in at and b in at]
    for source, target, condition in (edge for edge in edges if edge[1] == edge[0] + 1):
        x = _left(procedure.rows[max(source, target)]) + 0.5
        _line(axes, [(x, source + 0.36), (x, target - 0.36)])
        _word(axes, x + 0.06, source + 0.5, condition, "left")
    for down in (True, False):
        own = [edge for edge in edges if (edge[1] > edge[0]) == down and edge[1] != edge[0] + 1]
        for (source, target, condition), lane in zip(own, _lanes(own), strict=True):
            if down:
                start = end = BOX_RIGHT
                x = BOX_RIGHT + 0.2 + 0.1 * lane
            else:
                start, end = _left(procedure.rows[source]), _left(procedure.rows[target])
                x = BOX_LEFT - 0.2 - 0.12 * lane
            leaves, comes = source + (0.12 if down else -0.12), target + (-0.12 if down else 0.12)
            _line(axes, [(start, leaves), (x, leaves), (x, comes), (end, comes)])
            _word(axes, start + (0.04 if down else -0.04), leaves - 0.2, condition, "left" if down else "right")


def _lanes(edges: list[tuple[int, int, str]]) -> list[int]:
    """A lane for each, the short ones inside: those in one lane do not overlap."""
    lanes: list[list[tuple[int, int]]] = []
    chosen = {}
    for index, (source, target, _) in sorted(enumerate(edges), key=lambda each: abs(each[1][0] - each[1][1])):
        low, high = min(source, target), max(source, target)
        free = (
            n
            for n, taken in enumerate(lanes)
            if all(high < other_low or other_high < low for other_low, other_high in taken)
        )
        lane = next(free, len(lanes))
        if lane == len(lanes):
            lanes.append([])
        lanes[lane].append((low, high))
        chosen[index] = lane
    return [chosen[index] for index in range(len(edges))]


def _line(axes: Axes, points: list[tuple[float, float]]) -> None:
    xs, ys = zip(*points, strict=True)
    axes.plot(xs, ys, color=LINE, linewidth=0.9, solid_joinstyle="round")
    axes.annotate(
        "",
        points[-1],
        points[-2],
        arrowprops={
            "arrowstyle": "-|>",
            "color": LINE,
            "linewidth": 0.9,
            "shrinkA": 0,
            "shrinkB": 0,
            "mutation_scale": 7,
        },
    )


def _word(axes: Axes, x: float, y: float, condition: str, side: str) -> None:
    if condition != "next":
        axes.text(x, y, condition.replace("all_processed", "done"), size=6.5, color="#33414f", ha=side, va="center")


def _cells(axes: Axes, cells: pd.DataFrame) -> None:
    for column, measure in enumerate(MEASURES):
        left = CELLS + column * CELL
        axes.text(left + 0.42, -0.75, HEADS[measure], ha="center", va="bottom", size=7.5)
        most = cells[measure].max()
        for index, value in enumerate(cells[measure]):
            known = not np.isnan(value)
            share = value / most if known and most else 0.0
            colour = "white" if not known else HEAT(share) if value else "#fafbfc"
            axes.add_patch(Rectangle((left, index - 0.42), 0.84, 0.84, facecolor=colour, edgecolor=GRID, linewidth=0.6))
            if known:
                text = "0" if not value else f"{value:.1f}" if value >= 0.05 else "<0.1"
                axes.text(
                    left + 0.42, index, text, ha="center", va="center", size=7, color="white" if share > 0.6 else INK
                )
