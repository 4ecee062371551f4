"""Corrections to the equipment register: records found by a search, changed, and only those."""

import pytest

from sopbench.trials.trial import Trial

pytestmark = pytest.mark.sop("edit.sop.json", cases="edit_cases")


async def test_only_what_was_to_be_corrected_is_changed(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("pocketbase").matches("equipment")
