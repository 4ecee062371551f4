"""How a trial is held, noted so that it can be held again: its test, the options, and what it is made from."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sopbench.pytest_plugin.options import option, options
from sopbench.trials.record import Held
from sopbench.trials.sources import digest, this_sopbench

if TYPE_CHECKING:
    import pytest

_SINGLE = (
    "site", "autonomy", "llm", "llm-base-url", "llm-model", "llm-served-by", "operator", "screenshots",
    "browser-executable",
)  # fmt: skip
"""Options that bear on what happens; where it is kept and how many there are of it do not."""
_REPEATED = ("case", "limit", "var")


def held_by(config: pytest.Config, test: str, seed: int, document: Path, case: Path) -> Held:
    """``test`` is the node id of the test function; the cassette is where it lies by default."""
    given = [f"--{name}={value}" for name in _SINGLE if (value := option(config, name))]
    given += [f"--{name}={_whole(name, value)}" for name in _REPEATED for value in options(config, name)]
    sources = (document, case, document.parent / "cassettes" / f"{case.name}.json")
    return Held(
        root=str(config.rootpath),
        test=test,
        seed=seed,
        options=tuple(given),
        sources={str(path.resolve()): _digest(path) for path in sources},
        version=this_sopbench().version,
        engine=this_sopbench().source,
    )


def _whole(name: str, value: str) -> str:
    """A path of the command line means the same from wherever it is read again."""
    return str(Path(value).resolve()) if name == "case" else value


@cache
def _digest(path: Path) -> str:
    return digest(path)
