"""Static checks of approval: what would be asked for, said before a browser is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.sop.approval_rules import BUILT_IN, Subject
from sopbench.sop.globs import fits_any
from sopbench.sop.places import places
from sopbench.sop.problems import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sopbench.sop.approval import ApprovalRule
    from sopbench.sop.document import Sop
    from sopbench.sop.places import Place


def approval_findings(sop: Sop) -> Iterator[Finding]:
    """Rules for nodes that are not there, as errors; actions that a built-in rule will ask about, as warnings.

    What only the run will know (templates, the page's origin) is not guessed at.
    """
    nodes = {node.id: node for node in sop.public.nodes}
    own = sop.private.approval.rules
    for index, rule in enumerate(own):
        if rule.node is not None and not any(fits_any(rule.node, node) for node in nodes):
            yield Finding(f"/private/approval/rules/{index}/node", "error", f"no node fits {rule.node!r}")
    for place, rule in asked_about(sop):
        yield Finding(
            place.pointer,
            "warning",
            f"'{place.action}' is done only if the operator approves it: {rule.why}",
            "approve it with a rule in 'private.approval', if that is what the procedure is for",
        )


def asked_about(sop: Sop) -> Iterator[tuple[Place, ApprovalRule]]:
    """The actions that a built-in rule will ask about, and that rule."""
    for place in places(sop):
        subject = Subject(place.action, place.node.id, place.skill.method_type)
        if place.node.approval == "ask" or any(subject.fits(rule) for rule in sop.private.approval.rules):
            continue
        rule = next((rule for rules in BUILT_IN.values() for rule in rules if subject.fits(rule)), None)
        if rule is not None:
            yield place, rule
