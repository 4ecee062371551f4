"""Which action of a document a node does, and where it stands in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.document import Skill, Sop
    from sopbench.sop.nodes import Node


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
    """Every action that a node does, its primary skill's before those of the alternatives; once for each node."""
    nodes = {node.id: node for node in sop.public.nodes}
    skills = {skill.id: (index, skill) for index, skill in enumerate(sop.private.skills)}
    for binding in sop.private.steps:
        for name in (binding.primary_skill, *binding.alt_skills):
            if binding.node_id not in nodes or name not in skills:
                continue
            index, skill = skills[name]
            for number, action in enumerate(skill.actions):
                yield Place(nodes[binding.node_id], skill, number, action, f"/private/skills/{index}/actions/{number}")


def place_of(sop: Sop, node: str, number: int, skill: str = "") -> Place:
    """That of one action of a node, by its primary skill or the one named.

    Raises: LookupError when the node does no such action.
    """
    primary = {binding.node_id: binding.primary_skill for binding in sop.private.steps}
    wanted = (node, number, skill or primary.get(node))
    for place in places(sop):
        if (place.node.id, place.number, place.skill.id) == wanted:
            return place
    raise LookupError(f"node {node!r} does no action {number}")
