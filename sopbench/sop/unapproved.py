"""Static checks of approval: what would be asked for, said before a browser is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.sop.approval_rules import BUILT_IN, Subject
from sopbench.sop.globs import fits_any
from sopbench.sop.problems import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sopbench.sop.document import Sop


def approval_findings(sop: Sop) -> Iterator[Finding]:
    """Rules for nodes that are not there, as errors; actions that a built-in rule will ask about, as warnings.

    What only the run will know (templates, the page's origin) is not guessed at.
    """
    nodes = {node.id: node for node in sop.public.nodes}
    own = sop.private.approval.rules
    for index, rule in enumerate(own):
        if rule.node is not None and not any(fits_any(rule.node, node) for node in nodes):
            yield Finding(f"/private/approval/rules/{index}/node", "error", f"no node fits {rule.node!r}")
    places = {skill.id: index for index, skill in enumerate(sop.private.skills)}
    for binding in sop.private.steps:
        place, node = places.get(binding.primary_skill), nodes.get(binding.node_id)
        if place is None or node is None or node.approval == "ask":
            continue
        skill = sop.private.skills[place]
        for number, action in enumerate(skill.actions):
            subject = Subject(action, node.id, skill.method_type)
            if any(subject.fits(rule) for rule in own):
                continue
            for rule in (rule for rules in BUILT_IN.values() for rule in rules if subject.fits(rule)):
                yield Finding(
                    f"/private/skills/{place}/actions/{number}",
                    "warning",
                    f"'{action}' is done only if the operator approves it: {rule.why}",
                    "approve it with a rule in 'private.approval', if that is what the procedure is for",
                )
                break
