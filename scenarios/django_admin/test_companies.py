"""Companies with their contacts: rows that the form grows, tags made in a window of their own, a file."""

import pytest

from sopbench.trials.trial import Trial

pytestmark = pytest.mark.sop("companies.sop.json", cases="companies_cases")


async def test_every_company_is_there_with_its_contacts(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("registry").matches("company")
    assert trial.oracle("registry").matches("contact")


async def test_adding_companies_twice_changes_nothing(trial: Trial) -> None:
    await trial.run()
    again = await trial.run()

    assert again.completed, again.reason
    assert trial.oracle("registry").matches("company")
    assert trial.oracle("registry").matches("contact")
