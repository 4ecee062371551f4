"""From a file to JSON data, with a clear word about whatever keeps it from being that."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from sopbench.sop.limits import MAX_BYTES, MAX_DEPTH
from sopbench.sop.positions import Positions
from sopbench.sop.problems import Finding, Problem

_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null"}


class Unreadable(Exception):
    """The file is no JSON document; ``problem`` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True)
class Source:
    """A JSON document as it stands in its file."""

    file: str
    text: str
    data: Any
    sha256: str
    """Of the bytes of the file."""

    @cached_property
    def positions(self) -> Positions:
        return Positions(self.text)

    def problem(self, finding: Finding) -> Problem:
        """The finding with its place in this file."""
        line, column = self.positions.of(finding.pointer)
        f = finding
        return Problem(f.severity, self.file, line, column, f.pointer, f.message, f.hint)


def read(path: Path) -> Source:
    """Read a file as JSON.

    Raises: Unreadable.
    """
    file = str(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            _refuse(file, f"the file is larger than {MAX_BYTES // 1_000_000} MB")
        raw = path.read_bytes()
    except OSError as error:
        reason = "is a directory" if path.is_dir() else (error.strerror or str(error)).lower()
        _refuse(file, f"cannot be read: {reason}")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        _refuse(file, f"not UTF-8: byte 0x{raw[error.start]:02x}", "save the file as UTF-8", line)
    return Source(file, text, _parsed(file, text), hashlib.sha256(raw).hexdigest())


def _parsed(file: str, text: str) -> Any:
    repeated: list[str] = []

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        repeated.extend([""] if len(made) < len(pairs) else [])
        return made

    def constant(name: str) -> NoReturn:
        raise ValueError(f"{name} is no JSON value")

    try:
        data = json.loads(text, object_pairs_hook=unique, parse_constant=constant)
    except json.JSONDecodeError as error:
        offset, message, hint = _diagnosis(text, error)
        line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
        _refuse(file, message, hint, line, column)
    except ValueError as error:
        _refuse(file, f"not JSON: {error}")
    except RecursionError:
        _refuse(file, f"nested more than {MAX_DEPTH} deep")
    if _depth(data) > MAX_DEPTH:
        _refuse(file, f"nested more than {MAX_DEPTH} deep")
    if repeated:
        positions = Positions(text)
        pointer = positions.duplicates[0]
        key = pointer.rpartition("/")[2]
        _refuse(file, f"the key {key!r} stands twice in one object", "", *positions.of(pointer), pointer)
    return data


def _refuse(file: str, message: str, hint: str = "", line: int = 0, column: int = 0, pointer: str = "") -> NoReturn:
    raise Unreadable(Problem("error", file, line, column, pointer, message, hint)) from None


def _depth(data: Any) -> int:
    level, depth = [data], 0
    while level and depth <= MAX_DEPTH:
        depth += 1
        held = (each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list))
        level = [inner for values in held for inner in values if isinstance(inner, dict | list)]
    return depth


def _diagnosis(text: str, error: json.JSONDecodeError) -> tuple[int, str, str]:
    """Offset, message and hint for what was probably done wrong."""
    at, rest = error.pos, text[error.pos : error.pos + 40]
    before = text[:at].rstrip()
    if not text.strip():
        return 0, "the file is empty", ""
    if rest[:1] in {"}", "]"} and before.endswith(","):
        return len(before) - 1, f"not JSON: a comma before the closing {rest[0]!r}", "remove the comma"
    if not rest.strip():
        return len(before), "not JSON: the file ends too early", "a closing bracket is missing"
    if "','" in error.msg and rest[0] in '"{[-0123456789tfn':
        return len(before), "not JSON: a comma is missing", "add one after the value"
    message, hint = _foreign(rest, error.msg) or _known(error.msg)
    return at, f"not JSON: {message}", hint


def _foreign(rest: str, said: str) -> tuple[str, str] | None:
    """What is fine elsewhere (JavaScript, Python), but not in JSON."""
    word = re.match(r"\w+", rest)
    if rest.startswith("'"):
        return "single quotes", "write \"…\" instead of '…'"
    if rest.startswith(("//", "/*", "#")):
        return "a comment", "JSON has none; a key that begins with 'x-' can hold a note"
    if word and word[0] in _WORDS:
        return repr(word[0]), f"did you mean '{_WORDS[word[0]]}'?"
    if word and said.startswith("Expecting property name"):
        return f"the key {word[0]} is not in double quotes", ""
    return None


def _known(said: str) -> tuple[str, str]:
    if "':'" in said:
        return "a colon is missing after the key", ""
    if said.startswith(("Unterminated", "Invalid control")):
        return "a string does not end on its line", "close it with a double quote; a line break is \\n"
    if said.startswith("Extra data"):
        return "something follows after the end of the document", ""
    return said[:1].lower() + said[1:], ""
