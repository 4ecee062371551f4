"""Static checks of evidence: a run should see for itself that what it did has happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sopbench.sop.problems import Finding
from sopbench.sop.verbs.base import Effect

if TYPE_CHECKING:
    from sopbench.sop.document import Sop

_HINT = "say with 'expect' what can be seen afterwards"


def evidence_findings(sop: Sop) -> Iterator[Finding]:
    """Irreversible actions, and ends of steps, that nothing observes. Warnings all."""
    for index, skill in enumerate(sop.private.skills):
        for place, action in enumerate(skill.actions):
            pointer = f"/private/skills/{index}/actions/{place}"
            if action.expect:
                continue
            if action.effect is Effect.IRREVERSIBLE:
                message = f"'{action.do}' is irreversible and expects nothing: it cannot be tried again"
                yield Finding(pointer, "warning", message, _HINT)
            elif place == len(skill.actions) - 1 and action.effect is not Effect.READ:
                message = f"skill {skill.id!r} ends with '{action.do}' and expects nothing: its end cannot be seen"
                yield Finding(pointer, "warning", message, _HINT)
