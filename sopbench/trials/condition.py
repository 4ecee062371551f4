"""A condition: the faults under which a scenario is tried, as a small file.

slow_network.toml
    title = "Every answer comes late"

    [[faults]]
    fault = "network.latency"
    delay_s = [0.2, 0.8]
    when = "always"

``fault``, ``when``, ``site`` and ``place`` belong to the condition; all other keys are the fault's own parameters.
"""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, ValidationError

from sopbench.errors import ConditionInvalid, UsageError
from sopbench.sop.problems import did_you_mean
from sopbench.trials.fault import Fault, When
from sopbench.trials.fault_registry import fault_class

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic_core import ErrorDetails

CLEAN = "clean"
_OWN_KEYS = ("fault", "when", "site", "place")
_TOGETHER = "+"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class PlannedFault(_Part):
    """A fault with its parameters, and when it is to strike."""

    fault: str
    """Its name: ``network.latency``."""
    does: SerializeAsAny[Fault]
    """Its parameters."""
    when: When = When()
    site: str = ""
    """What it is kept to: a mock site's name, or a pattern of hosts; empty for all."""
    place: int | None = Field(default=None, ge=0)
    """By which its draws are told from those of its like. Its place in the condition if left out; a fault that is taken
    into another condition keeps the one it had, and strikes as before."""


class Condition(_Part):
    """What the world is like in a trial."""

    name: str
    """The file's, without its ending; part of the ids of items."""
    title: str
    recoverable: bool = True
    """Whether a careful person would get through all the same."""
    faults: tuple[PlannedFault, ...] = ()

    @property
    def needs_mock_sites(self) -> bool:
        """Whether one of its faults works only in the mock sites."""
        return any(planned.does.sites for planned in self.faults)


class _File(_Part):
    """A condition's file, before its faults are looked up."""

    title: str = Field(min_length=1)
    recoverable: bool = True
    faults: tuple[dict[str, Any], ...] = ()


