"""The pytest plugin: options, the ``sop`` marker, trials as items, and the summary at the end."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sopbench.errors import DocumentInvalid, SopbenchError, UsageError
from sopbench.events.masking import Masker
from sopbench.pytest_plugin.decisions import decision_items
from sopbench.pytest_plugin.fixtures import CALL_PASSED
from sopbench.pytest_plugin.options import add_options, gated, option
from sopbench.pytest_plugin.scenario import MARKER_HELP, scenario_of, trial_specs
from sopbench.pytest_plugin.skipping import GATE_FILE, skip_if_decided
from sopbench.pytest_plugin.summary import RECORD, Summary
from sopbench.trials.case import Case
from sopbench.trials.trial import TrialSpec, not_held

if TYPE_CHECKING:
    from sopbench.pytest_plugin.gate import Gate

pytest_plugins = ["sopbench.pytest_plugin.fixtures", "sopbench.pytest_plugin.decisions"]

_CASES = pytest.StashKey[dict[Path, Case]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER_HELP)
    config.stash[_CASES] = {}
    worker = getattr(config, "workerinput", None)
    if worker is None:
        config.pluginmanager.register(Summary(_gate(config)), "sopbench-summary")
    elif "sopbench_gate" in worker:
        config.stash[GATE_FILE] = Path(worker["sopbench_gate"])


def _gate(config: pytest.Config) -> Gate | None:
    """Raises: pytest.UsageError when the policy or the baseline cannot be read."""
    if not gated(config):
        return None
    from sopbench.pytest_plugin.gate import Gate  # noqa: PLC0415 - scipy takes half a second

    try:
        gate = Gate(config.rootpath)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[GATE_FILE] = gate.file
    config.pluginmanager.register(gate, "sopbench-gate")
    return gate


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One item per case, condition and trial number where a test asks for a trial; one per labelled decision."""
    asked = {"trial_spec", "decision_case"}.intersection(metafunc.fixturenames)
    if not asked:
        return
    try:
        scenario = scenario_of(metafunc.definition, metafunc.config)
        if "decision_case" in asked:
            metafunc.parametrize("decision_case", decision_items(scenario, metafunc.config), indirect=True)
        if "trial_spec" in asked:
            test = metafunc.definition.nodeid
            specs = trial_specs(scenario, metafunc.config, metafunc.config.stash[_CASES], test)
            if gated(metafunc.config):  # it may stop at any trial: no case is to come late
                specs.sort(key=lambda spec: spec.number)
            metafunc.parametrize("trial_spec", specs, ids=[spec.id for spec in specs], indirect=True)
    except UsageError as error:
        raise pytest.Collector.CollectError(str(error)) from error


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A trial that the gate no longer needs is skipped before anything is set up for it."""
    spec = _trial_spec(item)
    if spec is not None:
        skip_if_decided(spec, item.config)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """An error of how we were called is told in its own words, without a traceback through our insides."""
    report = yield
    if report.when == "call":
        item.stash[CALL_PASSED] = report.passed
    spec = _trial_spec(item)
    decides = "decision_case" in getattr(item, "fixturenames", ())
    if decides and call.excinfo is not None and call.excinfo.errisinstance(SopbenchError):
        report.longrepr = str(call.excinfo.value)
    if spec is None or call.excinfo is None:
        return report
    if call.excinfo.errisinstance((UsageError, DocumentInvalid)):
        report.longrepr = str(call.excinfo.value)
    if report.when == "setup" and report.failed:
        _count_as_broken(item, spec, call.excinfo)
    return report


def _trial_spec(item: pytest.Item) -> TrialSpec | None:
    callspec = getattr(item, "callspec", None)
    spec = callspec.params.get("trial_spec") if callspec else None
    return spec if isinstance(spec, TrialSpec) else None


def _count_as_broken(item: pytest.Item, spec: TrialSpec, error: pytest.ExceptionInfo[BaseException]) -> None:
    """A trial whose fixtures failed is no evidence, but it does not vanish from the summary."""
    masker = getattr(item, "funcargs", {}).get("masker", Masker())
    records, now = Path(option(item.config, "records")), datetime.now(UTC)
    record = not_held(spec, records, now, masker.text(error.exconly(tryshort=True)))
    item.user_properties.append((RECORD, record.model_dump_json()))
