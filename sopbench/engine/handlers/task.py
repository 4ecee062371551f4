"""A task: the actions of its skill, then a look at what it should have put out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from sopbench.engine.exploring import reach
from sopbench.engine.recovery import Recovery
from sopbench.errors import DataInvalid

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.engine.retry import Attempts
    from sopbench.sop.nodes import OutputType, TaskNode

_SCALARS: dict[str, dict[str, Any]] = {
    "string": {"type": "string", "minLength": 1},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"},
}


async def task(node: TaskNode, attempts: Attempts, context: ExecutionContext) -> str:
    """Do the node's actions; a node without any (a marker, a compound) is done by being reached.

    Raises: StepError, DataInvalid when a variable it puts out is missing or is not what the document says.
    """
    skills = context.skills.get(node.id)
    if skills is not None:
        await Recovery(node, attempts, context, explore=reach).do(skills)
    for name, expected in node.variables_out.items():
        _check_output(name, expected, context)
    return "next"


def _check_output(name: str, expected: OutputType, context: ExecutionContext) -> None:
    schema = _SCALARS[expected] if isinstance(expected, str) else expected
    if name not in context.variables:
        raise DataInvalid(f"variable {name!r} should have been set here and was not", name=name)
    error = next(Draft202012Validator(schema).iter_errors(context.variables[name]), None)
    if error is not None:
        where = "".join(f"[{part!r}]" for part in error.absolute_path)
        raise DataInvalid(f"variable {name!r}{where} is not what it should be: {error.message[:300]}", name=name)
