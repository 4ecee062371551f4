"""What a model is told. The page's words are data: they stand between marks, and the system text says what they are.

The texts themselves are files: see ``prompt_files``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sopbench.engine.prompt_files import prompt_text
from sopbench.ports.llm import ModelRequest
from sopbench.sop.nodes import CONFIDENCES
from sopbench.targeting.shown import NONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.ports.llm import Purpose
    from sopbench.sop.nodes import Question
    from sopbench.sop.verbs.thinking import Interpret

UNSURE = "unsure"
QUOTE_MAX_CHARS = 60
ABOUT_MAX_CHARS = 6000
"""Longer texts are cut: a decision about a mail is in its first pages."""

GIVE_UP = "give_up"
WHY_MAX_CHARS = 160
EXPLORING = {
    "click": "press an element",
    "hover": "move the pointer over an element",
    "fill": "enter value into a field, in place of what it holds",
    "clear": "empty a field",
    "select": "choose the option called value in a drop-down",
    "set_checked": "bring a box or switch into the state value: on or off",
    "pick_date": "put the date value (2025-06-02) into a field",
    "press": "press the key value: Enter, Escape, Tab, ArrowDown, ArrowUp, PageDown, PageUp, Home or End",
    "scroll": "move down the page, or up if value is up; within an element if one is given",
    "back": "go back to the page before",
    "navigate": "open the address value",
}
"""What each verb of an exploration does, as the model is told."""

Offer = tuple[str, str]
"""A verb, and the number of the element that it may be done to, or ``none``."""
_MARK = re.compile(r"<\s*(/?)\s*text\s*>", re.IGNORECASE)


def decision(question: Question, shown: str, pieces: int, *, timeout_s: float) -> ModelRequest:
    """A closed question about numbered pieces. The answer is a ``choice`` among the named ones or ``unsure``, how sure
    the model is of it, the number of a piece, and a quote from it.

    The choice comes first: what a small model writes before it, it is led by.
    """
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "choice": {"type": "string", "enum": [*question.choices, UNSURE]},
            "confidence": {"type": "string", "enum": [*reversed(CONFIDENCES)]},
            "piece": {"type": "integer", "enum": [*range(1, pieces + 1)]},
            "quote": {"type": "string", "maxLength": QUOTE_MAX_CHARS},
        },
        "required": ["choice", "confidence", "piece", "quote"],
        "additionalProperties": False,
    }
    return _request("decide", _decided(question, shown), schema, max_tokens=120, timeout_s=timeout_s)


def simple_decision(question: Question, shown: str, *, timeout_s: float) -> ModelRequest:
    """The same question, for the ``choice`` alone."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"choice": {"type": "string", "enum": [*question.choices, UNSURE]}},
        "required": ["choice"],
        "additionalProperties": False,
    }
    return _request("decide_simply", _decided(question, shown), schema, max_tokens=60, timeout_s=timeout_s)


def _decided(question: Question, shown: str) -> dict[str, str]:
    choices = "\n".join(f"- {name}: {choice.means}" for name, choice in question.choices.items())
    return {"about": _cut(shown), "ask": question.ask, "choices": choices, "unsure": UNSURE}


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


def exploration(
    goal: str, verbs: Sequence[str], page: str, tried: str, offers: Sequence[Offer], *, timeout_s: float
) -> ModelRequest:
    """The next action on a page: an element, a verb, what is entered, and why; or ``give_up``.

    Only elements and verbs that are in an offer can be named. The element comes first: a small model that names the
    verb first is led by it.
    """
    actions = "\n".join(f"- {verb}: {EXPLORING[verb]}" for verb in verbs)
    places = {"goal": _cut(goal), "actions": actions, "page": _cut(page), "tried": _cut(tried)}
    numbers = dict.fromkeys(number for _, number in offers if number != NONE)
    offered = dict.fromkeys(verb for verb, _ in offers)
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "element": {"type": "string", "enum": [*numbers, NONE]},
            "do": {"type": "string", "enum": [*offered, GIVE_UP]},
            "value": {"type": "string", "maxLength": 200},
            "why": {"type": "string", "maxLength": WHY_MAX_CHARS},
        },
        "required": ["element", "do", "value", "why"],
        "additionalProperties": False,
    }
    asked = _request("explore", places, schema, max_tokens=300, timeout_s=timeout_s)
    return replace(asked, stable_chars=asked.prompt.index("<text>"))


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
