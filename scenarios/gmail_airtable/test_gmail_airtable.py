"""Daily investor mail → CRM: each case of the day, tried again and again."""

import pytest

CASES = "../../fixtures/cases"
DAYS = [f"{CASES}/ordinary_day", f"{CASES}/short_day", f"{CASES}/empty_day"]

pytestmark = pytest.mark.sop("gmail_airtable.sop.json", sites=["gmail", "airtable"], cases=DAYS)


async def test_investor_mail_reaches_the_crm(trial):
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("airtable").matches("Investors")
    assert trial.oracle("gmail").matches("Processed")


@pytest.mark.sop("gmail_airtable.sop.json", sites=["gmail", "airtable"], cases=f"{CASES}/short_day")
async def test_running_it_twice_changes_nothing_the_second_time(trial):
    await trial.run()
    again = await trial.run()

    assert again.completed, again.reason
    assert trial.oracle("airtable").matches("Investors")
