"""Many companies at once: filtered, searched, ticked, marked; and deleted, over more than one page."""

import pytest

from sopbench.trials.trial import Trial

pytestmark = pytest.mark.sop("clients.sop.json", cases="clients_cases")


async def test_only_those_that_signed_are_marked_and_only_the_dissolved_are_gone(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("registry").matches("company")
