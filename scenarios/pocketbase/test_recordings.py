"""What people recorded in the admin page, imported and run as it is: the same server, the same oracle."""

from pathlib import Path

import pytest

from sopbench.pytest_plugin.scenario import Scenario
from sopbench.sop.loader import Loaded, load
from sopbench.sop.recordings.importing import import_recording
from sopbench.trials.trial import Trial


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Loaded]:
    """Procedures by their recording; nobody edits them."""
    return _Imported(tmp_path_factory.mktemp("imported"))


class _Imported(dict[Path, Loaded]):
    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def __missing__(self, recording: Path) -> Loaded:
        made = import_recording(recording, self._folder / f"{recording.name}.sop.json", variables=True)
        assert not [remark for remark in made.caveats if remark.lost], made.caveats
        self[recording] = load(made.file)
        return self[recording]


@pytest.fixture
def procedure(scenario: Scenario, imported: dict[Path, Loaded]) -> Loaded:
    """In place of the scenario's document: what becomes of its recording."""
    loaded = imported[scenario.document]
    loaded.require_runnable()
    return loaded


@pytest.mark.sop("recordings/create_device.json", cases="recordings/cases/create")
async def test_creating_a_record_as_recorded_by_the_devtools(trial: Trial) -> None:
    await _runs(trial)


@pytest.mark.sop("recordings/edit_device.json", cases="recordings/cases/edit")
async def test_editing_a_record_as_recorded_by_the_devtools(trial: Trial) -> None:
    await _runs(trial)


@pytest.mark.sop("recordings/delete_device.json", cases="recordings/cases/delete")
async def test_deleting_a_record_as_recorded_by_the_devtools(trial: Trial) -> None:
    await _runs(trial)


@pytest.mark.sop("recordings/create_device.py.txt", cases="recordings/cases/create")
async def test_creating_a_record_as_written_by_codegen(trial: Trial) -> None:
    await _runs(trial)


@pytest.mark.sop("recordings/edit_device.py.txt", cases="recordings/cases/edit")
async def test_editing_a_record_as_written_by_codegen_in_async_python(trial: Trial) -> None:
    await _runs(trial)


@pytest.mark.sop("recordings/delete_device.py.txt", cases="recordings/cases/delete")
async def test_deleting_a_record_as_written_by_codegen_for_pytest(trial: Trial) -> None:
    await _runs(trial)


async def _runs(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("pocketbase").matches("equipment")
