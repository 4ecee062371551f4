"""Values of expressions as plain data: what goes into a variable goes into the log, and to a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from sopbench.errors import TemplateFailed
from sopbench.events.types import VariableSet
from sopbench.sop.templates import evaluate

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext

Source = Literal["page", "model", "expression", "loop"]


def value_of(expression: str, variables: Mapping[str, Any]) -> Any:
    """The value of an expression; what filters hand out piece by piece (``mails | select(…)``) is a list.

    Raises: TemplateFailed.
    """
    value = evaluate(expression, variables)
    try:
        return _plain(value)
    except Exception as error:  # a lazy value fails only now
        message = f"in {expression[:120]!r}: {error}"
        raise TemplateFailed(message, performed=False, template=expression, name=None) from error


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [_plain(item) for item in value]
    raise TypeError(f"a {type(value).__name__} is no plain data")


def set_variable(name: str, value: Any, source: Source, context: ExecutionContext) -> None:
    """Set a variable of the innermost iteration, and say so in the log."""
    context.set(name, value)
    context.emit(VariableSet(step=context.step, name=name, value=value, source=source))
