"""Setting variables: what goes into one goes into the log, and to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from sopbench.events.types import VariableSet

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext

Source = Literal["page", "model", "expression", "loop", "tool"]


def set_variable(name: str, value: Any, source: Source, context: ExecutionContext) -> None:
    """Set a variable of the innermost iteration, and say so in the log."""
    context.set(name, value)
    context.emit(VariableSet(step=context.step, name=name, value=value, source=source))
