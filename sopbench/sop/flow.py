"""The ways through a procedure: pure navigation over its nodes and edges.

Entering a loop goes to its first child, once for each item. A child that ends an iteration points back to the loop or
to its first child, or has no outgoing edge. ``all_processed`` leaves the loop. A compound task runs its children from
the first; it ends when a child has no outgoing edge (then its own ``next`` is taken), or when an edge leads out of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sopbench.sop.nodes import DecisionNode, LoopNode, TriggerNode

if TYPE_CHECKING:
    from sopbench.sop.document import Sop
    from sopbench.sop.nodes import Node

NEXT = "next"
ALL_PROCESSED = "all_processed"


class Flow:
    """Answers where to go on. Works on documents with mistakes too: what leads nowhere is not there."""

    def __init__(self, sop: Sop) -> None:
        self._nodes: dict[str, Node] = {}
        for node in sop.public.nodes:
            self._nodes.setdefault(node.id, node)
        self._parents: dict[str, str] = {}
        self._children: dict[str, list[str]] = {node_id: [] for node_id in self._nodes}
        self._place_children()
        self._edges: dict[str, dict[str, str]] = {node_id: {} for node_id in self._nodes}
        for edge in sop.public.edges:
            if edge.source in self._nodes and edge.target in self._nodes:
                self._edges[edge.source].setdefault(edge.condition, edge.target)
        self.start: str | None = self._find_start(sop)
        """The first node that is done; None when the document has only a trigger."""

    def _place_children(self) -> None:
        named = [(node.id, child) for node in self._nodes.values() for child in node.children]
        by_parent_id = [(node.parent_id, node.id) for node in self._nodes.values() if node.parent_id is not None]
        for parent, child in named + by_parent_id:
            if child in self._nodes and parent in self._nodes and child not in self._parents:
                self._parents[child] = parent
                self._children[parent].append(child)

    def _find_start(self, sop: Sop) -> str | None:
        for node in self._nodes.values():
            if isinstance(node, TriggerNode) and (target := self.next_node(node.id, NEXT)) is not None:
                return target
        pointed_at = {edge.target for edge in sop.public.edges if edge.source != edge.target}
        pointed_at |= {node_id for each in sop.public.interruptions for node_id in each.do}
        outermost = [n.id for n in self._nodes.values() if n.id not in self._parents and not isinstance(n, TriggerNode)]
        return next((node_id for node_id in outermost if node_id not in pointed_at), next(iter(outermost), None))

    def node(self, node_id: str) -> Node:
        """The node with this id.

        Raises: KeyError.
        """
        return self._nodes[node_id]

    def parent(self, node_id: str) -> str | None:
        """The loop or compound task that the node is a child of."""
        return self._parents.get(node_id)

    def children(self, node_id: str) -> tuple[str, ...]:
        """The nodes inside this one, the first one first."""
        return tuple(self._children[node_id])

    def enter(self, container: str) -> str | None:
        """Its first child."""
        return next(iter(self._children[container]), None)

    def around(self, node_id: str) -> Iterator[str]:
        """What the node is inside of, from the inside out."""
        seen = {node_id}
        while (parent := self._parents.get(node_id)) is not None and parent not in seen:
            yield parent
            seen.add(parent)
            node_id = parent

    def contains(self, container: str, node_id: str) -> bool:
        """Whether the node is inside the container, however deep."""
        return container in self.around(node_id)

    def innermost_loop(self, node_id: str) -> str | None:
        """The loop that the node is in; for a loop, the one around it."""
        return next((each for each in self.around(node_id) if isinstance(self._nodes[each], LoopNode)), None)

    def branches(self, node_id: str) -> dict[str, str]:
        """The node's outgoing edges: condition → target."""
        return dict(self._edges[node_id])

    def next_node(self, node_id: str, condition: str) -> str | None:
        """Where the edge leads. Without one for the condition, ``next`` is taken, but never from a decision."""
        edges = self._edges[node_id]
        if condition in edges or isinstance(self._nodes[node_id], DecisionNode):
            return edges.get(condition)
        target = edges.get(NEXT)
        inside = target is not None and condition == ALL_PROCESSED and self.contains(node_id, target)
        return None if inside else target

    def is_back_edge(self, loop_id: str, target: str) -> bool:
        """Whether going to ``target`` from inside the loop ends the iteration."""
        return target in (loop_id, self.enter(loop_id))
