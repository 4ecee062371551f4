"""People who join, and passwords, in the stock admin of users: the form of two steps, and the one for passwords."""

import pytest

from sopbench.trials.trial import Trial

pytestmark = pytest.mark.sop("accounts.sop.json", cases="accounts_cases")


async def test_accounts_have_their_groups_and_passwords(trial: Trial) -> None:
    run = await trial.run()

    assert run.completed, run.reason
    assert trial.oracle("registry").matches("user")
