"""Pictures for the run's folder.

A page that cannot be pictured is no reason to fail; if it is gone, the next action says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.errors import StepError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from sopbench.engine.context import ExecutionContext


async def kept_picture(name: str, take: Callable[[Path], Awaitable[None]], context: ExecutionContext) -> str:
    """Let a picture of the current step be taken; its path in the run's folder, empty where there is none."""
    if context.folder is None or context.capture == "off":
        return ""
    path = f"screenshots/{context.step:04}{name}.jpg"
    try:
        await take(context.folder / path)
    except StepError:
        return ""
    return path
