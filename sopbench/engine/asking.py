"""Putting a question to a model or an operator: counted, logged before and after, and never silently repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sopbench.errors import SopbenchError
from sopbench.events.types import ModelAnswered, ModelAsked, ModelFailed, OperatorAnswered, OperatorAsked

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.ports.llm import ModelRequest
    from sopbench.ports.operator import OperatorQuestion


async def ask_model(request: ModelRequest, *, question: str, about: str, context: ExecutionContext) -> dict[str, Any]:
    """Put one question to the model.

    Raises: LimitReached, and what the model port raises; the log then holds a ModelFailed.
    """
    context.count_model_call()
    context.emit(ModelAsked(step=context.step, purpose=request.purpose, question=question, about=about))
    started = context.clock.monotonic()
    try:
        answer = await context.model.ask(request)
    except SopbenchError as error:
        context.emit(
            ModelFailed(
                step=context.step,
                error=type(error).__name__,
                message=str(error),
                duration_s=context.clock.monotonic() - started,
            )
        )
        raise
    context.emit(
        ModelAnswered(
            step=context.step,
            model=answer.model,
            answer=answer.value,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            cost_usd=answer.cost_usd,
            replayed=answer.replayed,
            duration_s=context.clock.monotonic() - started,
        )
    )
    return answer.value


async def ask_operator(question: OperatorQuestion, context: ExecutionContext) -> str:
    """Put one question to the operator. Raises: OperatorStopped."""
    context.emit(OperatorAsked(step=context.step, question=question.text, options=question.options))
    answer = await context.operator.answer(question)
    context.emit(OperatorAnswered(step=context.step, answer=answer, operator=context.operator.name))
    context.assisted |= answer != question.safe
    return answer
