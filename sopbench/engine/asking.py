"""Putting a question to a model or an operator: counted, logged before and after, and never silently repeated."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sopbench.errors import AnswersDiffer, AnswerUnusable, ModelUnavailable, SopbenchError
from sopbench.events.types import ModelAnswered, ModelAsked, ModelFailed, OperatorAnswered, OperatorAsked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sopbench.engine.context import ExecutionContext
    from sopbench.ports.llm import ModelRequest
    from sopbench.ports.operator import OperatorQuestion


_MODEL = "the model"
"""A run asks one."""


async def ask_agreed(
    request: ModelRequest, same: Iterable[str], *, question: str, about: str, context: ExecutionContext
) -> dict[str, Any]:
    """Put a question as often as ``limits.answers`` says; the first answer, if the fields ``same`` were so each time.

    Raises: AnswersDiffer; otherwise as ``ask_model``.
    """
    first = await _read(request, question=question, about=about, context=context)
    for _ in range(context.limits.answers - 1):
        other = await _read(request, question=question, about=about, context=context)
        for name in same:
            was, now = first.get(name), other.get(name)
            if _worded(was) != _worded(now):
                raise AnswersDiffer(f"asked the same once more, the model said {now!r} after {was!r} ({name})")
    return first


def _worded(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


async def _read(request: ModelRequest, *, question: str, about: str, context: ExecutionContext) -> dict[str, Any]:
    """The answer; asked once more when it could not be read: that may have been an accident.

    The step then counts as retried. Raises: as ``ask_model``.
    """
    try:
        return await ask_model(request, question=question, about=about, context=context)
    except AnswerUnusable:
        context.used.add("retried")
        return await ask_model(request, question=question, about=about, context=context)


async def ask_model(request: ModelRequest, *, question: str, about: str, context: ExecutionContext) -> dict[str, Any]:
    """Put one question to the model.

    Raises: LimitReached, and what the model port raises; the log then holds a ModelFailed.
    """
    context.breaker.require_closed(_MODEL)
    context.count_model_call()
    context.emit(ModelAsked(step=context.step, purpose=request.purpose, question=question, about=about))
    started = context.clock.monotonic()
    try:
        answer = await context.model.ask(request)
    except SopbenchError as error:
        if isinstance(error, ModelUnavailable):
            context.breaker.failed(_MODEL)
        elif isinstance(error, AnswerUnusable):
            context.breaker.worked(_MODEL)
        context.emit(
            ModelFailed(
                step=context.step,
                error=type(error).__name__,
                message=str(error),
                duration_s=context.clock.monotonic() - started,
            )
        )
        raise
    context.breaker.worked(_MODEL)
    context.count_answer(answer)
    context.emit(
        ModelAnswered(
            step=context.step,
            model=answer.model,
            answer=answer.value,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            cost_usd=answer.cost_usd,
            replayed=answer.replayed,
            cached_tokens=answer.cached_tokens,
            form=answer.form,
            duration_s=context.clock.monotonic() - started,
        )
    )
    return answer.value


async def ask_operator(question: OperatorQuestion, context: ExecutionContext) -> str:
    """Put one question to the operator. Raises: OperatorStopped."""
    context.emit(OperatorAsked(step=context.step, question=question.text, options=question.options))
    answer = await context.operator.answer(replace(question, folder=context.folder))
    context.emit(OperatorAnswered(step=context.step, answer=answer, operator=context.operator.name))
    if answer != question.safe:
        context.used.add("assisted")
    return answer
