"""What a procedure without actions says in its labels: ``Click 'Submit'`` is an action, ``Open Email`` is none.

Only what stands there is taken: no guesses. Prose conditions become questions for a model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from sopbench.sop.actions import AnyAction
from sopbench.sop.document import Binding, Skill, Sop
from sopbench.sop.flow import Flow
from sopbench.sop.formats.sop_0x import as_name
from sopbench.sop.nodes import (
    Choice,
    Criteria,
    DecisionNode,
    GenerateNode,
    LoopNode,
    Node,
    Question,
    TaskNode,
    WaitNode,
)
from sopbench.sop.problems import Finding
from sopbench.sop.targets import Target, TextIs
from sopbench.sop.verbs.fields import Fill, Press, Select, SetChecked
from sopbench.sop.verbs.pages import Navigate, WaitFor
from sopbench.sop.verbs.pointer import Click

_QUOTED = re.compile(r"\"([^\"]+)\"|'([^']+)'|“([^”]+)”|‘([^’]+)’|`([^`]+)`|(\{\{.+?\}\})")
_ADDRESS = re.compile(
    r"(?:open|go to|navigate to|visit|browse to|load)(?: the)?(?: (?:page|site|address|url))?:? "
    r"(?P<url>https?://\S+|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|app|dev|ai|co|edu|gov)(?:/\S*)?)\.?",
    re.IGNORECASE,
)
_KEY = re.compile(r"(?:press|hit)(?: the)? (enter|escape|tab|space|backspace|delete)(?: key)?\.?", re.IGNORECASE)
_KIND = r"(?: (button|link|tab|menu item|option|checkbox|field|box|input|list|drop-?down|menu|icon))?"
_ROLES = {"button": "button", "link": "link", "tab": "tab", "menu item": "menuitem", "option": "option",
          "checkbox": "checkbox"}  # fmt: skip
_MARKER = re.compile(r"\bmarker\b", re.IGNORECASE)

_Maker = Callable[[list[str], str], AnyAction]


def _click(quoted: list[str], kind: str) -> AnyAction:
    return Click(target=Target(role=_ROLES.get(kind, ("button", "link")), name=quoted[0]))


def _by_label(quoted: str) -> Target:
    return Target(label=quoted)


# The label with each quoted text replaced by "§".
_RULES: tuple[tuple[re.Pattern[str], _Maker], ...] = tuple(
    (re.compile(pattern + r"\.?", re.IGNORECASE), make)
    for pattern, make in (
        (r"(?:click|press|tap|hit|push)(?: on)?(?: the)? §" + _KIND, _click),
        (
            r"(?:type|enter|input|write|fill(?: in)?) § (?:in|into|to)(?: the)? §" + _KIND,
            lambda q, _: Fill(target=_by_label(q[1]), value=q[0]),
        ),
        (
            r"fill(?: in| out)?(?: the)? §(?: (field|box|input))? with §",
            lambda q, _: Fill(target=_by_label(q[0]), value=q[1]),
        ),
        (
            r"(?:select|choose|pick) § (?:in|from)(?: the)? §" + _KIND,
            lambda q, _: Select(target=_by_label(q[1]), option=q[0]),
        ),
        (r"(?:check|tick)(?: the)? §(?: (checkbox|box))?", lambda q, _: SetChecked(target=_by_label(q[0]))),
        (
            r"(?:uncheck|untick)(?: the)? §(?: (checkbox|box))?",
            lambda q, _: SetChecked(target=_by_label(q[0]), checked=False),
        ),
        (
            r"wait (?:for|until) §(?: (?:to appear|appears|is visible|is shown))?()",
            lambda q, _: WaitFor(expect=(TextIs(text=q[0]),)),
        ),
    )
)


def action_of(label: str) -> AnyAction | None:
    """The action that a label names, if it names one."""
    label = " ".join(label.split())
    if match := _ADDRESS.fullmatch(_QUOTED.sub(lambda m: next(filter(None, m.groups())), label)):
        url = match["url"].rstrip(".")
        return Navigate(url=url if url.lower().startswith("http") else f"https://{url}")
    if match := _KEY.fullmatch(label):
        return Press(key=match[1].capitalize())
    quoted = [next(filter(None, match.groups())) for match in _QUOTED.finditer(label)]
    plain = _QUOTED.sub("§", label)
    for pattern, make in _RULES:
        if "§" in plain and (match := pattern.fullmatch(plain)):
            return make(quoted, (match[1] or "").lower())
    return None


def derive(sop: Sop) -> Sop:
    """The procedure with the skills (``derived_<node>``), bindings and questions that its labels and prose name."""
    flow = Flow(sop)
    skills = {skill.id: skill for skill in sop.private.skills}
    bindings = {binding.node_id: binding for binding in sop.private.steps}
    nodes: list[Node] = []
    for node in sop.public.nodes:
        if isinstance(node, DecisionNode) and node.criteria is None:
            nodes.append(node.model_copy(update={"criteria": _asked(node, flow)}))
            continue
        nodes.append(node)
        if not isinstance(node, TaskNode) or flow.children(node.id):
            continue
        binding = bindings.get(node.id)
        named = [skills[each] for each in (binding.primary_skill, *binding.alt_skills)] if binding else []
        if any("actions" in skill.model_fields_set for skill in named):
            able = [skill.id for skill in named if "actions" in skill.model_fields_set]
            bindings[node.id] = Binding(node_id=node.id, primary_skill=able[0], alt_skills=tuple(able[1:]))
        elif (actions := _actions_of(node)) is not None:
            skill = Skill(id=f"derived_{node.id}", app=named[0].app if named else "browser", actions=actions)
            skills[skill.id] = skill
            bindings[node.id] = Binding(node_id=node.id, primary_skill=skill.id)
    public = sop.public.model_copy(update={"nodes": tuple(nodes)})
    private = {"skills": tuple(skills.values()), "steps": tuple(bindings.values())}
    return sop.model_copy(update={"public": public, "private": sop.private.model_copy(update=private)})


def cannot_run(sop: Sop, severity: Literal["error", "note"]) -> Iterator[Finding]:
    """For each node of a derived procedure that still cannot be done: why, and what to add."""
    flow = Flow(sop)
    skills = {skill.id: skill for skill in sop.private.skills}
    bound = {binding.node_id: skills[binding.primary_skill] for binding in sop.private.steps}
    for index, node in enumerate(sop.public.nodes):
        missing = _missing(node)
        if isinstance(node, TaskNode) and not flow.children(node.id):
            missing = _unbound(bound.get(node.id))
        if missing is not None:
            what, hint = missing
            yield Finding(f"/public/nodes/{index}", severity, f"{node.type} {node.label!r} {what}", hint)


def _unbound(skill: Skill | None) -> tuple[str, str] | None:
    """A skill that says it has no actions belongs to a marker: nothing is to be done there."""
    if skill is not None and "actions" in skill.model_fields_set:
        return None
    what = "has no actions and its label names no address or element"
    return (
        what,
        f"add 'actions' to its skill {skill.id!r}" if skill else "bind it to a skill with actions (private.steps)",
    )


def _missing(node: Node) -> tuple[str, str] | None:
    if isinstance(node, LoopNode) and node.items is None:
        return "does not say what its items are", "add 'items': a list of variables, or a target that matches each item"
    if isinstance(node, GenerateNode) and node.template is None and node.instructions is None:
        return "does not say what to write", "add 'template' or 'instructions'"
    if isinstance(node, WaitNode) and not node.until and node.seconds is None:
        return "does not say what to wait for", "add 'until'"
    return None


def _actions_of(node: TaskNode) -> tuple[AnyAction, ...] | None:
    action = action_of(node.label)
    if action is not None:
        return (action,)
    return () if _MARKER.search(f"{node.label} {node.intent or ''}") else None


def _asked(node: DecisionNode, flow: Flow) -> Criteria | None:
    meanings = {"yes": "It is so.", "no": "It is not so, or the text does not say."}
    choices = {
        as_name(branch): Choice(means=meanings.get(branch, branch.replace("_", " ")), branch=branch)
        for branch in flow.branches(node.id)
    }
    if len(choices) < 2:
        return None
    prose = " ".join(part for part in (node.label, node.intent, node.context) if part)
    return Criteria(question=Question(ask=prose.replace("{", "("), choices=choices))
