"""An operator who answers from a file: for tests, and for runs that nobody watches.

TOML or JSON; the first entry that fits a question answers it, at most ``times`` times::

    [[answers]]
    question = "may this be done: click button 'Delete record'*"
    answer = "approve"
    times = 1
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sopbench.errors import OperatorStopped, UsageError
from sopbench.sop.globs import fits
from sopbench.sop.positions import Positions

if TYPE_CHECKING:
    from sopbench.ports.operator import OperatorQuestion

_TOML_LINE = re.compile(r"\(at line (\d+)")
_TOML_ENTRY = re.compile(r"^\s*\[\[\s*answers\s*\]\]")


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    times: int | None = Field(default=None, ge=1)


class _Script(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    answers: tuple[_Entry, ...]


class ScriptedOperator:
    """Answers from a file. A question it has no answer to is rejected.

    One of them is for one run: it counts how often an entry was used.
    """

    name = "scripted"

    def __init__(self, path: Path) -> None:
        """Raises: UsageError naming the file, the line, and what is wrong there."""
        self._path = path
        self._entries = _read(path)
        self._used: Counter[int] = Counter()

    def would_answer(self, question: OperatorQuestion) -> bool:
        """Whether an entry is left that fits."""
        return self._entry(question) is not None

    async def answer(self, question: OperatorQuestion) -> str:
        """The first answer that fits and is not used up; else the question's safe option.

        Raises: OperatorStopped when there is neither, or when the answer is none of the question's options.
        """
        number = self._entry(question)
        if number is None:
            if question.safe is not None:
                return question.safe
            raise self._stopped("no answer to", question)
        self._used[number] += 1
        answer = self._entries[number - 1].answer
        if answer not in question.options:
            raise self._stopped(f"answer {number}, {answer!r}, is none of the options of", question)
        return answer

    def _entry(self, question: OperatorQuestion) -> int | None:
        """Number of the first that fits and is not used up, from 1."""
        entries = enumerate(self._entries, start=1)
        fitting = (n for n, e in entries if fits(e.question, question.text) and self._used[n] != e.times)
        return next(fitting, None)

    def _stopped(self, what: str, question: OperatorQuestion) -> OperatorStopped:
        options = " / ".join(question.options)
        return OperatorStopped(
            f"{self._path}: {what}: {question.text} ({options})",
            question=question.text,
            options=list(question.options),
            file=str(self._path),
        )


def _read(path: Path) -> tuple[_Entry, ...]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: the operator's answers cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: the operator's answers are no UTF-8 text") from error
    is_json = path.suffix.casefold() == ".json"
    data = _json(path, text) if is_json else _toml(path, text)
    bare = isinstance(data, list)
    try:
        return _Script.model_validate({"answers": data} if bare else data).answers
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        steps = first["loc"][1:] if bare else first["loc"]
        line = _line_in_json(text, steps) if is_json else _line_in_toml(text, steps)
        where = ".".join(map(str, steps)) or "the file"
        expected = "each answer has 'question' and 'answer', and may have 'times'"
        raise UsageError(f"{path}:{line}: {where}: {first['msg']}; {expected}") from error


def _json(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise UsageError(f"{path}:{line}: the operator's answers are no JSON: {error}") from error


def _toml(path: Path, text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _TOML_LINE.search(str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        raise UsageError(f"{path}:{line}: the operator's answers are no TOML: {error}") from error


def _line_in_json(text: str, steps: tuple[int | str, ...]) -> int:
    return Positions(text).of("".join(f"/{step}" for step in steps))[0]


def _line_in_toml(text: str, steps: tuple[int | str, ...]) -> int:
    """Of the entry; of the first line where the entries are not written as tables."""
    places = [number for number, line in enumerate(text.split("\n"), start=1) if _TOML_ENTRY.match(line)]
    at = steps[1] if len(steps) > 1 else None
    return places[at] if isinstance(at, int) and at < len(places) else 1
