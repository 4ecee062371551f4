"""What a trial was made from: files and folders, known again by their content."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sopbench.trials.record import Held


PACKAGE = Path(__file__).resolve().parents[1]
_COMPILED = "__pycache__"


@dataclass(frozen=True)
class Maker:
    """Which sopbench held a trial; two are the same when version and source are."""

    version: str
    """Empty where it is not known."""
    source: str
    """SHA-256 of the package's files; empty where it is not known."""

    def __str__(self) -> str:
        return f"{self.version or 'of an unknown version'}, source {self.source[:8]}" if self.source else "unknown"


def maker_of(held: Held) -> Maker:
    """The one that a record speaks of."""
    return Maker(held.version, held.engine)


@cache
def this_sopbench() -> Maker:
    """The one that runs."""
    try:
        number = version("sopbench")
    except PackageNotFoundError:
        number = ""
    return Maker(number, digest(PACKAGE))


def digest(path: Path) -> str:
    """SHA-256 of a file, or of all files in a folder with their names; empty when there is neither.

    What Python compiled for itself does not count.
    """
    if path.is_file():
        return sha256(path.read_bytes()).hexdigest()
    if not path.is_dir():
        return ""
    whole = sha256()
    for file in sorted(each for each in path.rglob("*") if each.is_file() and each.parent.name != _COMPILED):
        whole.update(f"{file.relative_to(path).as_posix()}\0{sha256(file.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def changed(sources: Mapping[str, str]) -> list[str]:
    """Which of them are gone, or are not what they were, in words."""
    told = []
    for name, was in sources.items():
        now = digest(Path(name))
        if now != was:
            told.append(f"{name} {'is gone' if not now else 'has changed' if was else 'was not there then'}")
    return told
