"""Static checks of evidence: a run should see for itself that what it did has happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sopbench.sop.nodes import DecisionNode
from sopbench.sop.problems import Finding
from sopbench.sop.targets import That
from sopbench.sop.verbs.base import Effect
from sopbench.sop.verbs.fields import Clear, Fill, Paste, PickDate, Select, SetChecked, Upload
from sopbench.sop.verbs.reading import Download

if TYPE_CHECKING:
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.document import Sop

_HINT = "say with 'expect' what can be seen afterwards"


def _sees_to_it(action: AnyAction) -> bool:
    """Verbs that are done only when the page shows that they are."""
    return isinstance(action, Fill | Clear | SetChecked | Select | PickDate | Upload | Paste | Download)


def evidence_findings(sop: Sop) -> Iterator[Finding]:
    """Irreversible actions, ends of steps and branches that nothing observes. Warnings all."""
    for index, skill in enumerate(sop.private.skills):
        for place, action in enumerate(skill.actions):
            pointer = f"/private/skills/{index}/actions/{place}"
            if action.expect:
                continue
            if action.effect is Effect.IRREVERSIBLE:
                message = f"'{action.do}' is irreversible and expects nothing: it cannot be tried again"
                yield Finding(pointer, "warning", message, _HINT)
            elif place == len(skill.actions) - 1 and action.effect is Effect.IDEMPOTENT and not _sees_to_it(action):
                message = f"skill {skill.id!r} ends with '{action.do}' and expects nothing: its end cannot be seen"
                yield Finding(pointer, "warning", message, _HINT)
    for index, node in enumerate(sop.public.nodes):
        if isinstance(node, DecisionNode) and (branch := _only_branch_seen(node)):
            message = f"decision {node.id!r} sees on the page only when it is {branch!r}: the rest costs the find limit"
            hint = "add a check of what the page shows then, or a 'timeout_s' to this one"
            yield Finding(f"/public/nodes/{index}/criteria", "warning", message, hint)


def _only_branch_seen(node: DecisionNode) -> str | None:
    """The one branch that all its checks of a page lead to, where nothing else settles it."""
    if node.criteria is None or node.criteria.question is not None:
        return None
    checks = [check for check in node.criteria.checks if not isinstance(check.condition, That)]
    branches = {check.branch for check in checks}
    if len(branches) != 1 or any(check.condition.timeout_s is not None for check in checks):
        return None
    return branches.pop()
