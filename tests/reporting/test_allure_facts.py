"""What a fact of a run is called in Allure, and what is told of it."""

from __future__ import annotations

from sopbench.events.types import DecisionMade
from sopbench.reporting.allure_facts import end_of, name_of
from sopbench.reporting.steps import Fact


def test_a_decision_is_told_with_its_question_and_its_quote() -> None:
    made = DecisionMade(
        step=1, branch="yes", by="model", evidence="wants_in: “join” [2]",
        question="What is it for?", choice="wants_in", quote="join", piece=2, confidence="high",
    )  # fmt: skip

    status, why, told = end_of(Fact(made))

    assert name_of(made) == "→ yes, by model: wants_in: “join” [2]"
    assert (status, why) == ("passed", "")
    assert told == {
        "question": "What is it for?", "choice": "wants_in", "quote": "join", "piece": "2", "confidence": "high",
    }  # fmt: skip
