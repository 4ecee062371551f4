"""Short ways to write small procedures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from sopbench.sop.document import Sop

Json = dict[str, Any]


def node(node_id: str, kind: str = "task", **more: Any) -> Json:
    """One node; its label is its id."""
    return {"id": node_id, "type": kind, "label": node_id, **more}


def loop(node_id: str, children: str, **more: Any) -> Json:
    """A loop over the variable ``items`` with these children, parted by blanks."""
    return {"items": "items", "children": children.split(), **node(node_id, "loop"), **more}


def decision(node_id: str, *checks: tuple[Json, str], **more: Any) -> Json:
    """A decision by checks: ``({"that": "a > 1"}, "yes")``."""
    return node(node_id, "decision", **{"criteria": {"checks": [{"if": c, "then": b} for c, b in checks]}, **more})


def asking(node_id: str, **more: Any) -> Json:
    """A decision that asks a model about the text ``mail``."""
    choices = {"yes": {"means": "it is", "then": "yes"}, "no": {"means": "it is not", "then": "no"}}
    question = {"ask": "Is it?", "about": "{{ mail }}", "choices": choices}
    return node(node_id, "decision", **{"criteria": {"question": question}, **more})


def click(name: str = "Save", **more: Any) -> Json:
    return {"do": "click", "target": {"role": "button", "name": name}, **more}


def put(name: str, to: str) -> Json:
    """Set a variable to the value of an expression."""
    return {"do": "set", "into": name, "to": to}


def procedure(
    nodes: Iterable[Json],
    edges: str = "",
    does: Mapping[str, list[Json]] | None = None,
    variables: Mapping[str, Any] | None = None,
) -> Sop:
    """``edges``: ``a > b``, or with a condition ``a yes> b``, parted by commas; ``does``: node → its actions."""
    skills = does or {}
    return Sop.model_validate(
        {
            "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
            "public": {
                "nodes": list(nodes),
                "edges": [_edge(text) for text in edges.split(",") if text.strip()],
                "variables": dict(variables or {}),
            },
            "private": {
                "skills": [{"id": f"do {name}", "app": "app", "actions": list(skills[name])} for name in skills],
                "steps": [{"node_id": name, "primary_skill": f"do {name}"} for name in skills],
            },
        }
    )


def one_task(*actions: Json, variables: Mapping[str, Any] | None = None, **more: Any) -> Sop:
    """A procedure of a single task ``work``."""
    return procedure([node("work", **more)], does={"work": list(actions)}, variables=variables)


def _edge(text: str) -> Json:
    found = re.fullmatch(r"\s*(\S+)\s+(\S*)>\s+(\S+)\s*", text)
    assert found, text
    return {"source": found[1], "target": found[3], "condition": found[2] or "next"}
