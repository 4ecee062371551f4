"""Is it investor mail? Labelled mails, each decided by itself, from recorded answers and without a browser."""

import pytest

pytestmark = pytest.mark.sop("gmail_airtable.sop.json", decisions="decisions")


async def test_the_decision_is_what_the_procedures_owner_wants(decision):
    assert await decision.made() == decision.expected
