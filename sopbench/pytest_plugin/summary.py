"""The summary at the end of a session, from the records of all its trials."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sopbench.pytest_plugin.options import option
from sopbench.trials.record import TrialRecord

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from sopbench.pytest_plugin.gate import Gate

RECORD = "sopbench"
"""Name of the user property that carries a trial's record from where it ran to here."""


class Summary:
    """Collects the trials' records; with pytest-xdist they arrive from the workers."""

    def __init__(self, gate: Gate | None = None) -> None:
        self._records: list[TrialRecord] = []
        self._gate = gate

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "teardown":
            return
        records = [
            TrialRecord.model_validate_json(str(value)) for name, value in report.user_properties if name == RECORD
        ]
        self._records += records
        if self._gate is not None and records:
            self._gate.judged(report.nodeid, records[0])

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter, config: pytest.Config) -> None:
        if not self._records:
            return
        from sopbench.reporting.summary import summary_lines  # noqa: PLC0415 - scipy takes half a second

        terminalreporter.section("reliability", "─")
        lines = summary_lines(
            self._records,
            width=terminalreporter._tw.fullwidth,  # noqa: SLF001 - pytest has no other word for it
            colour=terminalreporter.hasmarkup,
            runs=option(config, "records"),
            allure=str(config.getoption("allure_report_dir", None) or ""),
            gated=self._gate is not None,
        )
        for line in lines:
            terminalreporter.write_line(line)
