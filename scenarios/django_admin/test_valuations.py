"""Companies read and written: a number wider than its field, a calendar, rows changed and taken out, the history."""

import pytest

from sopbench.trials.trial import Trial

pytestmark = pytest.mark.sop("valuations.sop.json", cases="valuations_cases")


async def test_each_company_is_revalued_from_what_its_field_holds(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("registry").matches("company")
    assert trial.oracle("registry").matches("log")
