"""Static checks of a procedure: what can be known to go wrong before a browser opens.

In stages, as a compiler does it: while the structure is broken nothing is said about ways through it, and while
branches are missing nothing about what cannot be reached, so that one mistake is one finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice

from sopbench.sop.branches import branch_findings
from sopbench.sop.document import Sop
from sopbench.sop.evidence import evidence_findings
from sopbench.sop.explorable import exploration_findings
from sopbench.sop.flow import Flow
from sopbench.sop.limits import MAX_CONTAINER_DEPTH, MAX_NODES, MAX_PROBLEMS
from sopbench.sop.nodes import LoopNode, TaskNode
from sopbench.sop.problems import Finding, did_you_mean
from sopbench.sop.reach import reach_findings
from sopbench.sop.scope import scope_findings
from sopbench.sop.unapproved import approval_findings
from sopbench.sop.unfit import unfit_findings
from sopbench.sop.unheeded import unheeded_findings


def check(sop: Sop) -> list[Finding]:
    """All findings, at most :data:`MAX_PROBLEMS` of each stage, errors of the structure first."""
    found = list(islice(_structure(sop), MAX_PROBLEMS))
    if any(each.severity == "error" for each in found):
        return [replace(each, is_structural=True) for each in found]
    flow = Flow(sop)
    found += islice(branch_findings(sop, flow), MAX_PROBLEMS)
    if not any(each.severity == "error" for each in found):
        found += islice(reach_findings(sop, flow), MAX_PROBLEMS)
    rest = chain(
        scope_findings(sop, flow), evidence_findings(sop), unheeded_findings(sop), approval_findings(sop),
        exploration_findings(sop), unfit_findings(sop),
    )  # fmt: skip
    return found + list(islice(rest, MAX_PROBLEMS))


def is_structurally_sound(found: Iterable[Finding]) -> bool:
    """Whether nodes, edges and bindings fit together, so that at least it is clear what the document says."""
    return not any(each.is_structural for each in found)


def _structure(sop: Sop) -> Iterator[Finding]:
    if len(sop.public.nodes) > MAX_NODES:
        yield Finding("/public/nodes", "error", f"{len(sop.public.nodes):,} nodes are more than {MAX_NODES:,}")
        return
    ids = {node.id for node in sop.public.nodes}
    yield from _repeated_nodes(sop)
    yield from _children(sop, ids)
    yield from _containers(sop)
    yield from _edges(sop, ids)
    yield from _bindings(sop, ids)
    yield from _interruptions(sop)


def _error(pointer: str, message: str, hint: str = "") -> Finding:
    return Finding(pointer, "error", message, hint)


def _repeated_nodes(sop: Sop) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for index, node in enumerate(sop.public.nodes):
        if first.setdefault(node.id, index) != index:
            message = f"there is already a node {node.id!r}"
            yield _error(f"/public/nodes/{index}/id", message, f"the first is /public/nodes/{first[node.id]}")


def _children(sop: Sop, ids: set[str]) -> Iterator[Finding]:
    parents: dict[str, str] = {}
    for index, node in enumerate(sop.public.nodes):
        if node.children and not isinstance(node, LoopNode | TaskNode):
            yield _error(f"/public/nodes/{index}/children", f"a {node.type} has no children; only loops and tasks have")
        for place, child in enumerate(node.children):
            pointer = f"/public/nodes/{index}/children/{place}"
            if child not in ids:
                yield _error(pointer, f"no node {child!r}", did_you_mean(child, ids))
            elif parents.setdefault(child, node.id) != node.id or child in node.children[:place]:
                yield _error(pointer, f"{child!r} is already a child of {parents[child]!r}")
    for index, node in enumerate(sop.public.nodes):
        pointer, named = f"/public/nodes/{index}/parentId", node.parent_id
        if named is None:
            continue
        if named not in ids:
            yield _error(pointer, f"no node {named!r}", did_you_mean(named, ids))
        elif parents.get(node.id) != named:
            other = parents.get(node.id)
            rather = f", but it is a child of {other!r}" if other else f", but {named!r} does not list it"
            yield _error(
                pointer, f"{node.id!r} says it is inside {named!r}{rather}", "let 'children' and 'parentId' agree"
            )


def _containers(sop: Sop) -> Iterator[Finding]:
    flow = Flow(sop)
    for index, node in enumerate(sop.public.nodes):
        around = list(islice(flow.around(node.id), MAX_CONTAINER_DEPTH + 1))
        if around and flow.parent(around[-1]) == node.id:
            yield _error(f"/public/nodes/{index}/children", f"{node.id!r} is inside itself")
            return
        if len(around) > MAX_CONTAINER_DEPTH:
            yield _error(f"/public/nodes/{index}", f"{node.id!r} is more than {MAX_CONTAINER_DEPTH} nodes deep")
            return


def _edges(sop: Sop, ids: set[str]) -> Iterator[Finding]:
    flow = Flow(sop)
    first: dict[tuple[str, str], int] = {}
    for index, edge in enumerate(sop.public.edges):
        pointer = f"/public/edges/{index}"
        missing = [(key, each) for key, each in (("source", edge.source), ("target", edge.target)) if each not in ids]
        for key, each in missing:
            yield _error(f"{pointer}/{key}", f"no node {each!r}", did_you_mean(each, ids))
        if missing:
            continue
        if first.setdefault((edge.source, edge.condition), index) != index:
            message = f"there is already an edge from {edge.source!r} on {edge.condition!r}"
            yield _error(pointer, message, f"the first is /public/edges/{first[edge.source, edge.condition]}")
        allowed = {edge.source, *flow.around(edge.source)}
        inside = next((each for each in flow.around(edge.target) if each not in allowed), None)
        if inside is not None:
            message = f"{edge.target!r} is inside {inside!r} and cannot be entered from {edge.source!r}"
            yield _error(f"{pointer}/target", message, f"lead to {inside!r} itself")


def _interruptions(sop: Sop) -> Iterator[Finding]:
    nodes, inside = {node.id: node for node in sop.public.nodes}, Flow(sop).parent
    first: dict[str, int] = {}
    for index, each in enumerate(sop.public.interruptions):
        pointer = f"/public/interruptions/{index}"
        if first.setdefault(each.id, index) != index:
            yield _error(f"{pointer}/id", f"there is already an interruption {each.id!r}")
        for place, node_id in enumerate(each.do):
            where = f"{pointer}/do/{place}"
            if node_id not in nodes:
                yield _error(where, f"no node {node_id!r}", did_you_mean(node_id, nodes))
            elif not isinstance(nodes[node_id], TaskNode):
                yield _error(where, f"{node_id!r} is a {nodes[node_id].type}; only tasks can deal with an interruption")
            elif parent := inside(node_id):
                yield _error(where, f"{node_id!r} is inside {parent!r}", "name a task that is inside nothing else")


def _bindings(sop: Sop, ids: set[str]) -> Iterator[Finding]:
    skills: dict[str, int] = {}
    for index, skill in enumerate(sop.private.skills):
        if skills.setdefault(skill.id, index) != index:
            yield _error(f"/private/skills/{index}/id", f"there is already a skill {skill.id!r}")
    bound: set[str] = set()
    used: set[str] = set()
    for index, binding in enumerate(sop.private.steps):
        pointer = f"/private/steps/{index}"
        if binding.node_id not in ids:
            yield _error(f"{pointer}/node_id", f"no node {binding.node_id!r}", did_you_mean(binding.node_id, ids))
        elif binding.node_id in bound:
            yield _error(f"{pointer}/node_id", f"{binding.node_id!r} is already bound", "use alt_skills")
        bound.add(binding.node_id)
        named = [("primary_skill", binding.primary_skill)]
        named += [(f"alt_skills/{place}", each) for place, each in enumerate(binding.alt_skills)]
        for key, skill_id in named:
            used.add(skill_id)
            if skill_id not in skills:
                yield _error(f"{pointer}/{key}", f"no skill {skill_id!r}", did_you_mean(skill_id, skills))
    for skill_id, index in skills.items():
        if skill_id not in used:
            yield Finding(f"/private/skills/{index}", "warning", f"no step uses the skill {skill_id!r}")
