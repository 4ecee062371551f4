"""Static checks of variables: every one that is read is declared, or set somewhere; whatever is promised is set.

Insensitive to the order of steps: a variable that anything sets counts as set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sopbench.errors import TemplateFailed
from sopbench.sop.nodes import DecisionNode, GenerateNode, LoopNode, TaskNode
from sopbench.sop.problems import Finding, did_you_mean
from sopbench.sop.targets import TextKind
from sopbench.sop.templates import names_in
from sopbench.sop.verbs.fields import Copy
from sopbench.sop.verbs.reading import Download, Extract
from sopbench.sop.verbs.thinking import Interpret, Set
from sopbench.sop.verbs.tools import CallTool, Request
from sopbench.sop.walk import texts

if TYPE_CHECKING:
    from sopbench.sop.document import Skill, Sop
    from sopbench.sop.flow import Flow
    from sopbench.sop.nodes import Node

_GIVING = (Extract, Interpret, Set, Copy, Download, Request, CallTool)


def scope_findings(sop: Sop, flow: Flow) -> Iterator[Finding]:
    """Undefined variables, templates that are not well-formed, and ``variables_out`` that nothing sets."""
    known = known_variables(sop)
    for text in texts(sop):
        try:
            names = names_in(text.value, expression=text.kind is TextKind.EXPRESSION)
        except TemplateFailed as error:
            yield Finding(text.pointer, "error", error.message)
            continue
        for name in sorted(names - known):
            yield _undefined(name, text.pointer, known)
    for index, node in enumerate(sop.public.nodes):
        if isinstance(node, GenerateNode):
            for place, name in enumerate(node.inputs):
                if name not in known:
                    yield _undefined(name, f"/public/nodes/{index}/inputs/{place}", known)
    yield from _promises(sop, flow)


def known_variables(sop: Sop) -> frozenset[str]:
    """Names that are declared, or set by anything in the document."""
    names = {*sop.public.variables, "loop"}
    for skill in sop.private.skills:
        names |= _set_by(skill)
    for node in sop.public.nodes:
        names |= _set_in(node)
    return frozenset(names)


def _undefined(name: str, pointer: str, known: frozenset[str]) -> Finding:
    hint = did_you_mean(name, sorted(known)) or "declare it in public.variables, or set it by an action before"
    return Finding(pointer, "error", f"undefined variable {name!r}", hint)


def _set_by(skill: Skill) -> set[str]:
    """A skill without actions is done elsewhere: what it says it puts out is believed."""
    if not skill.actions:
        return set(skill.variables_out)
    giving = (action for action in skill.actions if isinstance(action, _GIVING))
    return {action.into for action in giving if action.into is not None}


def _set_in(node: Node) -> set[str]:
    if isinstance(node, LoopNode):
        return {node.as_}
    if isinstance(node, DecisionNode):
        question = node.criteria.question if node.criteria else None
        return {question.into} if question and question.into else set()
    return {node.into} if isinstance(node, GenerateNode) and node.into else set()


def _promises(sop: Sop, flow: Flow) -> Iterator[Finding]:
    set_in: defaultdict[str, set[str]] = defaultdict(set)
    skills = {skill.id: _set_by(skill) for skill in sop.private.skills}
    here = {node.id: _set_in(node) for node in sop.public.nodes}
    for binding in sop.private.steps:
        for skill_id in (binding.primary_skill, *binding.alt_skills):
            here[binding.node_id] |= skills[skill_id]
    promising = {node.id for node in sop.public.nodes if isinstance(node, TaskNode) and node.variables_out}
    for node_id, names in here.items():
        for holder in promising.intersection((node_id, *flow.around(node_id))):
            set_in[holder] |= names
    for index, node in enumerate(sop.public.nodes):
        if isinstance(node, TaskNode):
            for name in node.variables_out:
                if name not in set_in[node.id]:
                    hint = did_you_mean(name, sorted(set_in[node.id])) or f'add an action with "into": "{name}"'
                    pointer = f"/public/nodes/{index}/variables_out/{name}"
                    yield Finding(pointer, "error", f"nothing in task {node.id!r} sets {name!r}", hint)
