"""Work that is not left half done when whoever waits for it is stopped."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")


async def carried_through(work: Coroutine[Any, Any, T]) -> T:
    """What it gives. Cancelled meanwhile, it is still carried out, and only then does the cancellation go on."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
