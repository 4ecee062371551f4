"""A delivery → the equipment register, in the admin page of an app that nobody here wrote."""

import pytest

from sopbench.trials.trial import Trial

pytestmark = pytest.mark.sop("pocketbase.sop.json", cases="cases")


async def test_every_delivered_device_is_registered(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("pocketbase").matches("equipment")


async def test_registering_a_delivery_twice_changes_nothing(trial: Trial) -> None:
    await trial.run()
    again = await trial.run()

    assert again.completed, again.reason
    assert trial.oracle("pocketbase").matches("equipment")
