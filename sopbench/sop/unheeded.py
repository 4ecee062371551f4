"""Static checks of what is said where nothing heeds it: a document must not promise what no run keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sopbench.sop.document import LoopNode, TaskNode
from sopbench.sop.problems import Finding

if TYPE_CHECKING:
    from sopbench.sop.document import Node, Sop


def unheeded_findings(sop: Sop) -> Iterator[Finding]:
    """Retries of what is not tried again, time limits and skills of what only holds others. Warnings all."""
    bound = {binding.node_id: place for place, binding in enumerate(sop.private.steps)}
    for index, node in enumerate(sop.public.nodes):
        where = f"/public/nodes/{index}"
        if node.retry is not None and (_holds_others(node) or not isinstance(node, TaskNode)):
            message = f"'retry' of {node.type} {node.id!r} is not heeded: only the actions of tasks are tried again"
            yield Finding(f"{where}/retry", "warning", message, "say it at the task")
        if not _holds_others(node):
            continue
        if node.timeout_s is not None:
            message = f"'timeout_s' of {node.id!r} is not heeded: it only holds other steps"
            yield Finding(f"{where}/timeout_s", "warning", message, "say it at its steps, or limit the run")
        if node.id in bound:
            message = f"the skill of {node.id!r} is not used: its children do it"
            yield Finding(f"/private/steps/{bound[node.id]}", "warning", message, "bind the skill to a child")


def _holds_others(node: Node) -> bool:
    return isinstance(node, LoopNode) or bool(node.children)
