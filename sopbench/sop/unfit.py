"""Static checks of skills and tools: what a skill's method cannot do, what is not there, where nobody said to go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.sop.origins import spelled_out
from sopbench.sop.problems import Finding, did_you_mean
from sopbench.sop.targets import That
from sopbench.sop.templates import is_template
from sopbench.sop.verbs.thinking import Interpret, Set
from sopbench.sop.verbs.tools import READING, CallTool, Request

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sopbench.sop.actions import AnyAction
    from sopbench.sop.document import Skill, Sop


def unfit_findings(sop: Sop) -> Iterator[Finding]:
    """Verbs, servers and origins that do not fit, as errors; what is odd, as warnings; programs, as notes."""
    for index, skill in enumerate(sop.private.skills):
        for place, action in enumerate(skill.actions):
            yield from _of_action(sop, skill, action, f"/private/skills/{index}/actions/{place}")
    yield from _tools(sop)
    yield from _origins(sop)
    yield from _alternatives(sop)


def _of_action(sop: Sop, skill: Skill, action: AnyAction, pointer: str) -> Iterator[Finding]:
    if skill.method_type != "ui":
        yield from _without_a_page(skill, action, pointer)
    if isinstance(action, CallTool) and action.server not in sop.private.tools:
        hint = did_you_mean(action.server, sop.private.tools) or "declare it in private.tools"
        yield Finding(f"{pointer}/server", "error", f"no tool server {action.server!r}", hint)
    if isinstance(action, Request):
        yield from _of_request(sop, action, pointer)


def _without_a_page(skill: Skill, action: AnyAction, pointer: str) -> Iterator[Finding]:
    if not isinstance(action, Request | CallTool | Interpret | Set):
        message = f"'{action.do}' needs a page, and skill {skill.id!r} works by {skill.method_type!r}"
        yield Finding(pointer, "error", message, "let 'method_type' be 'ui', or use 'request' or 'call_tool'")
    for place, each in enumerate(action.expect):
        if not isinstance(each, That):
            message = f"skill {skill.id!r} works by {skill.method_type!r}, but expects something of the page"
            yield Finding(f"{pointer}/expect/{place}", "warning", message, "say it with 'that', of what was answered")


def _of_request(sop: Sop, action: Request, pointer: str) -> Iterator[Finding]:
    if spelled_out(action.url) is None and not (is_template(action.url) and sop.private.api_origins):
        message = f"it cannot be seen where '{action}' goes"
        hint = "begin it with a whole origin, like 'https://api.example.com/', or list it in private.api_origins"
        yield Finding(f"{pointer}/url", "error", message, hint)
    if action.method not in READING and "effect" not in action.model_fields_set:
        message = f"'{action}' says no effect, and counts as irreversible"
        yield Finding(pointer, "warning", message, "say 'effect': what it does when it is sent twice")


def _tools(sop: Sop) -> Iterator[Finding]:
    actions = [action for skill in sop.private.skills for action in skill.actions]
    called = {action.server for action in actions if isinstance(action, CallTool)}
    for name, server in sop.private.tools.items():
        pointer = f"/private/tools/{name}"
        if name not in called:
            yield Finding(pointer, "warning", f"no action calls the tool server {name!r}")
        if server.command:
            yield Finding(pointer, "note", f"runs a program on this machine: {' '.join(server.command)}")


def _origins(sop: Sop) -> Iterator[Finding]:
    for place, origin in enumerate(sop.private.api_origins):
        if not is_template(origin) and spelled_out(origin) != origin:
            message = f"{origin!r} is no origin: a scheme, a host, and a port where it is not the usual one"
            yield Finding(f"/private/api_origins/{place}", "error", message, "as in 'https://api.example.com'")


def _alternatives(sop: Sop) -> Iterator[Finding]:
    empty = {skill.id for skill in sop.private.skills if not skill.actions}
    for index, binding in enumerate(sop.private.steps):
        before = [binding.primary_skill]
        for place, name in enumerate(binding.alt_skills):
            pointer = f"/private/steps/{index}/alt_skills/{place}"
            if name in before:
                yield Finding(pointer, "error", f"{name!r} would already have failed: it stands before")
            elif name in empty and binding.primary_skill not in empty:
                yield Finding(pointer, "warning", f"the skill {name!r} has no actions: it is never taken")
            before.append(name)
