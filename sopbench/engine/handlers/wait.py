"""A wait: until something is true, or as a last resort for some time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.engine.expectations import require

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.nodes import WaitNode


async def wait(node: WaitNode, context: ExecutionContext) -> str:
    """Raises: ExpectationFailed when what is waited for does not come."""
    if node.seconds:
        await context.clock.sleep(node.seconds)
    await require(node.until, context)
    return "next"
