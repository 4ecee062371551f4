"""What the page was like when an action failed on it, for whoever looks for the cause later."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

from sopbench.errors import BrowserLost, ExpectationFailed, StepError, TargetNotFound
from sopbench.events.types import ActionFailed, PageSeen
from sopbench.sop.approval_rules import MAIL_ADDRESS
from sopbench.sop.filters import shorten
from sopbench.sop.verbs.thinking import Interpret, Set
from sopbench.sop.verbs.tools import CallTool, Request

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.errors import SopbenchError
    from sopbench.ports.browser import PageFacts
    from sopbench.sop.actions import AnyAction

_AT_MOST_S = 10.0
_MOST_NOTICES, _NOTICE_CHARS = 2, 120
_NO_PAGE = (Interpret, Set, Request, CallTool)


async def note_failed(
    number: int, action: AnyAction, error: SopbenchError, began: float, context: ExecutionContext
) -> None:
    """Write down that an action, begun at ``began``, failed, and what its page was like."""
    context.emit(
        ActionFailed(
            step=context.step,
            action=number,
            duration_s=context.clock.monotonic() - began,
            error=type(error).__name__,
            message=str(error),
            performed=error.performed if isinstance(error, StepError) else None,
        )
    )
    await _note_page(number, action, error, context)


async def _note_page(number: int, action: AnyAction, error: SopbenchError, context: ExecutionContext) -> None:
    """Write down what the page shows and what it had trouble loading; the error then says what the page gives notice of
    in place of what was expected, or what it is headed. A page that does not tell is left alone, but not before a slow
    machine had time: what is left out is missed by the reader, and by whoever compares two runs.
    """
    if not isinstance(error, StepError) or isinstance(error, BrowserLost) or isinstance(action, _NO_PAGE):
        return
    with suppress(StepError, TimeoutError):
        async with asyncio.timeout(_AT_MOST_S):
            told = await context.browser.facts()
        context.emit(PageSeen(step=context.step, action=number, **asdict(told)))
        if isinstance(error, ExpectationFailed | TargetNotFound):
            error.message += _somebody_else(told, error.message) + _told(told)


def _somebody_else(page: PageFacts, message: str) -> str:
    """Who is signed in, where somebody is missed and the page names another one."""
    missed = MAIL_ADDRESS.findall(message)
    if not missed or not page.accounts or any(each in account for each in missed for account in page.accounts):
        return ""
    return f"; signed in is “{shorten(page.accounts[0], _NOTICE_CHARS)}”"


def _told(page: PageFacts) -> str:
    """What it gives notice of, or is headed; else what it could not load."""
    said = [each for each in page.notices or page.headings or (page.title,) if each]
    if said:
        quoted = (f"“{shorten(each, _NOTICE_CHARS)}”" for each in said[:_MOST_NOTICES])
        return f"; the page says {' and '.join(quoted)}"
    return "".join(f"; {each.method} {each.url}: {each.outcome}" for each in page.troubles[-1:])
