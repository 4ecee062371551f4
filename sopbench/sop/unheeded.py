"""Static checks of what is said where nothing heeds it: a document must not promise what no run keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sopbench.sop.nodes import LoopNode, TaskNode
from sopbench.sop.problems import Finding

if TYPE_CHECKING:
    from sopbench.sop.document import Sop
    from sopbench.sop.nodes import Node


def unheeded_findings(sop: Sop) -> Iterator[Finding]:
    """Retries and recovery of what has none, time limits and skills of what only holds others. Warnings all."""
    bound = {binding.node_id: place for place, binding in enumerate(sop.private.steps)}
    for index, node in enumerate(sop.public.nodes):
        where = f"/public/nodes/{index}"
        if node.retry is not None and (_holds_others(node) or not isinstance(node, TaskNode)):
            message = f"'retry' of {node.type} {node.id!r} is not heeded: only the actions of tasks are tried again"
            yield Finding(f"{where}/retry", "warning", message, "say it at the task")
        if node.recovery is not None:
            yield from _recovery(sop, node, where)
        if not _holds_others(node):
            continue
        if node.timeout_s is not None:
            message = f"'timeout_s' of {node.id!r} is not heeded: it only holds other steps"
            yield Finding(f"{where}/timeout_s", "warning", message, "say it at its steps, or limit the run")
        if node.id in bound:
            message = f"the skill of {node.id!r} is not used: its children do it"
            yield Finding(f"/private/steps/{bound[node.id]}", "warning", message, "bind the skill to a child")
    if sop.private.resume is None:
        for index, each in enumerate(sop.public.interruptions):
            if each.then == "begin_again":
                message = f"after {each.id!r} the run shall begin again, but it may not: its step just fails"
                where = f"/public/interruptions/{index}/then"
                yield Finding(where, "warning", message, "say how often in 'private.resume'")


def _recovery(sop: Sop, node: Node, where: str) -> Iterator[Finding]:
    if _holds_others(node) or not isinstance(node, TaskNode):
        message = f"'recovery' of {node.type} {node.id!r} is not heeded: only the actions of tasks are recovered"
        yield Finding(f"{where}/recovery", "warning", message, "say it at the task")
        return
    alternatives = any(binding.alt_skills for binding in sop.private.steps if binding.node_id == node.id)
    if "alternative" in (node.recovery or ()) and not alternatives:
        message = f"{node.id!r} may be done by another skill, but has none"
        yield Finding(f"{where}/recovery", "warning", message, "name it in the 'alt_skills' of its step")
    if node.retry is not None and "retry" not in (node.recovery or ()):
        message = f"'retry' of {node.id!r} is not heeded: its 'recovery' leaves it out"
        yield Finding(f"{where}/retry", "warning", message, "name 'retry' there too")


def _holds_others(node: Node) -> bool:
    return isinstance(node, LoopNode) or bool(node.children)
