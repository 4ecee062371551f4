"""What the engine needs from a language model: one closed question, one answer to a schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

Purpose = Literal["decide", "interpret", "choose_element"]


@dataclass(frozen=True)
class ModelRequest:
    """A question. The prompt is complete; the schema is what the answer must fit."""

    purpose: Purpose
    system: str
    prompt: str
    schema: dict[str, Any]
    """JSON Schema of an object."""
    max_tokens: int
    timeout_s: float


@dataclass(frozen=True)
class ModelAnswer:
    """An answer that fits the schema."""

    value: dict[str, Any]
    model: str
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    """None when the price is not known."""
    replayed: bool


class LanguageModel(Protocol):
    """A model, live or from a cassette."""

    async def ask(self, request: ModelRequest) -> ModelAnswer:
        """Put one question.

        Raises: CassetteMiss, ModelUnavailable (also when ``timeout_s`` is over), AnswerUnusable.
        """
