"""Static checks of the ways through: what is never reached, and what is never left.

Works on a graph with two vertices for each node that has children (coming in, and going on after it), so that every
step a run can take is one edge of that graph. All walks are linear in its size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from sopbench.sop.flow import ALL_PROCESSED, NEXT
from sopbench.sop.nodes import DecisionNode, EndNode, LoopNode, TriggerNode
from sopbench.sop.problems import Finding

if TYPE_CHECKING:
    from sopbench.sop.document import Sop
    from sopbench.sop.flow import Flow

_END = "\0end"
_AFTER = "\0after"
_Graph = dict[str, list[str]]


def reach_findings(sop: Sop, flow: Flow) -> Iterator[Finding]:
    """Nodes that no run can reach, and circles that no run can leave."""
    graph = _graph(sop, flow)
    starts = [node.id for node in sop.public.nodes if isinstance(node, TriggerNode)]
    beside = [node_id for each in sop.public.interruptions for node_id in each.do]
    reached = _walk(graph, [*starts, *([flow.start] if flow.start else []), *beside])
    place = {node.id: f"/public/nodes/{index}" for index, node in enumerate(sop.public.nodes)}
    yield from _never_reached(graph, flow, reached, place)
    yield from _never_left(graph, flow, reached, place)


def _graph(sop: Sop, flow: Flow) -> _Graph:
    graph: _Graph = {_END: []}
    for node in sop.public.nodes:
        first = flow.enter(node.id)
        if isinstance(node, EndNode):
            graph[node.id] = [_END]
        elif isinstance(node, LoopNode):
            graph[node.id] = [*([first] if first else []), node.id + _AFTER]
            graph[node.id + _AFTER] = _after(node.id, ALL_PROCESSED, flow)
        elif first:
            graph[node.id] = [first]
            graph[node.id + _AFTER] = _after(node.id, NEXT, flow)
        elif isinstance(node, DecisionNode):
            graph[node.id] = [_landing(node.id, target, flow) for target in flow.branches(node.id).values()]
        else:
            graph[node.id] = _after(node.id, NEXT, flow)
    return graph


def _after(node_id: str, condition: str, flow: Flow) -> list[str]:
    target = flow.next_node(node_id, condition)
    if target is not None:
        return [_landing(node_id, target, flow)]
    parent = flow.parent(node_id)
    if parent is None:
        return [_END]
    return [parent if isinstance(flow.node(parent), LoopNode) else parent + _AFTER]


def _landing(source: str, target: str, flow: Flow) -> str:
    loop = flow.innermost_loop(source)
    return loop if loop is not None and flow.is_back_edge(loop, target) else target


def _walk(graph: _Graph, starts: Iterable[str], known: AbstractSet[str] = frozenset()) -> set[str]:
    """What can be reached from ``starts``, not going through what is ``known``."""
    pending = list(starts)
    seen = set(pending)
    while pending:
        new = [each for each in graph[pending.pop()] if each not in seen and each not in known]
        seen.update(new)
        pending += new
    return seen


def _never_reached(graph: _Graph, flow: Flow, reached: set[str], place: dict[str, str]) -> Iterator[Finding]:
    """One finding for each beginning of an unreached part; what follows from there would be reached with it."""
    lost = [node_id for node_id in place if node_id not in reached]
    led_to = {each for node_id in lost for each in graph[node_id]}
    covered = set(reached)
    for node_id in [*(each for each in lost if each not in led_to), *lost]:
        if node_id in covered:
            continue
        covered |= _walk(graph, [node_id], covered)
        parent = flow.parent(node_id)
        hint = f"lead an edge to it, from another child of {parent!r}" if parent else "lead an edge to it, or remove it"
        yield Finding(place[node_id], "error", f"no way leads to node {node_id!r}", hint)


def _never_left(graph: _Graph, flow: Flow, reached: set[str], place: dict[str, str]) -> Iterator[Finding]:
    """One finding for each circle from which no way leads to an end."""
    back: _Graph = {vertex: [] for vertex in graph}
    for vertex, targets in graph.items():
        for target in targets:
            back[target].append(vertex)
    stuck = reached - _walk(back, [_END])
    told: set[str] = set()
    for node_id in place:
        if node_id not in stuck or node_id in told:
            continue
        path: dict[str, None] = {}
        vertex = node_id
        while vertex not in path and vertex not in told and graph[vertex]:
            path[vertex] = None
            vertex = graph[vertex][-1]  # for a loop: what comes after it
        told |= path.keys()
        if vertex in path:
            yield _circle(list(path), vertex, flow, place)


def _circle(path: list[str], again: str, flow: Flow, place: dict[str, str]) -> Finding:
    ids = [each.removesuffix(_AFTER) for each in path[path.index(again) :]]
    ids = [each for index, each in enumerate(ids) if index == 0 or each != ids[index - 1]]
    way = " → ".join([*ids[:6], *(["…"] if len(ids) > 6 else []), ids[0]])
    loop = flow.innermost_loop(ids[0])
    if loop is not None:
        return Finding(
            place[ids[0]], "error", f"an item of the loop {loop!r} never ends: {way}",
            f"lead an edge back to {loop!r}, or out of the circle",
        )  # fmt: skip
    return Finding(place[ids[0]], "error", f"no way out: {way}", "add a decision with an edge that leaves the circle")
