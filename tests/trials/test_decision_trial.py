"""One decision of a procedure, made by itself."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from sopbench.engine.run import Engine
from sopbench.errors import CassetteMiss, OperatorStopped, SopbenchError, UsageError
from sopbench.sop.document import Limits, Sop
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.clock import FakeClock
from sopbench.testing.model import Answer, FakeModel
from sopbench.testing.operator import FakeOperator
from sopbench.testing.page import Element
from sopbench.trials.decision_cases import DecisionCase
from sopbench.trials.decision_trial import DecisionTrial

CHOICES = {"good": {"means": "good", "then": "yes"}, "bad": {"means": "bad", "then": "no"}}
CRITERIA = {
    "checks": [{"if": {"visible": {"role": "alert"}}, "then": "no"}],
    "question": {"ask": "Is {{ what }} good?", "about": "{{ mail.text }}", "choices": CHOICES, "into": "how"},
}


def shop(**more: Any) -> Sop:
    """A procedure whose decision stands within a loop, behind steps that nobody wants to do here."""
    nodes = [
        {
            "id": "each",
            "type": "loop",
            "label": "Each",
            "items": "mails",
            "as": "mail",
            "children": ["open", "d", "act"],
        },
        {"id": "open", "type": "task", "label": "Open"},
        {"id": "d", "type": "decision", "label": "Good?", "criteria": CRITERIA, **more},
        {"id": "act", "type": "task", "label": "Act"},
    ]
    edges = [
        {"source": "open", "target": "d"},
        {"source": "d", "target": "act", "condition": "yes"},
        {"source": "d", "target": "each", "condition": "no"},
    ]
    variables = {
        "what": "the mail",
        "mails": [],
        "password": {"type": "string", "from_env": "PASSWORD", "secret": True},
    }
    return Sop.model_validate(
        {
            "meta": {"id": "s", "title": "S", "version": "1", "goal": "g", "schema": "1.0"},
            "public": {"nodes": nodes, "edges": edges, "variables": variables},
        }
    )


def trial(
    *answers: Answer,
    sop: Sop | None = None,
    page: list[Element] | None = None,
    label: Mapping[str, str] = MappingProxyType({}),
) -> DecisionTrial:
    case = {"name": "c", "expect": "yes", "why": "", "given": {"mail": {"text": "A mail."}}, "node": "d", "group": "g"}
    model = FakeModel({"decide": answers, "decide_simply": ["unsure"]})
    operator = FakeOperator([OperatorStopped("nobody is there")])
    return DecisionTrial(
        case=DecisionCase.model_validate({**case, **label}),
        sop=sop or shop(),
        limits=Limits(),
        engine=Engine(model=model, operator=operator, clock=FakeClock()),
        browser=FakeBrowser(page or []),
    )


@pytest.mark.parametrize(("choice", "branch"), [("good", "yes"), ("bad", "no"), ("unsure", "no")])
async def test_it_is_made_by_itself_with_what_is_given_and_the_documents_own_variables(
    choice: str, branch: str
) -> None:
    decision = trial(choice)

    made = await decision.made()

    assert made == branch
    assert decision.decision is not None
    assert decision.decision.question == "Is the mail good?"
    assert decision.decision.quote == ("" if choice == "unsure" else "A mail.")


async def test_a_check_sees_the_page_as_it_is_said_to_be() -> None:
    decision = trial(page=[Element(role="alert", text="No!")])

    assert await decision.made() == "no"


@pytest.mark.parametrize("on_unsure", ["ask", "stop"])
async def test_where_unsure_means_something_else_that_is_the_outcome(on_unsure: str) -> None:
    decision = trial("unsure", sop=shop(on_unsure=on_unsure), label={"expect": on_unsure})

    assert await decision.made() == decision.expected == on_unsure


async def test_a_decision_that_cannot_be_made_is_an_error_and_no_branch() -> None:
    decision = trial(CassetteMiss("nothing recorded"))

    with pytest.raises(SopbenchError, match="g-c: nothing recorded"):
        await decision.made()

    assert decision.unrecorded


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"node": "dd"}, "no decision 'dd'; did you mean 'd'"),
        ({"node": "act"}, "no decision 'act'"),
        ({"expect": "maybe"}, "g-c: the decision has no branch 'maybe'; there are 'yes', 'no'"),
    ],
)
def test_a_label_must_fit_the_procedure(wrong: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        trial(label=wrong)