def read_condition(path: Path) -> Condition:
    """The condition of a file.

    Raises: ConditionInvalid with one line for each mistake, as ``slow.toml:5 faults[0].delay_s: …; what to do``.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConditionInvalid(f"{path}: cannot be read: {error}") from error
    return parse_condition(text, str(path), path.stem)


def parse_condition(text: str, file: str, name: str) -> Condition:
    """The condition of a text; ``file`` is what it is called in errors. Raises: ConditionInvalid."""
    if not re.fullmatch(r"[\w-]+(\+[\w-]+)*", name):
        raise ConditionInvalid(f"{file}: a condition is called by letters, digits, '-' and '_', not {name!r}")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConditionInvalid(f"{file}: is not TOML: {error}") from error
    mistakes: list[str] = []
    try:
        written = _File.model_validate(data)
    except ValidationError as error:
        found = [_mistake(each, list(each["loc"]), list(_File.model_fields), text, file) for each in error.errors()]
        raise ConditionInvalid("\n".join(found)) from error
    faults = [_planned(entry, at, text, file, mistakes) for at, entry in enumerate(written.faults)]
    if mistakes:
        raise ConditionInvalid("\n".join(mistakes))
    planned = tuple(fault for fault in faults if fault is not None)
    return Condition(name=name, title=written.title, recoverable=written.recoverable, faults=planned)


def shipped() -> dict[str, Path]:
    """The conditions that come with the package: name → file."""
    with resources.as_file(resources.files("sopbench").joinpath("conditions")) as folder:
        return _in_folder(folder)


def find_conditions(asked: Sequence[str], folders: Iterable[Path] = ()) -> list[Condition]:
    """The conditions asked for by name, by file, or as ``all``; each once, in the order of asking.

    A name is looked for in these folders first, then among those that are shipped.

    Raises: UsageError for a name that nothing has, ConditionInvalid.
    """
    known = shipped()
    for folder in folders:
        known |= _in_folder(folder)
    found: dict[str, Condition] = {}
    for each in asked:
        names = [CLEAN, *(name for name in known if name != CLEAN)] if each == "all" else [each]
        for name in names:
            condition = _find(name.strip(), known)
            if condition.name in found and found[condition.name] != condition:
                raise UsageError(f"there are two conditions {condition.name!r}: give one of the files another name")
            found[condition.name] = condition
    return list(found.values())


def together(parts: Sequence[Condition]) -> Condition:
    """All faults of several conditions at once, each striking as it does alone: ``slow-network+modal-dialog``.

    A careful person gets through if they get through each.
    """
    faults = [
        fault.model_copy(update={"place": at if fault.place is None else fault.place})
        for part in parts
        for at, fault in enumerate(part.faults)
    ]
    return Condition(
        name=_TOGETHER.join(part.name for part in parts),
        title="; ".join(part.title for part in parts),
        recoverable=all(part.recoverable for part in parts),
        faults=tuple(faults),
    )


def _find(name: str, known: dict[str, Path]) -> Condition:
    if name in known:
        return read_condition(known[name])
    if name.endswith(".toml") or "/" in name:
        return read_condition(Path(name))
    if _TOGETHER in name:
        return together([_find(part, known) for part in name.split(_TOGETHER)])
    hint = did_you_mean(name, [*known, "all"]) or "see `sopbench conditions`, or give a file (.toml)"
    raise UsageError(f"there is no condition {name!r}; {hint}")


def _in_folder(folder: Path) -> dict[str, Path]:
    return {file.stem: file for file in sorted(folder.glob("*.toml"))}


def _planned(entry: dict[str, Any], at: int, text: str, file: str, mistakes: list[str]) -> PlannedFault | None:
    """One fault of the file; what is wrong with it is added to the mistakes."""
    name = entry.get("fault")
    if not isinstance(name, str):
        mistakes.append(f'{file}:{_line(text, at)} faults[{at}].fault: is missing; write fault = "network.latency"')
        return None
    try:
        kind = fault_class(name)
    except ConditionInvalid as error:
        mistakes.append(f"{file}:{_line(text, at, 'fault')} faults[{at}].fault: {error}")
        return None
    parameters = {key: value for key, value in entry.items() if key not in _OWN_KEYS}
    own = {key: value for key, value in entry.items() if key in _OWN_KEYS}
    keys = [*_OWN_KEYS, *kind.model_fields]
    does: Fault | None = None
    try:
        does = kind.model_validate(parameters)
    except ValidationError as error:
        mistakes += [_mistake(each, ["faults", at, *each["loc"]], keys, text, file) for each in error.errors()]
    try:
        planned = PlannedFault.model_validate({**own, "does": does or Fault()})
    except ValidationError as error:
        mistakes += [
            _mistake(each, ["faults", at, *each["loc"]], list(When.model_fields), text, file) for each in error.errors()
        ]
        return None
    return planned


def _mistake(error: ErrorDetails, place: list[int | str], known: list[str], text: str, file: str) -> str:
    pointer = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".")
    number = next((part for part in place if isinstance(part, int)), None)
    key = next((part for part in reversed(place) if isinstance(part, str)), "")
    message, hint = error["msg"].removeprefix("Value error, "), ""
    if error["type"] == "extra_forbidden":
        message, hint = "no such setting", did_you_mean(key, known) or f"there are {', '.join(known)}"
    elif error["type"] == "missing":
        message = "is missing"
    elif "Value error" not in error["msg"]:
        message = f"{message[0].lower()}{message[1:]}, got {error['input']!r}"
    where = f"{file}:{_line(text, number, *[part for part in place if isinstance(part, str)])} {pointer}"
    return f"{where}: {message}" + (f"; {hint}" if hint else "")


def _line(text: str, fault: int | None, *keys: str) -> int:
    """The line where a setting is written, from 1: that of its fault's heading where it is not."""
    lines = text.splitlines()
    headings = [at for at, line in enumerate(lines) if re.match(r"\s*\[\[\s*faults\s*\]\]", line)]
    if fault is None:
        first, last = 0, headings[0] if headings else len(lines)
    elif fault < len(headings):
        first, last = headings[fault], (*headings, len(lines))[fault + 1]
    else:
        return 1
    for key in reversed(keys):
        for at in range(first, last):
            if re.search(rf"(^|[{{,])\s*{re.escape(key)}\s*[=.]", lines[at]):
                return at + 1
    return first + 1
