"""The interpreter: node → step → edge → node, in and out of loops, until the end, a failure or a limit."""

from __future__ import annotations

import asyncio
from collections import ChainMap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from sopbench.engine.budgets import left_to_do
from sopbench.engine.context import Autonomy, Capture, ExecutionContext, Frame
from sopbench.engine.handlers.loop import loop_items
from sopbench.engine.interruptions import Interruptions
from sopbench.engine.resuming import RESUMABLE, DoneItems, Resuming
from sopbench.engine.steps import begin_container, cause_of, do_step, fail_step, finish_step, note_failure
from sopbench.engine.tools import NoTools
from sopbench.errors import (
    AnswersDiffer,
    AnswerUnusable,
    BrowserLost,
    LimitReached,
    ModelUnavailable,
    OperatorStopped,
    Rejected,
    SopbenchError,
    StepError,
    UsageError,
)
from sopbench.events.types import (
    ItemPassedOver,
    IterationFinished,
    IterationStarted,
    LoopEntered,
    RunFinished,
    RunStarted,
)
from sopbench.sop.approval_rules import origin_of
from sopbench.sop.flow import Flow
from sopbench.sop.needs import exploring_nodes, model_nodes
from sopbench.sop.nodes import EndNode, LoopNode, TaskNode
from sopbench.sop.templates import render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sopbench.events.log import EventLog
    from sopbench.ports.browser import Browser
    from sopbench.ports.clock import Clock
    from sopbench.ports.llm import LanguageModel
    from sopbench.ports.operator import Operator
    from sopbench.ports.tool import Tool
    from sopbench.sop.document import Limits, Skill, Sop
    from sopbench.sop.nodes import Node

_ENDS_AN_ITEM = (StepError, ModelUnavailable, AnswerUnusable, AnswersDiffer, Rejected)
"""Errors of one item that ``on_item_error: continue`` may pass over; all others end the run."""

Status = Literal["completed", "failed", "stopped", "timed_out", "cancelled"]


@dataclass(frozen=True)
class RunResult:
    """What a run says of itself."""

    status: Status
    reason: str
    """One sentence; why it did not complete, or that it did."""
    cause: str
    steps: int
    duration_s: float
    variables: dict[str, Any] = field(repr=False)
    """The outermost variables at the end. Secrets are in clear: not for showing."""

    @property
    def completed(self) -> bool:
        return self.status == "completed"


@dataclass(frozen=True)
class Engine:
    """Runs procedures through its ports. One engine may do many runs, each in a browser session of its own."""

    model: LanguageModel
    operator: Operator
    clock: Clock
    autonomy: Autonomy = Autonomy.LIGHT
    capture: Capture = "off"
    record_targets: bool = False
    """Whether to note what each element is like before it is acted on."""

    async def run(
        self,
        sop: Sop,
        *,
        browser: Browser,
        log: EventLog,
        variables: Mapping[str, Any],
        tools: Tool | None = None,
        limits: Limits | None = None,
        folder: Path | None = None,
        sha256: str = "",
        context: Mapping[str, Any] | None = None,
    ) -> RunResult:
        """Carry out a procedure once. Cancelling the task stops it at once and leaves a complete log.

        ``variables`` are resolved values (see ``sop.needs``); ``context`` goes into the log's first event.

        Raises: UsageError before anything is done, when the procedure needs what this engine may not do.
        """
        self.check(sop)
        limits = limits or sop.private.limits
        where = ExecutionContext(
            sop=sop,
            flow=Flow(sop),
            skills=_skills_by_node(sop),
            browser=browser,
            model=self.model,
            operator=self.operator,
            tools=tools or NoTools(),
            clock=self.clock,
            emit=log.append,
            limits=limits,
            autonomy=self.autonomy,
            variables=ChainMap(dict(variables)),
            folder=folder,
            capture=self.capture,
            record_targets=self.record_targets,
            api_origins=_api_origins(sop, variables),
        )
        log.append(
            RunStarted(
                sop=sop.meta.id,
                title=sop.meta.title,
                version=sop.meta.version,
                sha256=sha256,
                autonomy=self.autonomy,
                variables=dict(variables),
                limits=limits.model_dump(),
                context=dict(context or {}),
            )
        )
        return await _Run(where).to_its_end()

    def check(self, sop: Sop) -> None:
        """Raises: UsageError when the procedure needs a model and none may be asked, or is to explore and may not."""
        if self.autonomy is Autonomy.DETERMINISTIC and (nodes := model_nodes(sop)):
            names = ", ".join(repr(node) for node in nodes)
            raise UsageError(f"--autonomy deterministic asks no model, but these nodes need one: {names}")
        if self.autonomy is not Autonomy.FULL and (nodes := exploring_nodes(sop)):
            names = ", ".join(repr(node) for node in nodes)
            message = f"these nodes explore, which needs --autonomy full: {names}; or record their way as a task"
            raise UsageError(message)


