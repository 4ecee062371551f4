"""``-p sopbench.pytest_plugin.listing``: writes down which trials were collected, for who counts them beforehand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from sopbench.trial_runs import LISTING
from sopbench.trials.sources import digest
from sopbench.trials.trial import TrialSpec

if TYPE_CHECKING:
    import pytest


def pytest_collection_finish(session: pytest.Session) -> None:
    """Write a JSON array to the file that the variable names: one object per trial."""
    file = os.environ.get(LISTING)
    if file is None or session.testsfailed:
        return
    told = [each for item in session.items if (each := _told(item)) is not None]
    Path(file).write_text(json.dumps(told), encoding="utf-8")


def _told(item: pytest.Item) -> dict[str, str | int] | None:
    callspec = getattr(item, "callspec", None)
    spec = callspec.params.get("trial_spec") if callspec else None
    if not isinstance(spec, TrialSpec) or spec.held is None:
        return None
    document = next(iter(spec.held.sources))
    return {
        "node": item.nodeid,
        "scenario": spec.scenario,
        "case": spec.case.name,
        "condition": spec.condition,
        "trial": spec.number,
        "seed": spec.seed,
        "test": spec.held.test,
        "root": spec.held.root,
        "sha256": digest(Path(document)),
    }
