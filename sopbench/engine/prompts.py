"""What a model is told. The page's words are data: they stand between marks, and the system text says what they are.

The texts themselves are files: see ``prompt_files``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sopbench.engine.prompt_files import prompt_text
from sopbench.ports.llm import ModelRequest
from sopbench.targeting.shown import NONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.ports.llm import Purpose
    from sopbench.sop.document import Question
    from sopbench.sop.verbs.thinking import Interpret

UNSURE = "unsure"
ABOUT_MAX_CHARS = 6000
"""Longer texts are cut: a decision about a mail is in its first pages."""

_MARK = re.compile(r"<\s*(/?)\s*text\s*>", re.IGNORECASE)


def decision(question: Question, about: str, *, timeout_s: float) -> ModelRequest:
    """A closed question. The answer's ``choice`` is one of the named choices, or ``unsure``."""
    choices = "\n".join(f"- {name}: {choice.means}" for name, choice in question.choices.items())
    places = {"about": _cut(about), "ask": question.ask, "choices": choices, "unsure": UNSURE}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "choice": {"type": "string", "enum": [*question.choices, UNSURE]},
            "reason": {"type": "string", "maxLength": 160},
        },
        "required": ["choice", "reason"],
        "additionalProperties": False,
    }
    return _request("decide", places, schema, max_tokens=200, timeout_s=timeout_s)


def interpretation(action: Interpret, *, timeout_s: float) -> ModelRequest:
    """A form to fill in from a text."""
    places = {"about": _cut(action.about), "instructions": action.instructions}
    return _request("interpret", places, action.answer, max_tokens=800, timeout_s=timeout_s)


def generation(
    instructions: str, about: str, limits: Sequence[str], schema: dict[str, Any], *, max_tokens: int, timeout_s: float
) -> ModelRequest:
    """A text to write from gathered facts; ``limits`` is what it must keep to, a line each."""
    places = {"about": _cut(about), "instructions": instructions, "limits": _MARK.sub(r"[\1text]", "\n".join(limits))}
    return _request("generate", places, schema, max_tokens=max_tokens, timeout_s=timeout_s)


def element_choice(does: str, meant: str, menu: str, numbers: Sequence[int], *, timeout_s: float) -> ModelRequest:
    """Which of the numbered elements is meant; ``none`` when it is not there."""
    places = {"about": _cut(menu), "does": _cut(does), "meant": _cut(meant), "none": NONE}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "choice": {"type": "string", "enum": [*map(str, numbers), NONE]},
            "reason": {"type": "string", "maxLength": 160},
        },
        "required": ["choice", "reason"],
        "additionalProperties": False,
    }
    return _request("choose_element", places, schema, max_tokens=200, timeout_s=timeout_s)


def _request(
    purpose: Purpose, places: dict[str, str], schema: dict[str, Any], *, max_tokens: int, timeout_s: float
) -> ModelRequest:
    text = prompt_text(purpose)
    return ModelRequest(
        purpose,
        text.system,
        text.filled(**places),
        schema,
        max_tokens=max_tokens,
        timeout_s=timeout_s,
        prompt_version=text.version,
    )


def _cut(text: str) -> str:
    text = _MARK.sub(r"[\1text]", text)  # the page may not end its own quotation
    return text if len(text) <= ABOUT_MAX_CHARS else text[:ABOUT_MAX_CHARS] + "\n[the rest was left out]"
