"""Who answers when nobody is there."""

from __future__ import annotations

import pytest

from sopbench.adapters.unattended_operator import UnattendedOperator
from sopbench.errors import OperatorStopped
from sopbench.ports.operator import OperatorQuestion


async def test_the_safe_answer_is_taken() -> None:
    question = OperatorQuestion("Send it?", ("send", "skip"), safe="skip")

    answer = await UnattendedOperator().answer(question)

    assert answer == "skip"


async def test_without_a_safe_answer_the_run_is_stopped() -> None:
    question = OperatorQuestion("Send it?", ("send", "skip"))

    with pytest.raises(OperatorStopped, match=r"nobody is there to answer: Send it\? \(send / skip\)"):
        await UnattendedOperator().answer(question)
