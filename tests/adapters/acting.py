"""Doing actions on a page of some HTML, in a real browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import TypeAdapter

from sopbench.adapters.playwright_session import PlaywrightSession
from sopbench.errors import StepError
from sopbench.ports.browser import Done
from sopbench.sop.actions import AnyAction
from sopbench.sop.targets import Expectation

_ACTION: TypeAdapter[Any] = TypeAdapter(AnyAction)
_EXPECTATION: TypeAdapter[Any] = TypeAdapter(Expectation)


@dataclass
class Acting:
    """A browser session, and short words for what tests do with it."""

    session: PlaywrightSession

    async def show(self, html: str) -> None:
        await self.session.context.pages[0].set_content(html)

    async def do(self, verb: str, css: str | None = None, *, timeout_s: float = 10, **more: Any) -> Done:
        """Do a verb to the element that the CSS selector finds."""
        target = {} if css is None else {"target": {"css": css}}
        action = _ACTION.validate_python({"do": verb, **target, **more})
        return await self.session.browser.perform(action, timeout_s=timeout_s)

    async def refused(self, verb: str, css: str | None = None, *, timeout_s: float = 0.8, **more: Any) -> StepError:
        with pytest.raises(StepError) as raised:
            await self.do(verb, css, timeout_s=timeout_s, **more)
        return raised.value

    async def sees(self, timeout_s: float = 5, **expectation: Any) -> bool:
        seen = await self.session.browser.look(_EXPECTATION.validate_python(expectation), timeout_s=timeout_s)
        return seen.holds

    async def js(self, script: str) -> Any:
        """What a script gives on the first page."""
        return await self.session.context.pages[0].evaluate(script)
