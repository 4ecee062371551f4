"""Labelled decisions: what a decision is shown, and which branch the procedure's owner wants, as files people write.

decisions/
plain.toml             one file per group; figures are given for each
hard.toml
known_wrong.json       written when they are recorded: those that the recorded model gets wrong

    node = "is_investor_mail"              the decision in the document

    [[decision]]
    name = "asks for the deck"
    expect = "yes"                         the branch; or what ``on_unsure`` says, where being unsure is right
    why = "A partner of a fund wants …"
    [decision.given]                       the variables that the decision reads
    text = "…"

What is on the page, where the decision looks at it, are ``[[decision.page]]`` tables of elements: role, name, text …
Blank lines around a text are left out.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sopbench.errors import CaseInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

KNOWN_WRONG = "known_wrong.json"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Written(_Part):
    name: str
    expect: str
    why: str
    given: dict[str, Any] = Field(default_factory=dict)
    page: tuple[dict[str, Any], ...] = ()


class _File(_Part):
    node: str
    decision: tuple[_Written, ...] = Field(min_length=1)


class DecisionCase(_Written):
    """One labelled decision."""

    node: str
    group: str
    """The name of the file it is in."""

    @property
    def id(self) -> str:
        """As it appears in test ids."""
        return f"{self.group}-{'_'.join(self.name.split())}"


class KnownWrong(_Part):
    """What a recording gets wrong."""

    model: str
    recorded: str
    """Date, ISO 8601."""
    wrong: dict[str, str]
    """Case → the branch that is taken."""


def load_decisions(folder: Path) -> list[DecisionCase]:
    """All labelled decisions of a folder, file by file. Raises: CaseInvalid."""
    cases = [case for file in sorted(folder.glob("*.toml")) for case in _of_file(file)]
    if not cases:
        raise CaseInvalid(f"{folder}: there are no labelled decisions: no *.toml")
    ids = [case.id for case in cases]
    if twice := sorted({name for name in ids if ids.count(name) > 1}):
        raise CaseInvalid(f"{folder}: {twice[0]!r} is there twice")
    return cases


def read_known_wrong(folder: Path) -> KnownWrong | None:
    """What the recording is known to get wrong; None where nothing was recorded. Raises: CaseInvalid."""
    path = folder / KNOWN_WRONG
    if not path.is_file():
        return None
    try:
        return KnownWrong.model_validate_json(path.read_text("utf-8"))
    except ValidationError as error:
        raise CaseInvalid(f"{path}: {error.errors()[0]['msg']}; record the decisions anew") from error


def write_known_wrong(folder: Path, known: KnownWrong) -> None:
    """Replace what is known."""
    text = json.dumps(known.model_dump(), indent=1, ensure_ascii=False)
    (folder / KNOWN_WRONG).write_text(text + "\n", "utf-8", newline="\n")


def _of_file(path: Path) -> list[DecisionCase]:
    try:
        written = _File.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CaseInvalid(f"{path}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise CaseInvalid(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    return [
        DecisionCase(**{**each.model_dump(), "given": _trimmed(each.given)}, node=written.node, group=path.stem)
        for each in written.decision
    ]


def _trimmed(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _trimmed(value) if isinstance(value, dict) else value.strip("\n") if isinstance(value, str) else value
        for name, value in given.items()
    }
