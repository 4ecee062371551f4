"""The prompts' texts: one file per purpose in ``prompt_texts``, each with its version.

Whoever changes a text counts its version up: recorded answers belong to a version.

    version: 1
    --- system
    what the model is, and how to take what it is shown
    --- prompt
    what is asked, with {places} for what the question fills in
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sopbench.ports.llm import Purpose

_FILE = re.compile(
    r"version: (?P<version>[1-9]\d*)\n--- system\n(?P<system>.+)\n--- prompt\n(?P<prompt>.+)\n", re.DOTALL
)
_FOLDER = files("sopbench.engine") / "prompt_texts"


@dataclass(frozen=True)
class PromptText:
    """A prompt as it is kept."""

    version: int
    system: str
    template: str
    """With ``{places}``."""

    def filled(self, **places: str) -> str:
        """The prompt with its places filled; what is filled in is taken as it is, braces and all."""
        return self.template.format(**places)


@cache
def prompt_text(purpose: Purpose) -> PromptText:
    """The text for a purpose. Raises: FileNotFoundError; ValueError when the file is not of the form above."""
    kept = _FILE.fullmatch((_FOLDER / f"{purpose}.txt").read_text("utf-8").replace("\r\n", "\n"))
    if kept is None:
        raise ValueError(f"prompt_texts/{purpose}.txt: not 'version: N', '--- system', '--- prompt' with their texts")
    return PromptText(int(kept["version"]), kept["system"], kept["prompt"])


def prompts() -> dict[str, PromptText]:
    """All prompts by purpose."""
    names = sorted(file.name.removesuffix(".txt") for file in _FOLDER.iterdir() if file.name.endswith(".txt"))
    return {name: prompt_text(name) for name in names}
