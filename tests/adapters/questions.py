"""A question for any model, and a clock that does not wait between its tries."""

from __future__ import annotations

from sopbench.adapters.system_clock import SystemClock
from sopbench.ports.llm import ModelRequest

QUESTION = ModelRequest(
    purpose="decide",
    system="You read mail.",
    prompt="Is this about money?",
    schema={
        "type": "object",
        "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
        "required": ["answer"],
    },
    max_tokens=100,
    timeout_s=20,
)


class PatientClock(SystemClock):
    """Notes what it was asked to wait for, and does not wait."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
