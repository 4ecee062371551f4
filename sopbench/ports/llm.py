"""What the engine needs from a language model: one closed question, one answer to a schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

Purpose = Literal["decide", "decide_simply", "interpret", "choose_element", "generate", "explore"]
AnswerForm = Literal["json_schema", "json_object", "tool_call"]
"""The schema was enforced by the endpoint, only told to the model, or put as the arguments of a tool."""


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
    prompt_version: int = 1
    """Of the prompt's text; a cassette's header says which it was recorded with."""
    stable_chars: int = 0
    """How much of the prompt's beginning comes again word by word in the questions that follow, and so is worth keeping
    in the provider's cache; 0 for none of it."""


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
    cached_tokens: int = 0
    """Of the input, what came from the provider's cache."""
    form: AnswerForm = "json_schema"
    """How the endpoint could be made to answer to the schema."""


class LanguageModel(Protocol):
    """A model, live or from a cassette."""

    async def ask(self, request: ModelRequest) -> ModelAnswer:
        """Put one question.

        Raises: CassetteMiss, ModelUnavailable (also when ``timeout_s`` is over), AnswerUnusable.
        """
