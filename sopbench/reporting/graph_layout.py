"""Where the nodes of a procedure stand when it is drawn: one below the other, what is inside a loop or a task indented.

The order is the document's. A way to the next row is a short arrow; any other runs in a lane at the right, and all
ways to one node share its lane. All lengths in pixels; the text of a node is 13 pixels high.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sopbench.sop.flow import Flow

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sopbench.sop.document import Sop
    from sopbench.sop.nodes import Node

ROW, NOTE, GAP, FRAME = 30, 17, 18, 8
NARROW = 480
"""Below this width there is less room for lanes, names of ways and indents."""
EDGE = 2
ASIDE = 7
"""How far above its middle a node is reached from a lane; ways leave it in the middle."""


@dataclass(frozen=True)
class Box:
    """A node's place."""

    node: str
    label: str
    kind: str
    depth: int
    x: float
    y: float
    width: float
    height: float
    bottom: float
    """Where the node ends, with all that is inside it."""

    @property
    def middle(self) -> float:
        return self.y + self.height / 2

    @property
    def right(self) -> float:
        return self.x + self.width


@dataclass(frozen=True)
class Arrow:
    """A way to the next row."""

    source: str
    condition: str
    target: str
    x: float
    top: float
    bottom: float


@dataclass(frozen=True)
class Exit:
    """Where a way leaves its node for a lane."""

    source: str
    condition: str
    x: float
    y: float


@dataclass(frozen=True)
class Lane:
    """All ways to one node that is not in the next row."""

    target: str
    x: float
    exits: tuple[Exit, ...]
    to_x: float
    to_y: float

    @property
    def top(self) -> float:
        return min(self.to_y, *(each.y for each in self.exits))

    @property
    def bottom(self) -> float:
        return max(self.to_y, *(each.y for each in self.exits))


@dataclass(frozen=True)
class Layout:
    """A drawing's geometry."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    frames: tuple[Box, ...]
    """Those of ``boxes`` that have others inside."""
    arrows: tuple[Arrow, ...]
    lanes: tuple[Lane, ...]
    label_x: float
    """Where the names of the ways that leave for a lane begin."""


def lay_out(sop: Sop, width: float, noted: Collection[str] = ()) -> Layout:
    """Place everything; the nodes in ``noted`` are a line higher, for a note."""
    flow = Flow(sop)
    order = list(_order(sop, flow))
    lanes_needed = _lane_numbers(sop, flow, [node.id for node, _ in order])
    room = _Room(13, 66, 14) if width >= NARROW else _Room(9, 50, 9)
    body = width - 2 * EDGE - room.label - room.lane * (max(lanes_needed.values(), default=-1) + 1)
    boxes = _boxes(order, flow, _Column(body, room.indent), noted)
    arrows, exits = _ways(sop, flow, boxes)
    label_x = EDGE + body + 5
    first = EDGE + body + room.label
    lanes = tuple(
        Lane(to, first + room.lane * lanes_needed[to], ways, boxes[to].right, boxes[to].middle - ASIDE)
        for to, ways in exits.items()
    )
    frames = tuple(box for box in boxes.values() if flow.children(box.node))
    height = max((box.bottom for box in boxes.values()), default=0) + EDGE
    return Layout(width, height, tuple(boxes.values()), frames, tuple(arrows), lanes, label_x)


@dataclass(frozen=True)
class _Room:
    """How wide a lane is, the name of a way, an indent."""

    lane: float
    label: float
    indent: float


@dataclass(frozen=True)
class _Column:
    """How wide the boxes are that stand inside nothing, and how far those inside are indented."""

    width: float
    indent: float


def _order(sop: Sop, flow: Flow) -> Iterator[tuple[Node, int]]:
    """Every node once, each right after what it is inside of, and how deep it is."""
    seen: set[str] = set()

    def below(node: Node, depth: int) -> Iterator[tuple[Node, int]]:
        if node.id in seen:
            return
        seen.add(node.id)
        yield node, depth
        for child in flow.children(node.id):
            yield from below(flow.node(child), depth + 1)

    for node in sop.public.nodes:
        if flow.parent(node.id) is None:
            yield from below(node, 0)
    for node in sop.public.nodes:
        yield from below(node, 0)


def _boxes(order: list[tuple[Node, int]], flow: Flow, column: _Column, noted: Collection[str]) -> dict[str, Box]:
    tops: dict[str, tuple[float, float]] = {}
    bottoms: dict[str, float] = {}
    y = float(EDGE)
    for number, (node, depth) in enumerate(order):
        height = ROW + (NOTE if node.id in noted else 0)
        tops[node.id] = (y, height)
        y += height
        following = order[number + 1][1] if number + 1 < len(order) else 0
        bottoms[node.id] = y
        for container in list(flow.around(node.id))[: max(0, depth - following)]:
            y += FRAME
            bottoms[container] = y
        y += GAP
    return {
        node.id: Box(
            node.id,
            node.label,
            node.type,
            depth,
            EDGE + column.indent * depth,
            tops[node.id][0],
            column.width - (column.indent + FRAME) * depth,
            tops[node.id][1],
            bottoms[node.id],
        )
        for node, depth in order
    }


def _ways(sop: Sop, flow: Flow, boxes: dict[str, Box]) -> tuple[list[Arrow], dict[str, tuple[Exit, ...]]]:
    following = _following(list(boxes), flow)
    arrows, exits = [], dict[str, tuple[Exit, ...]]()
    for container, box in boxes.items():
        first = flow.enter(container)
        if first is not None and first in boxes:
            arrows.append(_arrow(container, "", box.y + box.height, boxes[first]))
    for edge in sop.public.edges:
        if edge.source not in boxes or edge.target not in boxes:
            continue
        source = boxes[edge.source]
        if following.get(edge.source) == edge.target:
            arrows.append(_arrow(edge.source, edge.condition, source.bottom, boxes[edge.target]))
            continue
        way = Exit(edge.source, edge.condition, source.right, source.middle)
        exits[edge.target] = (*exits.get(edge.target, ()), way)
    return arrows, exits


def _arrow(source: str, condition: str, top: float, target: Box) -> Arrow:
    return Arrow(source, condition, target.node, target.x + 16, top, target.y)


def _following(order: list[str], flow: Flow) -> dict[str, str]:
    """Node → the one in the next row after all that is inside it."""
    found = {}
    for number, node in enumerate(order):
        after = next((each for each in order[number + 1 :] if not flow.contains(node, each)), None)
        if after is not None:
            found[node] = after
    return found


def _lane_numbers(sop: Sop, flow: Flow, order: list[str]) -> dict[str, int]:
    """Target → its lane, the innermost 0; the shortest ways are innermost, and no two in one lane meet."""
    following, rows = _following(order, flow), {node: number for number, node in enumerate(order)}
    spans: dict[str, tuple[int, int]] = {}
    for edge in sop.public.edges:
        if edge.source not in rows or edge.target not in rows or following.get(edge.source) == edge.target:
            continue
        low, high = spans.get(edge.target, (rows[edge.target],) * 2)
        spans[edge.target] = (min(low, rows[edge.source]), max(high, rows[edge.source]))
    taken: list[list[tuple[int, int]]] = []
    found = {}
    for target, (low, high) in sorted(spans.items(), key=lambda item: item[1][1] - item[1][0]):
        free = (lane for lane, spans_of in enumerate(taken) if all(high < a or low > b for a, b in spans_of))
        lane = next(free, len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append((low, high))
        found[target] = lane
    return found
