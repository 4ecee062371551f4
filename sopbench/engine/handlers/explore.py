"""An exploration: its goal, with its variables filled in, and the bounds that the document gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.engine.exploring import Goal, reach, usual_origins
from sopbench.sop.explorable import USUAL
from sopbench.sop.targets import That
from sopbench.sop.templates import render, render_part

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.nodes import ExploreNode


async def explore(node: ExploreNode, context: ExecutionContext) -> str:
    """Raises: GoalNotReached, TemplateFailed, and what ``exploring.reach`` raises."""
    own = tuple(render(each, context.variables) for each in node.origins)
    done_when = node.done_when
    goal = Goal(
        text=render(node.goal, context.variables),
        done_when=(done_when if isinstance(done_when, That) else render_part(done_when, context.variables),),
        allowed=node.allowed or USUAL,
        origins=own or await usual_origins(context),
        max_steps=node.max_steps,
    )
    await reach(goal, context)
    return "next"
