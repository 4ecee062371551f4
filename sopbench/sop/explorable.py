"""What an exploration may use: verbs that a model can be let choose from, and origins it is kept to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.sop.approval_rules import origin_of
from sopbench.sop.nodes import ExploreNode
from sopbench.sop.problems import Finding, did_you_mean
from sopbench.sop.verbs.pages import Navigate, SwitchTab

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sopbench.sop.document import Sop

EXPLORABLE = (
    "click", "hover", "fill", "clear", "select", "set_checked", "pick_date", "press", "scroll", "back", "navigate",
)  # fmt: skip
"""All that an exploration can be allowed."""
USUAL = ("click", "fill", "select", "set_checked", "press", "scroll", "back")
"""What it is allowed where the document says nothing."""


def named_addresses(sop: Sop) -> list[str]:
    """The addresses that the document's own actions open, templates as they are, in document order."""
    actions = (action for skill in sop.private.skills for action in skill.actions)
    return [action.url for action in actions if isinstance(action, Navigate | SwitchTab) and action.url is not None]


def exploration_findings(sop: Sop) -> Iterator[Finding]:
    """Verbs that no exploration can use, and origins that are none."""
    bound = {binding.node_id: index for index, binding in enumerate(sop.private.steps)}
    for index, node in enumerate(sop.public.nodes):
        if not isinstance(node, ExploreNode):
            continue
        for place, verb in enumerate(node.allowed):
            if verb not in EXPLORABLE:
                hint = did_you_mean(verb, EXPLORABLE) or f"there are {', '.join(EXPLORABLE)}"
                pointer = f"/public/nodes/{index}/allowed/{place}"
                yield Finding(pointer, "error", f"an exploration cannot be allowed {verb!r}", hint)
        for place, origin in enumerate(node.origins):
            if "{{" not in origin and not is_origin(origin):
                pointer = f"/public/nodes/{index}/origins/{place}"
                hint = f"did you mean {origin_of(origin)!r}?" if is_origin(origin_of(origin)) else ""
                hint = hint or "scheme, host and port: 'https://app.example.com'"
                yield Finding(pointer, "error", f"{origin!r} is no origin", hint)
        if node.id in bound:
            pointer = f"/private/steps/{bound[node.id]}"
            message = f"{node.id!r} is an exploration: it has no recorded way, and this skill is never done"
            yield Finding(pointer, "warning", message, "make it a task, or remove the binding")


def is_origin(text: str) -> bool:
    """Whether it is scheme, host and port and nothing else, as ``origin_of`` writes them."""
    return text == "file:" or (text.startswith(("https://", "http://")) and origin_of(text) == text)
