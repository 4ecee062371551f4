"""One step: one visit of one node, from StepStarted to StepFinished or StepFailed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sopbench.engine.approval import approve_step
from sopbench.engine.budgets import Account
from sopbench.engine.handlers.decision import decide
from sopbench.engine.handlers.explore import explore
from sopbench.engine.handlers.generate import generate
from sopbench.engine.handlers.task import task
from sopbench.engine.handlers.wait import wait
from sopbench.engine.pictures import kept_picture
from sopbench.engine.retry import Attempts
from sopbench.errors import BrowserLost, LimitReached, SopbenchError, StepError
from sopbench.events.types import ScreenshotTaken, StepFailed, StepFinished, StepStarted
from sopbench.sop.nodes import DecisionNode, EndNode, ExploreNode, GenerateNode, Node, TaskNode, TriggerNode, WaitNode
from sopbench.sop.verbs.reading import Extract
from sopbench.sop.verbs.thinking import Interpret, Set
from sopbench.sop.verbs.tools import CallTool, Request

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext, Tier

_TIERS: tuple[Tier, ...] = ("exact", "retried", "interrupted", "healed", "alternative", "explored", "assisted")
_LEAVES_THE_PAGE = (Extract, Interpret, Set, Request, CallTool)


async def do_step(node: Node, context: ExecutionContext) -> str:
    """Do one node and say the condition of the edge to take.

    Raises: SopbenchError; the log then holds a StepFailed.
    """
    begin_step(node, context)
    attempts = Attempts(node, context)
    started = context.clock.monotonic()
    try:
        async with asyncio.timeout(node.timeout_s) as limit:
            await approve_step(node, context)
            condition = await _handle(node, attempts, context)
    except TimeoutError as error:
        if not limit.expired():
            raise
        message = f"step {node.label!r} took longer than its {node.timeout_s:g} s"
        timed_out = LimitReached(message, limit="time")
        await fail_step(node, timed_out, attempts.made, started, context)
        raise timed_out from error
    except SopbenchError as error:
        await fail_step(node, error, attempts.made, started, context)
        raise
    if context.capture == "steps" and _changes_the_page(node, context):
        await _take_screenshot(context)
    finish_step(node, context.step, condition, started, context, attempts=attempts.made)
    return condition


async def begin_container(node: Node, context: ExecutionContext) -> int:
    """Write the intent to enter a loop or compound task, and let it be approved. Raises: SopbenchError."""
    step, started = begin_step(node, context), context.clock.monotonic()
    try:
        await approve_step(node, context)
    except SopbenchError as error:
        await fail_step(node, error, 1, started, context)
        raise
    return step


def begin_step(node: Node, context: ExecutionContext) -> int:
    """Write the intent. Raises: LimitReached."""
    step = context.count_step()
    context.step_approved = False
    context.used.clear()
    context.approved.clear()
    context.node, context.skill = node.id, None
    context.account = None if node.budget is None else Account(node, context.spent)
    context.emit(StepStarted(step=step, node=node.id, kind=node.type, label=node.label, path=context.path()))
    return step


def finish_step(
    node: Node, step: int, condition: str, started: float, context: ExecutionContext, *, attempts: int = 1
) -> None:
    duration_s = context.clock.monotonic() - started
    context.emit(
        StepFinished(
            step=step,
            node=node.id,
            condition=condition,
            tier=_tier(attempts, context),
            attempts=attempts,
            duration_s=duration_s,
        )
    )


def _tier(attempts: int, context: ExecutionContext) -> Tier:
    used: set[Tier] = {*context.used, "retried" if attempts > 1 else "exact"}
    return max(used, key=_TIERS.index)


async def fail_step(node: Node, error: SopbenchError, attempts: int, started: float, context: ExecutionContext) -> None:
    if context.capture != "off" and not isinstance(error, BrowserLost):
        await _take_screenshot(context)
    note_failure(node, context.step, error, attempts, started, context)


def note_failure(
    node: Node, step: int, error: SopbenchError, attempts: int, started: float, context: ExecutionContext
) -> None:
    context.emit(
        StepFailed(
            step=step,
            node=node.id,
            attempts=attempts,
            duration_s=context.clock.monotonic() - started,
            error=type(error).__name__,
            message=str(error),
            cause=cause_of(error),
        )
    )


def cause_of(error: SopbenchError) -> str:
    """The cause, as far as the kind of error tells it."""
    return str(getattr(error, "cause", "procedure"))


async def _handle(node: Node, attempts: Attempts, context: ExecutionContext) -> str:
    match node:
        case TaskNode():
            return await task(node, attempts, context)
        case DecisionNode():
            return await decide(node, context)
        case WaitNode():
            return await wait(node, context)
        case GenerateNode():
            return await generate(node, context)
        case ExploreNode():
            return await explore(node, context)
        case TriggerNode() | EndNode():
            return "next"
        case _:
            raise StepError(f"nodes of type {node.type!r} cannot be run yet", performed=False)


def _changes_the_page(node: Node, context: ExecutionContext) -> bool:
    """Whether a picture after it would show anything that the one before did not."""
    if isinstance(node, WaitNode | ExploreNode):
        return True
    skill = context.skill
    return skill is not None and any(not isinstance(action, _LEAVES_THE_PAGE) for action in skill.actions)


async def _take_screenshot(context: ExecutionContext) -> None:
    started = context.clock.monotonic()
    if path := await kept_picture("", context.browser.screenshot, context):
        context.emit(ScreenshotTaken(step=context.step, path=path, duration_s=context.clock.monotonic() - started))
