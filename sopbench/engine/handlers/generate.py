"""A text: gathered, written by a template or a model, checked, and only then set."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from sopbench.engine.asking import ask_model, ask_operator
from sopbench.engine.prompts import generation
from sopbench.engine.values import set_variable
from sopbench.errors import AnswerUnusable, DataInvalid, Rejected, StepError, TextInvalid
from sopbench.events.types import TextGenerated
from sopbench.ports.operator import OperatorQuestion
from sopbench.sop.templates import names_in, render
from sopbench.sop.text_checks import answer_schema, length_of, objections
from sopbench.sop.unicode import well_formed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.nodes import GenerateNode

_ATTEMPTS = 2
_FEWEST_TOKENS, _MOST_TOKENS = 400, 4000
_FILLED_IN = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_SUBJECT = re.compile(r"\s*Subject:[ \t]*(?P<subject>[^\n]*)\n+(?P<body>.*)", re.DOTALL | re.IGNORECASE)
_FORMS = {
    "text": "Write plain text, without Markdown.",
    "markdown": "Write Markdown, without HTML.",
    "email": "Write an e-mail in plain text, without Markdown: its subject in one line, and its body.",
}


async def generate(node: GenerateNode, context: ExecutionContext) -> str:
    """Write a text and set it; nothing unchecked is ever set.

    Raises: DataInvalid for an input that is not there; TextInvalid, which names every objection; Rejected when the
    operator does not approve the preview; TemplateFailed, and what the model port raises.
    """
    inputs = _gathered(node, context)
    if node.template is not None:
        value = _from_template(node, node.template, context)
        found = _checked(node, value, inputs, 1, context)
        if found:
            raise _invalid(node, found)
    elif node.instructions is not None:
        value = await _by_model(node, node.instructions, inputs, context)
    else:
        raise StepError(f"{node.label!r} does not say what to write: no template, no instructions", performed=False)
    if node.preview:
        await _previewed(node, value, context)
    if node.into is not None:
        set_variable(node.into, value, "model" if node.template is None else "expression", context)
    return "next"


def _gathered(node: GenerateNode, context: ExecutionContext) -> dict[str, Any]:
    """The inputs, and what the node's own templates name."""
    for name in node.inputs:
        if name not in context.variables:
            raise DataInvalid(f"variable {name!r}, which {node.label!r} is written from, is not set", name=name)
    named = {name for text in _templates(node) for name in names_in(text)}
    return {name: context.variables[name] for name in (*node.inputs, *sorted(named)) if name in context.variables}


def _templates(node: GenerateNode) -> list[str]:
    return [text for text in (node.template, node.instructions, *node.must_mention) if text is not None]


def _from_template(node: GenerateNode, template: str, context: ExecutionContext) -> Any:
    text = render(template, context.variables)
    if node.format == "email":
        found = _SUBJECT.fullmatch(text)
        if found is None:
            raise TextInvalid(f"{node.label!r}: the template of an e-mail begins with 'Subject: …'", performed=False)
        return {"subject": found["subject"].strip(), "body": found["body"].strip()}
    if isinstance(node.format, dict):
        try:
            return json.loads(text)
        except ValueError as error:
            raise TextInvalid(f"{node.label!r}: the template gives no JSON: {error}", performed=False) from error
    return text


async def _by_model(node: GenerateNode, template: str, inputs: dict[str, Any], context: ExecutionContext) -> Any:
    instructions = render(template, context.variables)
    shown = {name: inputs[name] for name in node.inputs}
    about = "\n".join(f"{name}: {_as_text(value)}" for name, value in shown.items())
    limits = _limits(node, context)
    found: list[str] = []
    for attempt in range(1, _ATTEMPTS + 1):
        refused = (
            ["An earlier answer was refused. Do not repeat this:", *(f"- {each}" for each in found)] if found else []
        )
        request = generation(
            instructions, about, [*limits, *refused], answer_schema(node.format, node.max_chars),
            max_tokens=min(_MOST_TOKENS, max(_FEWEST_TOKENS, node.max_chars or _MOST_TOKENS)),
            timeout_s=node.timeout_s or context.limits.generation_s,
        )  # fmt: skip
        try:
            answer = well_formed(await ask_model(request, question=instructions, about=about, context=context))
        except AnswerUnusable as error:
            if attempt == _ATTEMPTS:
                raise
            found = [str(error)]
            continue
        value = answer["text"] if node.format in ("text", "markdown") else answer
        found = _checked(node, value, inputs, attempt, context)
        if not found:
            return value
    raise _invalid(node, found)


def _limits(node: GenerateNode, context: ExecutionContext) -> list[str]:
    lines = [_FORMS[node.format]] if isinstance(node.format, str) else []
    if node.max_chars is not None:
        lines.append(f"Use at most {node.max_chars} characters.")
    return lines + [f"Mention: {render(each, context.variables)}" for each in node.must_mention]


def _checked(
    node: GenerateNode, value: Any, inputs: dict[str, Any], attempt: int, context: ExecutionContext
) -> list[str]:
    """What speaks against the text; the log says so."""
    must_mention = [render(each, context.variables) for each in node.must_mention]
    literal = [_FILLED_IN.sub(" ", node.template)] if node.template is not None else []
    words = [node.label] + ([render(node.instructions, context.variables)] if node.instructions is not None else [])
    found = objections(
        value, format_=node.format, max_chars=node.max_chars, must_mention=must_mention, inputs=inputs, words=words,
        said=[*must_mention, *literal],
    )  # fmt: skip
    context.emit(
        TextGenerated(
            step=context.step,
            purpose=node.label,
            by="model" if node.template is None else "template",
            attempt=attempt,
            chars=length_of(value),
            objections=tuple(found),
        )
    )
    return found


def _invalid(node: GenerateNode, found: Sequence[str]) -> TextInvalid:
    message = f"the text of {node.label!r} cannot be used: {'; '.join(found)}"
    error = TextInvalid(message, performed=False, objections=tuple(found))
    if node.template is not None:
        error.cause = "data"  # no model wrote it
    return error


async def _previewed(node: GenerateNode, value: Any, context: ExecutionContext) -> None:
    text = f"may this text be used for {node.label!r}?\n\n{_as_text(value)}"
    if await ask_operator(OperatorQuestion(text, ("approve", "reject"), safe="reject"), context) != "approve":
        raise Rejected(f"the operator rejected the text of {node.label!r}")


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
