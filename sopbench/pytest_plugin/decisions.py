"""Labelled decisions as items: one per decision of a scenario's folder, without a browser."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from sopbench import wiring
from sopbench.adapters.vcr_cassettes import Cassettes
from sopbench.decision_runs import cassette_path, decision_trial
from sopbench.errors import UsageError
from sopbench.pytest_plugin.options import option
from sopbench.pytest_plugin.scenario import Scenario
from sopbench.sop.loader import Loaded
from sopbench.trials.decision_cases import KNOWN_WRONG, DecisionCase, load_decisions, read_known_wrong
from sopbench.trials.decision_trial import DecisionTrial
from sopbench.wiring import Settings

if TYPE_CHECKING:
    from sopbench.adapters.http_model import HttpModel


def decision_items(scenario: Scenario, config: pytest.Config) -> list[object]:
    """The parameters of a test that asks for a decision.

    What the recorded model is known to get wrong is expected to fail, strictly: should it be right one day, the item
    fails and says so. A model that answers live is expected to be right. Decisions are recorded by a command of their
    own, and skipped where other things are.

    Raises: UsageError, CaseInvalid.
    """
    if scenario.decisions is None:
        raise UsageError('a test of decisions needs their folder: pytest.mark.sop("….sop.json", decisions="decisions")')
    marks = _marks(scenario, option(config, "llm"))
    return [
        pytest.param(case, id=case.id, marks=[mark] if (mark := marks(case)) else [])
        for case in load_decisions(scenario.decisions)
    ]


def _marks(scenario: Scenario, mode: str) -> Callable[[DecisionCase], pytest.MarkDecorator | None]:
    if mode == "record":
        command = f"sopbench cassettes record {scenario.document.name} --decisions {scenario.decisions} --yes"
        recorded_apart = pytest.mark.skip(reason=f"recorded with what they get wrong: {command}")
        return lambda _: recorded_apart
    known = read_known_wrong(scenario.decisions) if scenario.decisions and mode == "replay" else None
    wrong = known.wrong if known else {}

    def expected_to_fail(case: DecisionCase) -> pytest.MarkDecorator | None:
        if case.id not in wrong:
            return None
        reason = f"the recorded model takes {wrong[case.id]!r} ({KNOWN_WRONG}); if it is right now, record anew"
        return pytest.mark.xfail(reason=reason, raises=AssertionError, strict=True)

    return expected_to_fail


@pytest.fixture
def decision_case(request: pytest.FixtureRequest) -> DecisionCase:
    """The labelled decision; one per item."""
    case: DecisionCase = request.param
    return case


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def _decision_models() -> AsyncIterator[dict[Path, HttpModel]]:
    """The models that were asked, by cassette: a client is built once."""
    models: dict[Path, HttpModel] = {}
    yield models
    for model in models.values():
        await model.aclose()


@pytest.fixture
def decision(
    decision_case: DecisionCase,
    scenario: Scenario,
    procedure: Loaded,
    sop_settings: Settings,
    cassettes: Cassettes | None,
    _decision_models: dict[Path, HttpModel],
) -> DecisionTrial:
    """One labelled decision, ready to be made: ``await decision.made() == decision.expected``."""
    folder = scenario.decisions or scenario.document.parent
    path = cassette_path(scenario.document, folder)
    if path not in _decision_models:
        _decision_models[path] = wiring.model(sop_settings, cassettes.at(path) if cassettes else None)
        _decision_models[path].prepare()
    return decision_trial(decision_case, procedure, sop_settings, _decision_models[path])
