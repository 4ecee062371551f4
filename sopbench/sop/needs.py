"""What a procedure needs before it starts: a model or not, and values for its variables."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping
from typing import Any

from sopbench.errors import MissingSecret, UsageError
from sopbench.sop.document import Sop, Variable
from sopbench.sop.nodes import DecisionNode, ExploreNode, GenerateNode
from sopbench.sop.problems import did_you_mean
from sopbench.sop.verbs.thinking import Interpret

_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def model_nodes(sop: Sop) -> list[str]:
    """Ids of the nodes that a model has to help with, in document order."""
    reading = {skill.id for skill in sop.private.skills if any(isinstance(a, Interpret) for a in skill.actions)}
    bound = {b.node_id for b in sop.private.steps if reading.intersection((b.primary_skill, *b.alt_skills))}

    def needs(node: Any) -> bool:
        if isinstance(node, DecisionNode):
            return node.criteria is None or node.criteria.question is not None
        writes = isinstance(node, GenerateNode) and (node.instructions is not None or node.template is None)
        return writes or isinstance(node, ExploreNode) or node.id in bound

    return [node.id for node in sop.public.nodes if needs(node)]


def exploring_nodes(sop: Sop) -> list[str]:
    """Ids of the nodes whose way is not recorded, in document order."""
    return [node.id for node in sop.public.nodes if isinstance(node, ExploreNode)]


def resolve_variables(
    sop: Sop, given: Mapping[str, Any], env: Mapping[str, str]
) -> tuple[dict[str, Any], frozenset[str]]:
    """Values to start with, and those among them that must never be shown.

    What is given goes before the environment, and that before the default. A variable with none of them is left out:
    a step sets it, or a template that names it fails.

    Raises: UsageError for a variable that is not declared, or a value that is not of its type; MissingSecret.
    """
    for name in given:
        if name not in sop.public.variables:
            hint = did_you_mean(name, sop.public.variables, before="; ")
            raise UsageError(f"the procedure has no variable {name!r}{hint}", variable=name)
    values: dict[str, Any] = {}
    secrets: set[str] = set()
    for name, declared in sop.public.variables.items():
        variable = declared if isinstance(declared, Variable) else _literal(declared)
        found = _found(name, variable, given, env)
        if found is None and not (name in given or not isinstance(declared, Variable)):
            continue
        values[name] = _typed(name, found, variable)
        if variable.secret:
            secrets.update(_texts(values[name]))
    return values, frozenset(secrets)


def _literal(value: Any) -> Variable:
    """A bare value as a variable of the value's own type."""
    kinds: tuple[tuple[type, Any], ...] = ((bool, "boolean"), (int, "integer"), (float, "number"), (list, "list"))
    return Variable(type=next((kind for python, kind in kinds if isinstance(value, python)), "string"), default=value)


def _found(name: str, variable: Variable, given: Mapping[str, Any], env: Mapping[str, str]) -> Any:
    if name in given:
        return given[name]
    if variable.from_env is not None and env.get(variable.from_env):
        return env[variable.from_env]
    if variable.from_env is not None and variable.default is None:
        message = f"variable {name!r} comes from the environment: set {variable.from_env}"
        raise MissingSecret(message, variable=name, env=variable.from_env)
    return variable.default


def _typed(name: str, value: Any, variable: Variable) -> Any:
    if value is None:
        return None
    try:
        return _CONVERTERS[variable.type](value)
    except (ValueError, TypeError, KeyError):
        shown = "its value" if variable.secret else f"{value!r:.80}"
        raise UsageError(
            f"variable {name!r} must be of type {variable.type}, but {shown} is not", variable=name
        ) from None


def _string(value: Any) -> str:
    if isinstance(value, list | dict):
        raise TypeError
    return value if isinstance(value, str) else json.dumps(value)


def _integer(value: Any) -> int:
    if isinstance(value, str):
        return int(value)
    if isinstance(value, bool) or value != int(value):
        raise TypeError
    return int(value)


def _number(value: Any) -> int | float:
    if isinstance(value, bool):
        raise TypeError
    number = float(value)
    return int(number) if number.is_integer() and not isinstance(value, float) else number


def _boolean(value: Any) -> bool:
    return value if isinstance(value, bool) else _WORDS[str(value).strip().lower()]


def _date(value: Any) -> str:
    """An ISO date stays the text it is."""
    text = value.isoformat() if isinstance(value, dt.date) else str(value)
    dt.datetime.fromisoformat(text)
    return text


def _structure(kind: type) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        found = json.loads(value) if isinstance(value, str) else value
        if not isinstance(found, kind):
            raise TypeError
        return found

    return convert


_CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "string": _string, "integer": _integer, "number": _number, "boolean": _boolean, "date": _date,
    "list": _structure(list), "object": _structure(dict),
}  # fmt: skip


def _texts(value: Any) -> list[str]:
    """Every text in a value, as it would show."""
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in _texts(each)]
    return [str(value)] if value not in (None, "") else []
