"""Approval: whether a step or an action may be done, decided before it is begun.

Two things can make it a question: a node says ``approval: ask``, or a rule fits an action (``private.approval``). Both
go through here, are asked the same way, and leave an ``ApprovalDecided``.

The rules are in ``sop.approval_rules``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sopbench.engine.asking import ask_operator
from sopbench.engine.pictures import kept_picture
from sopbench.errors import OperatorStopped, Rejected
from sopbench.events.types import ApprovalDecided
from sopbench.ports.operator import OperatorQuestion
from sopbench.sop.approval_rules import BUILT_IN, Subject, origin_of
from sopbench.sop.globs import fits_any
from sopbench.sop.nodes import TaskNode
from sopbench.sop.verbs.base import Effect
from sopbench.sop.verbs.tools import CallTool

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.approval import Globs, Then
    from sopbench.sop.nodes import Node

_HINT = {"unattended": "; nobody is there to be asked: run with --operator terminal, or a file of answers"}


@dataclass(frozen=True)
class _Ruling:
    then: Then
    rule: str
    why: str


async def approve_step(node: Node, context: ExecutionContext) -> None:
    """Ask for a node's ``approval: ask``.

    An approved task answers for its own actions where a rule would ask. An approved loop, compound task or exploration
    answers for nothing inside it: nobody knew what that would be.

    Raises: Rejected, OperatorStopped.
    """
    if node.approval == "none":
        return
    says, rule = f"step {node.label!r}", f"approval of node {node.id}"
    decision = await _asked(f"may {says} be done?", None, context)
    by = context.operator.name
    context.emit(ApprovalDecided(step=context.step, says=says, rule=rule, decision=decision, by=by))
    if decision != "approve":
        raise Rejected(f"the operator rejected {says}{_HINT.get(by, '')}")
    context.step_approved = isinstance(node, TaskNode) and not node.children


async def approve_action(
    number: int,
    action: AnyAction,
    context: ExecutionContext,
    *,
    as_written: bool = True,
    otherwise: Then | None = None,
) -> None:
    """Let the first rule that fits decide about an action with its variables filled in; nothing is done yet.

    ``as_written`` is False for an element that the document does not name. ``otherwise`` holds where no rule fits, in
    place of the document's own. What the operator approved is not asked again within the step.

    Raises: Rejected when it may not be done; OperatorStopped when the run is to end.
    """
    ruling = await _ruling(action, context, otherwise)
    if ruling is None:
        return
    decision, by = ruling.then, "rule"
    if decision == "ask":
        if (number, action) in context.approved or (context.step_approved and as_written):
            return
        decision = await _asked(f"may this be done: {action}? ({ruling.rule}: {ruling.why})", number, context)
        by = context.operator.name
        if decision == "approve":
            context.approved.append((number, action))
    context.emit(
        ApprovalDecided(
            step=context.step, action=number, says=str(action), rule=ruling.rule, why=ruling.why, decision=decision,
            by=by,
        )
    )  # fmt: skip
    if decision == "approve":
        return
    message = f"not approved: {action} ({ruling.rule}: {ruling.why}){_HINT.get(by, '')}"
    if ruling.then == "ask":
        message += "; a rule in private.approval can approve it"
    raise (OperatorStopped if decision == "stop" else Rejected)(message)


async def _ruling(action: AnyAction, context: ExecutionContext, otherwise: Then | None) -> _Ruling | None:
    """None where nothing concerns the action."""
    own, skill = context.sop.private.approval, context.skill
    subject = Subject(action, context.node, None if skill is None else skill.method_type)
    for number, rule in enumerate(own.rules, start=1):
        if subject.fits(rule) and await _is_at(rule.origin, action, context):
            return _Ruling(rule.then, f"rule {number} of the document", rule.why or f"it says {rule.then}")
    for name, rules in BUILT_IN.items():
        for rule in filter(subject.fits, rules):
            return _Ruling(rule.then, f"built-in rule on {name}", rule.why or "")
    then = otherwise or own.otherwise or ("reject" if own.rules else "approve")
    if then == "approve" or action.effect is Effect.READ:
        return None
    return _Ruling(then, "no rule", "none of the rules approves it")


async def _is_at(origin: Globs | None, action: AnyAction, context: ExecutionContext) -> bool:
    """The page is asked where it is only if a rule wants to know."""
    if origin is None:
        return True
    if isinstance(action, CallTool):
        return fits_any(origin, f"mcp:{action.server}")
    return fits_any(origin, origin_of(getattr(action, "url", None) or await context.browser.where()))


async def _asked(text: str, number: int | None, context: ExecutionContext) -> Literal["approve", "reject"]:
    """Anything but the word itself is no approval."""
    name = "-approval" if number is None else f"-approval-{number}"
    picture = await kept_picture(name, context.browser.screenshot, context)
    question = OperatorQuestion(text, options=("approve", "reject"), safe="reject", picture=picture)
    return "approve" if await ask_operator(question, context) == "approve" else "reject"
