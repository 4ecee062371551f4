"""A decision: cheap checks first, a model only when they settle nothing, and unsure means *no*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.engine.asking import ask_operator
from sopbench.engine.expectations import look_once
from sopbench.engine.model_decisions import observed, settle
from sopbench.engine.values import set_variable
from sopbench.errors import AnswerUnusable, OperatorStopped
from sopbench.events.types import DecisionMade
from sopbench.ports.operator import OperatorQuestion
from sopbench.sop.targets import That
from sopbench.sop.templates import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.nodes import Check, Criteria, DecisionNode, Question
    from sopbench.sop.targets import Expectation

_LOOK_EVERY_S = 0.1


async def decide(node: DecisionNode, context: ExecutionContext) -> str:
    """Take a branch only on evidence.

    Raises: OperatorStopped when nobody can settle an unsure decision that may not be taken as *no*.
    """
    criteria = node.criteria
    if criteria is None:
        return await _unsure(node, "the document gives no criteria", context)
    patience_s = 0.0 if criteria.question else context.limits.find_s
    branch = await _by_checks(criteria, context, patience_s=patience_s)
    if branch is not None:
        return branch
    if criteria.question is None:
        context.emit(DecisionMade(step=context.step, branch="no", by="check", evidence="none of the checks held"))
        return "no"
    return await _by_model(node, criteria.question, context)


async def _by_checks(criteria: Criteria, context: ExecutionContext, *, patience_s: float) -> str | None:
    """The branch of the first check that holds.

    A page may not show yet what it is going to show: it is looked at again until its check has had its own time, or
    ``patience_s``. That a page's check does not hold is known only then.
    """
    began = context.clock.monotonic()
    while True:
        waited_s = context.clock.monotonic() - began
        if (found := await _first_that_holds(criteria.checks, context)) is not None:
            branch, words = found
            context.emit(DecisionMade(step=context.step, branch=branch, by="check", evidence=words))
            return branch
        if waited_s >= max((_time_of(check.condition, patience_s) for check in criteria.checks), default=0.0):
            return None
        await context.clock.sleep(_LOOK_EVERY_S)


async def _first_that_holds(checks: Sequence[Check], context: ExecutionContext) -> tuple[str, str] | None:
    """Its branch, and what it saw. What those before it look for may have come only while they were passed over."""
    for place, check in enumerate(checks):
        words, seen = await look_once(check.condition, context)
        if seen.holds:
            passed_over = [each for each in checks[:place] if not isinstance(each.condition, That)]
            return await _first_that_holds(passed_over, context) or (check.branch, words)
    return None


def _time_of(condition: Expectation, patience_s: float) -> float:
    if isinstance(condition, That):
        return 0.0
    return patience_s if condition.timeout_s is None else condition.timeout_s


async def _by_model(node: DecisionNode, question: Question, context: ExecutionContext) -> str:
    asked = question.model_copy(update={"ask": render(question.ask, context.variables)})
    evidence = await observed(asked, context)
    try:
        settled = await settle(asked, evidence, context, timeout_s=node.timeout_s or context.limits.decision_s)
    except AnswerUnusable as error:
        return await _unsure(node, str(error), context, asked=asked.ask)
    if asked.into is not None:
        set_variable(asked.into, settled.choice, "model", context)
    context.emit(
        DecisionMade(
            step=context.step,
            branch=settled.branch,
            by="model",
            evidence=settled.evidence,
            question=asked.ask,
            choice=settled.choice,
            quote=settled.quote,
            piece=settled.piece,
            confidence=settled.confidence,
        )
    )
    return settled.branch


async def _unsure(node: DecisionNode, why: str, context: ExecutionContext, *, asked: str = "") -> str:
    if node.on_unsure == "stop":
        raise OperatorStopped(f"cannot decide {node.label!r}: {why}")
    if node.on_unsure == "ask":
        branches = tuple(context.flow.branches(node.id))
        branch = await ask_operator(OperatorQuestion(f"{node.label} ({why})", branches), context)
        context.emit(DecisionMade(step=context.step, branch=branch, by="operator", evidence=why, question=asked))
        return branch
    context.emit(DecisionMade(step=context.step, branch="no", by="unsure", evidence=why, question=asked))
    return "no"
