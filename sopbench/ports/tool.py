"""What the engine needs from tools: one call of another system, one answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from sopbench.sop.actions import ToolAction

MAX_ANSWER_BYTES = 2_000_000


@dataclass(frozen=True)
class ToolAnswer:
    """What a tool answered."""

    value: Any
    """Plain data; text where it was none; None where it was empty."""


class Tool(Protocol):
    """Other systems than the browser, for one run. What is called arrives with its variables filled in."""

    async def call(self, action: ToolAction, *, timeout_s: float) -> ToolAnswer:
        """Call it once; it is never repeated here.

        ``performed`` of an error is False only where surely nothing was brought about.

        Raises: ToolUnavailable (also when ``timeout_s`` is over), ToolRefused, and DataInvalid for an answer that is
        too large or not what it says it is.
        """
