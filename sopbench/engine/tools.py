"""A call of a tool: where it may go, how often, and what of its answer is taken."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from sopbench.errors import DataInvalid, ToolRefused, ToolUnavailable
from sopbench.sop.approval_rules import origin_of
from sopbench.sop.origins import spelled_out
from sopbench.sop.verbs.tools import Request

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.ports.tool import ToolAnswer
    from sopbench.sop.actions import AnyAction, ToolAction


class NoTools:
    """For runs that have none."""

    async def call(self, action: ToolAction, *, timeout_s: float) -> ToolAnswer:
        """Raises: ToolUnavailable."""
        raise ToolUnavailable(f"this run has no tools: {action}", performed=False)


async def use_tool(written: AnyAction, action: ToolAction, *, timeout_s: float, context: ExecutionContext) -> Any:
    """Call it once, if it may be; its answer as plain data. ``written`` is the action before it was filled in.

    Raises: LimitReached; ToolRefused, also where it may not go there; ToolUnavailable, also when it failed too often;
    DataInvalid for an answer that does not fit the action's schema.
    """
    name = _called(written, action, context)
    context.tool_breaker.require_closed(name, partial(ToolUnavailable, performed=False))
    context.count_tool_call()
    try:
        answer = await context.tools.call(action, timeout_s=timeout_s)
    except ToolUnavailable:
        context.tool_breaker.failed(name)
        raise
    context.tool_breaker.worked(name)
    if action.answer is not None:
        _require_fit(action, answer.value)
    return answer.value


def _called(written: AnyAction, action: ToolAction, context: ExecutionContext) -> str:
    """What is called, in words. Raises: ToolRefused for an origin that the document does not name."""
    if not isinstance(action, Request):
        return f"MCP server {action.server!r}"
    origin = origin_of(action.url)
    own = spelled_out(written.url) if isinstance(written, Request) else None
    if origin != own and origin not in context.api_origins:
        message = f"{action} may not be sent: the document does not name {origin or 'such an origin'} as one it asks"
        error = ToolRefused(message, performed=False)
        error.cause = "procedure"
        raise error
    return origin


def _require_fit(action: ToolAction, value: Any) -> None:
    problem = best_match(Draft202012Validator(action.answer or {}).iter_errors(value))
    if problem is not None:
        message = f"the answer to {action} does not fit its schema at {problem.json_path}: {problem.message[:300]}"
        raise DataInvalid(message, performed=True)
