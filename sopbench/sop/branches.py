"""Static checks of branches: every way a node can decide has an edge, and every edge can be taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sopbench.sop.flow import ALL_PROCESSED, NEXT
from sopbench.sop.nodes import DecisionNode, EndNode, LoopNode
from sopbench.sop.problems import Finding, did_you_mean
from sopbench.sop.walk import escape

if TYPE_CHECKING:
    from sopbench.sop.document import Sop
    from sopbench.sop.flow import Flow
    from sopbench.sop.nodes import Node


def branch_findings(sop: Sop, flow: Flow) -> Iterator[Finding]:
    """Missing branches, edges that can never be taken, loops without a way on."""
    has_end = any(isinstance(node, EndNode) for node in sop.public.nodes)
    for index, node in enumerate(sop.public.nodes):
        pointer = f"/public/nodes/{index}"
        if isinstance(node, DecisionNode):
            yield from _decision(node, pointer, flow)
        elif isinstance(node, LoopNode):
            yield from _loop(node, pointer, flow, has_end)
    nodes = {node.id: node for node in sop.public.nodes}
    for index, edge in enumerate(sop.public.edges):
        yield from _edge(nodes[edge.source], edge.condition, f"/public/edges/{index}")


def chosen_branches(node: DecisionNode) -> dict[str, str]:
    """Every branch the node's criteria can choose → the pointer, within the node, of where it says so."""
    if node.criteria is None:
        return {}
    named = [(f"/criteria/checks/{i}/then", check.branch) for i, check in enumerate(node.criteria.checks)]
    choices = node.criteria.question.choices if node.criteria.question else {}
    named += [(f"/criteria/question/choices/{escape(n)}/then", choice.branch) for n, choice in choices.items()]
    return {branch: pointer for pointer, branch in reversed(named)}


def _decision(node: DecisionNode, pointer: str, flow: Flow) -> Iterator[Finding]:
    there = flow.branches(node.id)
    chosen = chosen_branches(node)
    for branch, where in chosen.items():
        if branch not in there:
            add = f"add an edge from {node.id!r} with the condition {branch!r}"
            hint = did_you_mean(branch, set(there) - set(chosen)) or add
            yield Finding(pointer + where, "error", f"decision {node.id!r} has no edge for its branch {branch!r}", hint)
    if node.criteria is None and len(there) < 2:
        missing = " and ".join(repr(each) for each in ("yes", "no") if each not in there)
        yield Finding(
            pointer,
            "error",
            f"decision {node.id!r} does not branch",
            f"add an edge from it with the condition {missing}",
        )
    elif node.on_unsure == "no" and "no" not in there and "no" not in chosen:
        message = f"when it is unsure, decision {node.id!r} takes 'no', but has no such edge"
        yield Finding(pointer, "error", message, "add the edge, or set on_unsure to 'ask' or 'stop'")


def _loop(node: LoopNode, pointer: str, flow: Flow, has_end: bool) -> Iterator[Finding]:
    if not flow.children(node.id):
        yield Finding(pointer, "error", f"loop {node.id!r} has no children", "list what is done for every item")
    elif has_end and flow.parent(node.id) is None and flow.next_node(node.id, ALL_PROCESSED) is None:
        message = f"nothing says what comes after the loop {node.id!r}"
        yield Finding(pointer, "error", message, f"add an edge from it with the condition {ALL_PROCESSED!r}")


def _edge(source: Node, condition: str, pointer: str) -> Iterator[Finding]:
    if isinstance(source, EndNode):
        yield Finding(pointer, "warning", f"nothing comes after the end {source.id!r}, but this edge leads on from it")
    elif isinstance(source, DecisionNode):
        chosen = chosen_branches(source)
        if source.criteria is not None and condition not in chosen and (condition, source.on_unsure) != ("no", "no"):
            message = f"decision {source.id!r} never chooses {condition!r}"
            yield Finding(f"{pointer}/condition", "warning", message, did_you_mean(condition, chosen))
    else:
        taken = (NEXT, ALL_PROCESSED) if isinstance(source, LoopNode) else (NEXT,)
        if condition not in taken:
            message = f"a {source.type} never goes on by {condition!r}"
            hint = did_you_mean(condition, taken) or f"use {taken[-1]!r}, or make {source.id!r} a decision"
            yield Finding(f"{pointer}/condition", "error", message, hint)
