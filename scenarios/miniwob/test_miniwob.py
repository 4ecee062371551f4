"""Tasks of MiniWoB++: small pages that nobody here wrote, each with a sentence that says what to do."""

import pytest

from sopbench.trials.trial import Trial

pytestmark = pytest.mark.sop("tasks", cases="tasks")


async def test_task(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("page").rewards == [1]
