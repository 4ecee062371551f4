"""What a trial was made from: files and folders, known again by their content."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def digest(path: Path) -> str:
    """SHA-256 of a file, or of all files in a folder with their names; empty when there is neither."""
    if path.is_file():
        return sha256(path.read_bytes()).hexdigest()
    if not path.is_dir():
        return ""
    whole = sha256()
    for file in sorted(each for each in path.rglob("*") if each.is_file()):
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
