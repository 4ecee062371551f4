"""Retired devices out of the equipment register: records go for good, and only those."""

import pytest

from sopbench.trials.trial import Trial

pytestmark = pytest.mark.sop("retire.sop.json", cases="retire_cases")


async def test_only_retired_devices_are_gone(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("pocketbase").matches("equipment")
