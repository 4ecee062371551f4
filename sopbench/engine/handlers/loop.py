"""A loop: what its items are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sopbench.errors import DataInvalid, LimitReached
from sopbench.sop.targets import Target
from sopbench.sop.templates import render_part, value_of

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.nodes import LoopNode


async def loop_items(node: LoopNode, context: ExecutionContext) -> list[Any]:
    """The items, counted once when the loop is reached.

    Raises: DataInvalid when they are no list, LimitReached when there are more than ``max_iterations``.
    """
    if isinstance(node.items, Target):
        texts = await context.browser.matches(render_part(node.items, context.variables))
        items: Any = [{"index": index, "text": text} for index, text in enumerate(texts)]
    elif node.items is not None:
        items = value_of(node.items, context.variables)
    else:
        raise DataInvalid(f"loop {node.id!r} does not say what its items are")
    if not isinstance(items, list):
        raise DataInvalid(f"the items of loop {node.id!r} are no list: {items!r:.200}")
    if len(items) > node.max_iterations:
        message = f"loop {node.id!r} has {len(items)} items, more than its max_iterations {node.max_iterations}"
        raise LimitReached(message, limit="iterations")
    return items
