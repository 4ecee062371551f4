"""Static checks of evidence: a run should see for itself that what it did has happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sopbench.sop.problems import Finding
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
    """Irreversible actions, and ends of steps, that nothing observes. Warnings all."""
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
