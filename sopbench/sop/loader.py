"""From a file to a procedure that can be run, or to everything that is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sopbench.errors import DocumentInvalid
from sopbench.sop import graph
from sopbench.sop.document import Sop, Variable
from sopbench.sop.formats import sop_0x
from sopbench.sop.formats.derive import cannot_run, derive
from sopbench.sop.limits import MAX_PROBLEMS
from sopbench.sop.problems import Finding, Problem
from sopbench.sop.reading import Unreadable, read
from sopbench.sop.schema_errors import schema_findings
from sopbench.sop.walk import escape


@dataclass(frozen=True)
class Loaded:
    """A document without errors."""

    sop: Sop
    """With what its labels name: see formats/derive.py."""
    path: Path
    format: str
    """Version of the format of the file: ``1.0``, ``0.6.2``, …"""
    sha256: str
    """Of the bytes of the file."""
    problems: tuple[Problem, ...]
    """Warnings and notes."""
    runnable: bool
    """Whether every node can be done; if not, notes say what to add."""

    def require_runnable(self) -> None:
        """Raises: DocumentInvalid, naming what is still missing, when a node cannot be done yet."""
        if not self.runnable:
            missing = [problem for problem in self.problems if problem.severity == "note"]
            lines = [f"{self.path.name}: this document cannot be run yet:", *map(str, missing)]
            raise DocumentInvalid("\n".join(lines), problems=tuple(missing))


@dataclass(frozen=True)
class _Read:
    """A document on its way: what is known of it so far."""

    format: str
    findings: tuple[Finding, ...] = ()
    sop: Sop | None = None
    runnable: bool = True

    @property
    def is_broken(self) -> bool:
        return any(each.severity == "error" for each in self.findings)


def load(path: str | os.PathLike[str], *, env: Mapping[str, str] | None = None) -> Loaded:
    """Read, check and complete a document.

    With ``env``, a note tells of each variable whose environment variable is not there.

    Raises: DocumentInvalid, with all ``problems`` in its ``data``.
    """
    place = Path(path)
    try:
        source = read(place)
    except Unreadable as error:
        raise _invalid([error.problem]) from error
    result = _examined(source.data)
    findings = list(dict.fromkeys(result.findings))
    if result.sop is not None and env is not None:
        findings += _missing_environment(result.sop, env)
    problems = sorted((source.problem(each) for each in findings), key=lambda each: (each.line, each.column))
    if result.sop is None or result.is_broken:
        raise _invalid(problems)
    return Loaded(result.sop, place, result.format, source.sha256, tuple(problems), result.runnable)


def validate(path: str | os.PathLike[str], *, env: Mapping[str, str] | None = None) -> list[Problem]:
    """All that is wrong with a document, or worth knowing about it. Never raises for a bad document."""
    try:
        return list(load(path, env=env).problems)
    except DocumentInvalid as error:
        return list(error.data["problems"])


def _invalid(problems: list[Problem]) -> DocumentInvalid:
    errors = [str(each) for each in problems if each.severity == "error"]
    return DocumentInvalid("\n".join(errors), problems=tuple(problems))


def _examined(data: Any) -> _Read:
    version = _format_of(data)
    if isinstance(version, Finding):
        return _Read("", (version,))
    is_ours = version == "1.0"
    found = schema_findings("1.0" if is_ours else "0.8", data)
    if found:
        return _Read(version, tuple(found))
    notes: list[Finding] = []
    if not is_ours:
        data, notes = sop_0x.convert(data)
    try:
        sop = Sop.model_validate(data)
    except ValidationError as error:
        return _Read(version, tuple(_from_pydantic(error, data)))
    return _checked(_Read(version, tuple(notes), sop), sop)


def _format_of(data: Any) -> str | Finding:
    def refuse(pointer: str, message: str, hint: str = "") -> Finding:
        return Finding(pointer, "error", message, hint)

    if not isinstance(data, dict):
        return refuse("", "not an SOP: the document is no object")
    meta = data.get("meta") if isinstance(data.get("meta"), dict) else {}
    assert isinstance(meta, dict)  # noqa: S101 - for mypy
    if "schema" in meta:
        known = meta["schema"] == "1.0"
        return "1.0" if known else refuse("/meta/schema", f"unknown format {meta['schema']!r:.40}", "this reads '1.0'")
    execution = data.get("execution")
    if isinstance(execution, dict) and "workflow" in execution:
        hint = "write it as SOP 1.0: nodes and edges in 'public', actions in 'private.skills'"
        return refuse("/execution/workflow", "workflow 1.0 documents are not read yet", hint)
    if not isinstance(data.get("public"), dict):
        return refuse("", "not an SOP: it has no 'public' with nodes", 'an SOP 1.0 has "schema": "1.0" in its meta')
    version = meta.get("version")
    if isinstance(version, str) and sop_0x.VERSION.match(version):
        return version
    return refuse("/meta", "it does not say its format", 'add "schema": "1.0" to meta (SOP 0.6 to 0.8: see "version")')


def _checked(read: _Read, sop: Sop) -> _Read:
    """With the static checks. In an old document, what is only in the way of running it is a note."""
    is_ours = read.format == "1.0"
    found = graph.check(sop)
    structural = graph.is_structurally_sound(found)
    findings = [*read.findings, *(found if is_ours or not structural else map(_as_note, found))]
    if not structural:
        return replace(read, findings=tuple(findings))
    completed = derive(sop)
    missing = list(islice(cannot_run(completed, "error" if is_ours else "note"), MAX_PROBLEMS))
    runnable = not missing and not any(each.severity == "error" for each in found)
    return replace(read, findings=(*findings, *missing), sop=completed, runnable=runnable)


def _as_note(finding: Finding) -> Finding:
    return replace(finding, severity="note") if finding.severity == "error" else finding


def _from_pydantic(error: ValidationError, data: Any) -> Iterable[Finding]:
    """What the schema cannot say. In a union all members complain: the one with a word of its own is meant."""
    details = error.errors(include_url=False, include_input=False)
    own = [each for each in details if each["type"] == "value_error"] or details
    for each in own[:MAX_PROBLEMS]:
        message = each["msg"].removeprefix("Value error, ")
        yield Finding(_pointer(each["loc"], data), "error", message)


def _pointer(loc: tuple[int | str, ...], data: Any) -> str:
    """Pydantic's place without the names of union members, which are no steps in the document."""
    pointer, value = "", data
    for step in loc:
        in_list = isinstance(value, list) and isinstance(step, int) and step < len(value)
        if in_list or (isinstance(value, dict) and step in value):
            value = value[step]
            pointer += f"/{escape(str(step))}"
    return pointer


def _missing_environment(sop: Sop, env: Mapping[str, str]) -> Iterable[Finding]:
    for name, variable in sop.public.variables.items():
        source = variable.from_env if isinstance(variable, Variable) and variable.default is None else None
        if source is not None and not env.get(source):
            message = f"variable {name!r} comes from the environment, where it is missing"
            yield Finding(f"/public/variables/{name}", "note", message, f"set {source}")
