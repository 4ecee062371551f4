"""SOP 0.6 to 0.8, what a screen recording is parsed into, as SOP 1.0.

Places stay the same: what was ``/public/nodes/7`` still is. Keys that 1.0 does not know are kept under ``x-``.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, get_args

from sopbench.sop.document import Binding, Clarification, Edge, Meta, Private, Public, Skill, Sop, Trigger, Variable
from sopbench.sop.nodes import Node
from sopbench.sop.part import Part
from sopbench.sop.problems import Finding
from sopbench.sop.walk import slots

VERSION = re.compile(r"^0\.[678](\.|$)")
_NODE_KINDS: dict[str, type[Part]] = {
    get_args(kind.model_fields["type"].annotation)[0]: kind for kind in get_args(get_args(Node)[0])
}
_BRANCH_OF_PATH = {"Y": "yes", "N": "no"}

Json = dict[str, Any]


def convert(data: Json) -> tuple[Json, list[Finding]]:
    """A document that fits ``sop-0.8.schema.json`` as SOP 1.0, and notes of what was taken as meant."""
    public = data["public"]
    nodes = [_node(each) for each in public["nodes"]]
    edges = [_edge(each) for each in public.get("edges", ())]
    notes = [*_listed_children(nodes), *_adopted(nodes, edges), *_in_sequence(nodes, edges)]
    converted = _kept(data, Sop) | {
        "meta": {"id": data["meta"]["title"], "goal": ""} | _kept(data["meta"], Meta) | {"schema": "1.0"},
        "public": _kept(public, Public) | {
            "nodes": nodes,
            "edges": edges,
            "triggers": [{"description": each["type"]} | _kept(each, Trigger) for each in public.get("triggers", ())],
            "variables": {as_name(key): _variable(value) for key, value in public.get("variables", {}).items()},
            "clarification_requests": _all(public, "clarification_requests", Clarification),
        },
    }  # fmt: skip
    if "private" in data:
        skills = [{"app": "browser"} | each for each in _all(data["private"], "skills", Skill)]
        steps = _all(data["private"], "steps", Binding)
        converted["private"] = _kept(data["private"], Private) | {"skills": skills, "steps": steps}
    return converted, notes


def _kept(data: Json, kind: type[Part]) -> Json:
    known = {slot.key for slot in slots(kind)}
    return {key if key in known or key.startswith("x-") else f"x-{key}": value for key, value in data.items()}


def _all(data: Json, key: str, kind: type[Part]) -> list[Json]:
    return [_kept(each, kind) for each in data.get(key, ())]


def as_name(text: str) -> str:
    """A token as a name that can be used in a template."""
    name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_")
    return f"_{name}" if not name or name[0].isdigit() else name


def _node(data: Json) -> Json:
    node = _kept(data, _NODE_KINDS[data["type"]])
    if "iterator" in node and "as" not in node:
        node["as"] = as_name(node["iterator"])
    return node | ({"children": list(node["children"])} if "children" in node else {})


def _edge(data: Json) -> Json:
    edge = _kept(data, Edge)
    if edge.get("condition", "start") in {"start", "next"}:
        edge["condition"] = _BRANCH_OF_PATH.get(edge.get("decision_path", ""), "next")
    return edge


def _variable(value: Any) -> Any:
    if isinstance(value, str):
        return {"type": "string", "description": value}
    if isinstance(value, dict):
        return _kept(value, Variable) if "type" in value else {"type": "object", "default": value}
    return value


def _listed_children(nodes: list[Json]) -> list[Finding]:
    """Children that only say so themselves, by ``parentId``."""
    by_id = {node["id"]: node for node in nodes}
    listed = {child for node in nodes for child in node.get("children", ())}
    for node in nodes:
        parent = by_id.get(node.get("parentId") or "")
        if parent is not None and node["id"] not in listed:
            parent.setdefault("children", []).append(node["id"])
    return []


def _adopted(nodes: list[Json], edges: list[Json]) -> list[Finding]:
    """Nodes that are reached only from inside one loop, and lead nowhere else, are inside it."""
    notes = []
    loops = {node["id"]: node for node in nodes if node["type"] == "loop"}
    parents = {child: node["id"] for node in nodes for child in node.get("children", ())}
    sources: dict[str, set[str | None]] = {}
    targets: dict[str, set[str]] = {}
    for edge in edges:
        sources.setdefault(edge["target"], set()).add(parents.get(edge["source"]))
        targets.setdefault(edge["source"], set()).add(edge["target"])
    for index, node in enumerate(nodes):
        node_id, held_by = node["id"], sources.get(node["id"], set())
        loop = next(iter(held_by)) if len(held_by) == 1 else None
        if loop not in loops or node_id in parents or node["type"] == "end":
            continue
        if all(target == loop or parents.get(target) == loop for target in targets.get(node_id, ())):
            loops[loop]["children"].append(node_id)
            parents[node_id] = loop
            message = f"{node_id!r} is reached only from inside the loop {loop!r}; taken as one of its children"
            notes.append(Finding(f"/public/nodes/{index}", "note", message))
    return notes


def _in_sequence(nodes: list[Json], edges: list[Json]) -> list[Finding]:
    """Children without any edge among them are done in their order."""
    notes = []
    leading_on = {edge["source"] for edge in edges}
    for index, node in enumerate(nodes):
        children = node.get("children", [])
        if len(children) < 2 or leading_on.intersection(children):
            continue
        pairs = pairwise(children)
        edges += [{"source": one, "target": other, "condition": "next"} for one, other in pairs]
        message = f"no edges among the children of {node['id']!r}; taken as done in their order"
        notes.append(Finding(f"/public/nodes/{index}", "note", message))
    return notes
