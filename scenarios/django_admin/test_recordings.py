"""What was recorded on this admin, imported and run as it is: three flows, each by two recorders.

The recordings name ``http://127.0.0.1:8000``; the importer makes a variable of it, and of what was typed.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from sopbench.pytest_plugin.scenario import Scenario
from sopbench.sop.loader import Loaded, load
from sopbench.sop.recordings.importing import import_recording
from sopbench.trials.trial import Trial

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def procedure(scenario: Scenario, tmp_path: Path) -> Loaded:
    """The scenario's recording as a document, with not a word changed."""
    recording = tmp_path / scenario.document.name.removesuffix(".txt")
    shutil.copy(scenario.document, recording)
    loaded = load(import_recording(recording, tmp_path / "imported.sop.json", variables=True).file)
    loaded.require_runnable()
    return loaded


@pytest.mark.sop("recordings/add_group.json", cases="recordings_cases/add_group")
async def test_a_group_is_added_as_recorded_in_chrome(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("registry").matches("group")


@pytest.mark.sop("recordings/add_group.py.txt", cases="recordings_cases/add_group")
async def test_a_group_is_added_as_recorded_by_playwright_for_pytest(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("registry").matches("group")


@pytest.mark.sop("recordings/add_company.json", cases="recordings_cases/add_company")
async def test_a_company_is_added_as_recorded_in_chrome(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("registry").matches("company")
    assert trial.oracle("registry").matches("contact")


@pytest.mark.sop("recordings/add_company.py.txt", cases="recordings_cases/add_company")
async def test_a_company_is_added_as_recorded_by_playwright(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("registry").matches("company")
    assert trial.oracle("registry").matches("contact")


@pytest.mark.sop("recordings/edit_company.json", cases="recordings_cases/edit_company")
async def test_a_company_is_edited_as_recorded_in_chrome(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("registry").matches("company")
    assert trial.oracle("registry").matches("contact")


@pytest.mark.sop("recordings/edit_company.py.txt", cases="recordings_cases/edit_company")
async def test_a_company_is_edited_as_recorded_by_playwright_async(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("registry").matches("company")
    assert trial.oracle("registry").matches("contact")
