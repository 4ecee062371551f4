"""The pytest plugin: options, the ``sop`` marker, trials as items, and the summary at the end."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sopbench.errors import DocumentInvalid, UsageError
from sopbench.events.masking import Masker
from sopbench.pytest_plugin.fixtures import CALL_PASSED
from sopbench.pytest_plugin.options import add_options, option
from sopbench.pytest_plugin.scenario import MARKER_HELP, scenario_of, trial_specs
from sopbench.pytest_plugin.summary import RECORD, Summary
from sopbench.trials.case import Case
from sopbench.trials.trial import TrialSpec, not_held

pytest_plugins = ["sopbench.pytest_plugin.fixtures"]

_CASES = pytest.StashKey[dict[Path, Case]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER_HELP)
    config.stash[_CASES] = {}
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Summary(), "sopbench-summary")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One item per case, condition and trial number for every test that asks for a trial."""
    if "trial_spec" not in metafunc.fixturenames:
        return
    try:
        scenario = scenario_of(metafunc.definition, metafunc.config)
        specs = trial_specs(scenario, metafunc.config, metafunc.config.stash[_CASES])
    except UsageError as error:
        raise pytest.Collector.CollectError(str(error)) from error
    metafunc.parametrize("trial_spec", specs, ids=[spec.id for spec in specs], indirect=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """An error of how we were called is told in its own words, without a traceback through our insides."""
    report = yield
    if report.when == "call":
        item.stash[CALL_PASSED] = report.passed
    spec = _trial_spec(item)
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
