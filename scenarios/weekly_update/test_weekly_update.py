"""Weekly update for the shareholders: figures from two pages, a text, a draft; each case again and again."""

import pytest

WEEKS = "../../fixtures/weekly_cases"
SITES = ["gmail", "airtable", "tallybook"]

pytestmark = pytest.mark.sop("weekly_update.sop.json", sites=SITES, cases=WEEKS)


async def test_the_update_lies_among_the_drafts(trial):
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("drafts").matches()
    assert trial.oracle("airtable").matches("Weekly KPIs")


@pytest.mark.sop("weekly_update.sop.json", sites=SITES, cases=f"{WEEKS}/good_week")
async def test_running_it_twice_leaves_one_draft(trial):
    await trial.run()
    again = await trial.run()

    assert again.completed, again.reason
    assert trial.oracle("drafts").matches()
