"""What is wrong with a document, said as a compiler says it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal

Severity = Literal["error", "warning", "note"]
"""``error``: it cannot be run. ``warning``: it can, but look at it. ``note``: what was taken as meant, or is missing
before an old document can run."""

_MAX_CANDIDATES = 2000
_MAX_NAME = 80


@dataclass(frozen=True)
class Finding:
    """Something found in a document, without the file it came from."""

    pointer: str
    severity: Severity
    message: str
    hint: str = ""
    """What to do, or what was probably meant."""
    is_structural: bool = False
    """So broken that nothing more can be said: not even what the document means."""


@dataclass(frozen=True)
class Problem:
    """A finding with its place in a file. ``line`` and ``column`` count from 1; 0 means the whole file."""

    severity: Severity
    file: str
    line: int
    column: int
    pointer: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        """``crm.sop.json:41 /public/edges/3/target: no node 'serach_mail'; did you mean 'search_mail'?``."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        place += f" {self.pointer}" if self.pointer else ""
        label = "" if self.severity == "error" else f"{self.severity}: "
        return f"{place}: {label}{self.message}" + (f"; {self.hint}" if self.hint else "")


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that ``name`` was probably meant to be, if one is close."""
    known = {each.casefold(): each for each in islice(candidates, _MAX_CANDIDATES) if len(each) <= _MAX_NAME}
    matches = difflib.get_close_matches(name[:_MAX_NAME].casefold(), known, n=1, cutoff=0.6)
    return known[matches[0]] if matches else None


def did_you_mean(name: str, candidates: Iterable[str], *, before: str = "") -> str:
    """``did you mean 'search_mail'?`` with ``before`` in front of it, or nothing."""
    match = closest(name, candidates)
    return f"{before}did you mean {match!r}?" if match is not None and match != name else ""