def _skills_by_node(sop: Sop) -> dict[str, tuple[Skill, ...]]:
    skills = {skill.id: skill for skill in sop.private.skills}
    return {
        binding.node_id: tuple(skills[name] for name in (binding.primary_skill, *binding.alt_skills))
        for binding in sop.private.steps
    }


def _api_origins(sop: Sop, variables: Mapping[str, Any]) -> frozenset[str]:
    """By what the run was given: no page can add to them later."""
    return frozenset(origin_of(render(origin, variables)) for origin in sop.private.api_origins)


class _Run:
    def __init__(self, context: ExecutionContext) -> None:
        self._context = context
        self._started = context.clock.monotonic()
        self._node = ""
        self._given_up: list[str] = []
        self._first_given_up: SopbenchError | None = None
        self._only_rejected = True
        """Of what was given up: nobody would say otherwise the next time."""
        self._resuming = Resuming(context)
        self._items = DoneItems()
        if known := context.sop.public.interruptions:
            context.interrupted = Interruptions(known, self._do_apart).dealt_with

    async def to_its_end(self) -> RunResult:
        limits = self._context.limits
        try:
            async with asyncio.timeout(limits.run_s) as limit:
                await self._walk_through()
        except TimeoutError as error:
            if not limit.expired():
                raise
            expired = LimitReached(f"the run took longer than its {limits.run_s:g} s", limit="time")
            expired.__cause__ = error
            return self._finish("timed_out", expired)
        except OperatorStopped as error:
            return self._finish("stopped", error)
        except SopbenchError as error:
            return self._finish("failed", error)
        except asyncio.CancelledError:
            self._finish("cancelled", OperatorStopped("the run was stopped from outside"))
            raise
        except Exception as error:
            self._finish("failed", SopbenchError(f"the harness broke: {type(error).__name__}: {error}"))
            raise
        return self._finish("completed", None)

    def _finish(self, status: Status, error: SopbenchError | None) -> RunResult:
        context = self._context
        duration_s = context.clock.monotonic() - self._started
        reason = str(error) if error else "the procedure came to its end"
        if isinstance(error, LimitReached) and error.data.get("limit") != "iterations" and self._node:
            reason += left_to_do(context.flow.node(self._node).label, context.frames)
        cause = cause_of(error) if error else ""
        node = self._node if error else ""
        context.emit(
            RunFinished(
                status=status, reason=reason, cause=cause, node=node, steps=context.steps, duration_s=duration_s
            )
        )
        return RunResult(status, reason, cause, context.steps, duration_s, dict(context.variables.maps[-1]))

    async def _walk_through(self) -> None:
        """The whole procedure; after a failure once more from its start, where that is allowed and would be harmless.

        Raises: SopbenchError of the last time.
        """
        while True:
            try:
                await self._walk()
                if not self._given_up:
                    break
                raise self._what_was_given_up()
            except RESUMABLE as error:
                if self._given_up and self._only_rejected:
                    raise
                self._resuming.require_harmless(error)
                self._close_all(error)
                await self._resuming.begin_again(error, self._node, done=self._items.begin_again())
                self._given_up.clear()
                self._first_given_up, self._only_rejected = None, True
        self._items.require_none_left()

    def _what_was_given_up(self) -> StepError:
        count = len(self._given_up)
        message = f"{count} {'item was' if count == 1 else 'items were'} given up: {'; '.join(self._given_up)}"
        summary = StepError(message)
        if self._first_given_up is not None:
            summary.cause = cause_of(self._first_given_up)
        return summary

    async def _do_apart(self, nodes: Sequence[str]) -> None:
        """Do these nodes, and what is inside them, apart from what is being done. Raises: SopbenchError."""
        flow, before = self._context.flow, self._node
        try:
            for node_id in nodes:
                position: str | None = node_id
                while position is not None and (position == node_id or flow.contains(node_id, position)):
                    self._node = position
                    position = await self._visit(flow.node(position))
        except SopbenchError as error:
            self._close_all(error)
            raise
        self._node = before

    def _close_all(self, error: SopbenchError) -> None:
        while self._context.frames:
            self._close(self._context.frames[-1], "next", error=error)

    async def _walk(self) -> None:
        position: str | None = self._context.flow.start
        while position is not None:
            node = self._context.flow.node(position)
            self._node = node.id
            try:
                position = await self._visit(node)
            except _ENDS_AN_ITEM as error:
                if isinstance(error, BrowserLost):
                    raise  # no further item can be done without it
                position = self._give_up_item(error)

    async def _visit(self, node: Node) -> str | None:
        """Do the node, and say where to go on."""
        if isinstance(node, LoopNode):
            return await self._enter_loop(node)
        if isinstance(node, TaskNode) and node.children:
            started = self._context.clock.monotonic()
            step = await begin_container(node, self._context)
            self._context.frames.append(Frame(node, step, started, account=self._context.account))
            return self._context.flow.enter(node.id)
        condition = await do_step(node, self._context)
        if isinstance(node, EndNode):
            while self._context.frames:
                self._close(self._context.frames[-1], "next")
            return None
        return self._follow(node.id, condition)

    def _follow(self, node_id: str, condition: str) -> str | None:
        """Take the edge; without one, what is around the node comes to its end."""
        flow, frames = self._context.flow, self._context.frames
        target = flow.next_node(node_id, condition)
        if target is None:
            if flow.branches(node_id) and condition not in ("next", "all_processed"):
                raise StepError(f"node {node_id!r} has no edge for {condition!r}", performed=False)
            return self._leave(node_id)
        back = (frame for frame in reversed(frames) if frame.is_loop and flow.is_back_edge(frame.node.id, target))
        if (loop := next(back, None)) is not None:
            return self._next_item(loop)
        while frames and not flow.contains(frames[-1].node.id, target):
            self._close(frames[-1], "next")
        return target

    def _leave(self, node_id: str) -> str | None:
        parent = self._context.flow.parent(node_id)
        frame = next((frame for frame in reversed(self._context.frames) if frame.node.id == parent), None)
        if frame is None:
            return None
        if frame.is_loop:
            return self._next_item(frame)
        self._close(frame, "next")
        return self._follow(frame.node.id, "next")

    async def _enter_loop(self, node: LoopNode) -> str | None:
        context = self._context
        started = context.clock.monotonic()
        step = await begin_container(node, context)
        try:
            items = await loop_items(node, context)
        except SopbenchError as error:
            await fail_step(node, error, 1, started, context)
            raise
        context.emit(LoopEntered(step=step, node=node.id, items=len(items)))
        frame = Frame(node, step, started, items, account=context.account)
        context.frames.append(frame)
        self._items.listed(frame, context)
        return self._next_item(frame)

    def _next_item(self, frame: Frame, error: SopbenchError | None = None) -> str | None:
        """End the current iteration, failed if there is an error, and begin the next or leave the loop."""
        context, node = self._context, frame.loop
        while context.frames[-1] is not frame:
            self._close(context.frames[-1], "next", error=error)
        if frame.index >= 0:
            self._end_iteration(frame, error)
        frame.index += 1
        while frame.index < len(frame.items) and self._items.passes_over(frame, context):
            item = frame.items[frame.index]
            context.emit(ItemPassedOver(step=frame.step, node=node.id, index=frame.index, item=item))
            frame.index += 1
        if frame.index >= len(frame.items):
            self._close(frame, "all_processed", iterating=False)
            return self._follow(node.id, "all_processed")
        item = frame.items[frame.index]
        context.enter_scope({node.as_: item, "loop": {"index": frame.index, "count": len(frame.items)}})
        context.emit(IterationStarted(step=frame.step, node=node.id, index=frame.index, item=item))
        return context.flow.enter(node.id)

    def _end_iteration(self, frame: Frame, error: SopbenchError | None) -> None:
        self._context.leave_scope()
        self._items.note(frame, self._context, failed=error is not None)
        self._context.emit(
            IterationFinished(
                step=frame.step,
                node=frame.node.id,
                index=frame.index,
                failed=error is not None,
                reason=str(error or ""),
            )
        )

    def _close(
        self, frame: Frame, condition: str, *, iterating: bool = True, error: SopbenchError | None = None
    ) -> None:
        self._context.frames.remove(frame)
        if frame.is_loop and iterating and frame.index >= 0:
            self._end_iteration(frame, error)
        context = self._context
        context.used.clear()
        if error is not None:
            note_failure(frame.node, frame.step, error, 1, frame.started, self._context)
            return
        finish_step(frame.node, frame.step, condition, frame.started, self._context)

    def _give_up_item(self, error: SopbenchError) -> str | None:
        """Go on with the next item where the document allows it. Raises: the error, where it does not."""
        frames = self._context.frames
        loop = next(
            (f for f in reversed(frames) if isinstance(f.node, LoopNode) and f.node.on_item_error == "continue"), None
        )
        if loop is None:
            raise error
        self._given_up.append(f"{loop.node.id}[{loop.index}]: {error}")
        self._first_given_up = self._first_given_up or error
        self._only_rejected &= isinstance(error, Rejected)
        return self._next_item(loop, error)
