"""Reading a policy from ``gate.toml``, or from ``[tool.sopbench.gate]`` of a ``pyproject.toml``."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from sopbench.errors import PolicyInvalid
from sopbench.reliability.policy import (
    AtMost,
    Claims,
    CostCeiling,
    Coverage,
    DurationCeiling,
    NotWorse,
    Policy,
    Reliability,
)
from sopbench.sop.problems import did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic_core import ErrorDetails

_MODELS: dict[str, type[BaseModel]] = {
    "reliability": Reliability,
    "silent": AtMost,
    "harmful": AtMost,
    "not_worse": NotWorse,
    "duration": DurationCeiling,
    "cost": CostCeiling,
    "coverage": Coverage,
}
_EXAMPLE = '[[claims]] with scenario = "…" and reliability = { p0 = 0.99, p1 = 0.95 }'


def find_policy(folder: Path) -> Path:
    """The file of a project's policy: ``gate.toml``, or ``pyproject.toml`` where that has the table.

    Raises: PolicyInvalid when there is none, or when there are two.
    """
    own, project = folder / "gate.toml", folder / "pyproject.toml"
    inside = project.is_file() and re.search(
        r"^\s*\[+\s*tool\.sopbench\.gate\b", project.read_text("utf-8"), re.MULTILINE
    )
    if own.is_file() and inside:
        raise PolicyInvalid(f"{own} and {project} both have a policy; keep one of them", path=str(own))
    if not own.is_file() and not inside:
        raise PolicyInvalid(f"{folder}: there is no policy; write a gate.toml with {_EXAMPLE}", path=str(own))
    return own if own.is_file() else project


def read_policy(path: Path) -> Policy:
    """The policy of a file.

    Raises: PolicyInvalid with one line for each fault, as ``gate.toml:7 claims[0].reliability.p1: …; what to do``.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyInvalid(f"{path}: cannot be read: {error}; write one with {_EXAMPLE}", path=str(path)) from error
    return parse_policy(text, str(path), inside=("tool", "sopbench", "gate") if path.name == "pyproject.toml" else ())


def parse_policy(text: str, name: str, inside: tuple[str, ...] = ()) -> Policy:
    """The policy of a text; ``name`` is the file's in errors, ``inside`` the table in which it is.

    Raises: PolicyInvalid as ``read_policy`` does.
    """
    try:
        data: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyInvalid(f"{name}: is not TOML: {error}", path=name) from error
    for key in inside:
        data = data.get(key) if isinstance(data, dict) else None
    if not data:
        where = f"[{'.'.join(inside)}]" if inside else "the file"
        raise PolicyInvalid(f"{name}: {where} claims nothing; write {_EXAMPLE}", path=name)
    try:
        return Policy.model_validate(data)
    except ValidationError as error:
        faults = [_fault(fault, text, name) for fault in error.errors(include_url=False)]
        raise PolicyInvalid("\n".join(faults), path=name, faults=faults) from error


def _fault(fault: ErrorDetails, text: str, name: str) -> str:
    place = [part for part in fault["loc"] if part != "function-after"]
    pointer = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".")
    line = _line_of(text, place)
    message, hint = fault["msg"].removeprefix("Value error, "), ""
    if fault["type"] == "extra_forbidden":
        known = _fields(place[:-1])
        message = "no such setting"
        hint = did_you_mean(str(place[-1]), known) or f"there are {', '.join(known)}"
    elif fault["type"] == "missing":
        message, hint = "is missing", f"write {_EXAMPLE}" if place[-1] == "claims" else "write it"
    elif fault["type"].startswith(("greater_than", "less_than", "literal_error")) or fault["type"].endswith("_parsing"):
        message = f"{message[0].lower()}{message[1:]}, got {fault['input']!r}"
    elif fault["type"] == "model_type":
        message, hint = f"is a table, got {fault['input']!r}", "write { setting = value, … }, or {} for what is usual"
    where = f"{name}:{line} {pointer}" if pointer else name
    return f"{where}: {message}" + (f"; {hint}" if hint else "")


def _fields(place: list[str | int]) -> list[str]:
    names = [part for part in place if isinstance(part, str)]
    model = Policy if not names else Claims if names == ["claims"] else _MODELS.get(names[-1], Claims)
    return list(model.model_fields)


def _line_of(text: str, place: list[str | int]) -> int:
    """The line where a setting is, from 1: that of its claims' heading when the setting is not written."""
    lines = text.splitlines()
    headings = [at for at, line in enumerate(lines) if re.match(r"\s*\[\[[\w.\s]*\bclaims\s*\]\]", line)]
    number = next((part for part in place if isinstance(part, int)), None)
    if number is None:
        first, last, names = 0, headings[0] if headings else len(lines), place
    elif number < len(headings):
        first, last, names = headings[number], (*headings, len(lines))[number + 1], place[2:]
    else:
        return 1
    for name in reversed([part for part in names if isinstance(part, str)]):
        for at in range(first, last):
            if re.search(rf"(^|[\[.{{,])\s*{re.escape(name)}\s*[=\].]", lines[at]):
                return at + 1
    return first + 1
