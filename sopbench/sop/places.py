"""Which action of a document a node does, and where it stands in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.document import Node, Skill, Sop


@dataclass(frozen=True)
class Place:
    """One action, as the skill of one node."""

    node: Node
    skill: Skill
    number: int
    """Of the action in its skill, from 0."""
    action: AnyAction
    pointer: str
    """JSON pointer of the action."""


def places(sop: Sop) -> Iterator[Place]:
    """Every action that a node does; once for each node that does it."""
    nodes = {node.id: node for node in sop.public.nodes}
    skills = {skill.id: (index, skill) for index, skill in enumerate(sop.private.skills)}
    for binding in sop.private.steps:
        if binding.node_id not in nodes or binding.primary_skill not in skills:
            continue
        index, skill = skills[binding.primary_skill]
        for number, action in enumerate(skill.actions):
            yield Place(nodes[binding.node_id], skill, number, action, f"/private/skills/{index}/actions/{number}")


def place_of(sop: Sop, node: str, number: int) -> Place:
    """That of one action of a node. Raises: LookupError when the node does no such action."""
    for place in places(sop):
        if (place.node.id, place.number) == (node, number):
            return place
    raise LookupError(f"node {node!r} does no action {number}")
