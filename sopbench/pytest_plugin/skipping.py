"""Skipping trials that a gate no longer needs, in whichever process they would have run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import pytest

if TYPE_CHECKING:
    from sopbench.trials.trial import TrialSpec

GATE_FILE = pytest.StashKey[Path]()
"""Where the gate says what it has decided; only there with ``--gate``."""


class Decided(TypedDict):
    """What the gate has decided so far."""

    all: str
    """Why no trial is needed any more; empty while one is."""
    each: dict[str, str]
    """Why none of ``scenario · condition`` is."""


def skip_if_decided(spec: TrialSpec, config: pytest.Config) -> None:
    """Raises: pytest.skip.Exception when the gate has decided what this trial would be for."""
    file = config.stash.get(GATE_FILE, None)
    if file is None or not file.exists():
        return
    decided: Decided = json.loads(file.read_text(encoding="utf-8"))
    reason = decided["all"] or decided["each"].get(f"{spec.scenario} · {spec.condition}", "")
    if reason:
        pytest.skip(reason)
