"""The fixtures of a trial. Each can be replaced in a conftest: another engine, another site, a stricter oracle."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from sopbench import wiring
from sopbench.adapters.vcr_cassettes import Cassettes
from sopbench.engine.run import Engine
from sopbench.errors import UsageError
from sopbench.events.masking import Masker
from sopbench.faults.at_work import Disturbance
from sopbench.ports.llm import LanguageModel
from sopbench.ports.operator import Operator
from sopbench.pytest_plugin.options import settings
from sopbench.pytest_plugin.scenario import Scenario, scenario_of
from sopbench.pytest_plugin.summary import RECORD
from sopbench.reporting.allure_steps import attach_run
from sopbench.sites.host import SiteHost
from sopbench.sites.site import Site
from sopbench.sop.loader import Loaded, load
from sopbench.sop.needs import model_nodes
from sopbench.trials.oracle import Oracle
from sopbench.trials.trial import Trial, TrialSpec
from sopbench.trials.verdict import Verdict
from sopbench.wiring import Settings

if TYPE_CHECKING:
    from playwright.async_api import Browser

CALL_PASSED = pytest.StashKey[bool]()
"""Whether the test itself passed; set by the plugin before the fixtures are torn down."""


@pytest.fixture(scope="session")
def sop_settings(pytestconfig: pytest.Config) -> Settings:
    """What the options come down to."""
    return settings(pytestconfig)


@pytest.fixture
def trial_spec(request: pytest.FixtureRequest) -> TrialSpec:
    """What tells this trial from all others; one per item."""
    spec: TrialSpec = request.param
    return spec


@pytest.fixture
def scenario(request: pytest.FixtureRequest) -> Scenario:
    """The scenario of the test's ``sop`` marker."""
    return scenario_of(request.node, request.config)


@pytest.fixture(scope="session")
def _procedures() -> dict[Path, Loaded]:
    return {}


@pytest.fixture
def procedure(scenario: Scenario, _procedures: dict[Path, Loaded]) -> Loaded:
    """The scenario's document, loaded and checked once a session."""
    if scenario.document not in _procedures:
        loaded = load(scenario.document)
        loaded.require_runnable()
        _procedures[scenario.document] = loaded
    return _procedures[scenario.document]


@pytest.fixture(scope="session")
def site_host(sop_settings: Settings) -> Iterator[SiteHost | None]:
    """Serves the mock sites for the whole session; None on real sites."""
    if sop_settings.site == "real":
        yield None
        return
    with SiteHost(port=sop_settings.site_port) as host:
        yield host


@pytest.fixture
def disturbance(trial_spec: TrialSpec) -> Disturbance | None:
    """The faults of the trial's condition, ready for work; None when there is none."""
    return wiring.disturbance(trial_spec)


@pytest.fixture
def sites(
    trial_spec: TrialSpec, scenario: Scenario, site_host: SiteHost | None, disturbance: Disturbance | None
) -> dict[str, Site]:
    """The trial's mock sites, made anew from its case and seed, by name; none on real sites."""
    if site_host is None:
        return {}
    made = wiring.mock_sites(scenario.sites, trial_spec.case, trial_spec.seed)
    site_host.mount(made if disturbance is None else disturbance.sites(made))
    return made


@pytest.fixture
def oracles(
    trial_spec: TrialSpec, sites: dict[str, Site], site_host: SiteHost | None, disturbance: Disturbance | None
) -> dict[str, Oracle]:
    """What looks at the outcome, by site."""
    if site_host is None:
        return wiring.real_oracles(trial_spec.case, os.environ)
    return wiring.mock_oracles(sites, trial_spec.case, site_host, disturbance)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def sop_browser(sop_settings: Settings, site_host: SiteHost | None) -> AsyncIterator[Browser]:
    """One browser for the whole session, with Playwright's own options (``--headed``, ``--slowmo`` …)."""
    async with wiring.browser_process(sop_settings, site_host) as browser:
        yield browser


@pytest.fixture(scope="session")
def cassettes(request: pytest.FixtureRequest, sop_settings: Settings) -> Iterator[Cassettes | None]:
    """The recorded model traffic; written at the end of a session that records. None when the model is live."""
    if sop_settings.llm == "live":
        yield None
        return
    if sop_settings.llm == "record" and hasattr(request.config, "workerinput"):
        raise UsageError("--llm record writes one cassette per case: run it without -n")
    opened = Cassettes(sop_settings.llm, served_by=sop_settings.llm_served_by)
    yield opened
    opened.close()


@pytest.fixture
def trial_variables() -> Mapping[str, Any]:
    """Variables that are known only now, such as the address of an app just started: over the case's, under --var."""
    return {}


@pytest.fixture
def masker(
    trial_spec: TrialSpec, procedure: Loaded, sop_settings: Settings, trial_variables: Mapping[str, Any]
) -> Masker:
    """Knows the trial's secrets."""
    env = wiring.environment(sop_settings, trial_spec.case)
    return wiring.variables(procedure, trial_spec.case, sop_settings, env, trial_variables)[1]


@pytest_asyncio.fixture(loop_scope="session")
async def model(
    scenario: Scenario,
    trial_spec: TrialSpec,
    procedure: Loaded,
    sop_settings: Settings,
    cassettes: Cassettes | None,
    masker: Masker,
    disturbance: Disturbance | None,
) -> AsyncIterator[LanguageModel]:
    """The model that is asked; by default the cassette of the scenario and the case."""
    cassette = None
    if cassettes is not None:
        path = scenario.document.parent / "cassettes" / f"{trial_spec.case.name}.json"
        cassette = cassettes.at(path, masker=masker)
    asked = wiring.model(sop_settings, cassette, disturbance)
    if model_nodes(procedure.sop):
        asked.prepare()
    yield asked
    await asked.aclose()


@pytest.fixture
def operator(sop_settings: Settings) -> Operator:
    """Who answers the run's questions."""
    return wiring.operator(sop_settings)


@pytest.fixture
def engine(sop_settings: Settings, model: LanguageModel, operator: Operator) -> Engine:
    """What runs the procedure."""
    return wiring.engine(sop_settings, model, operator)


@pytest.fixture(scope="session")
def browser_context_options() -> Mapping[str, Any]:
    """Playwright's options for the trials' browser contexts, over the plugin's own."""
    return {}


@pytest.fixture
def trial(
    request: pytest.FixtureRequest,
    trial_spec: TrialSpec,
    procedure: Loaded,
    sop_settings: Settings,
    engine: Engine,
    sop_browser: Browser,
    oracles: dict[str, Oracle],
    trial_variables: Mapping[str, Any],
    browser_context_options: Mapping[str, Any],
    site_host: SiteHost | None,
    disturbance: Disturbance | None,
) -> Iterator[Trial]:
    """One trial, ready to run. A verdict other than *passed* fails the test, whatever the test itself asserts."""
    engine.check(procedure.sop)
    made = wiring.trial(
        trial_spec,
        procedure=procedure,
        settings=sop_settings,
        engine=engine,
        browser=sop_browser,
        oracles=oracles,
        own_variables=trial_variables,
        context_options=browser_context_options,
        host=site_host,
        disturbance=disturbance,
    )
    yield made
    for record in made.done:
        attach_run(request.node, Path(record.folder), record)
    worst = made.worst
    if worst is None:
        return
    request.node.user_properties.append((RECORD, worst.model_dump_json()))
    call = request.node.stash.get(CALL_PASSED, None)
    if worst.judgement.verdict is not Verdict.PASSED and call:
        pytest.fail(f"the test passed, the trial did not: {worst.judgement.verdict}: {worst.judgement.reason}")
