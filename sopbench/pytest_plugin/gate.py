"""``--gate``: the claims of the policy are decided while trials go on, and what is left is skipped.

The answer is kept where all reports arrive: in the one process, or in the controller of pytest-xdist. Workers learn it
from a small file whose path they are given; one that cannot see the file goes on to its last trial, and the answer is
the same.

Trials stand in the order in which they began. Which place a trial has is thus settled before it is known how it ends,
and those after one that is still running do not count yet: what ends late is more often what fails.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sopbench.reliability.gate import decide
from sopbench.reliability.policy_file import find_policy, read_policy
from sopbench.reporting.gate import gate_answer
from sopbench.reporting.terminal import text_lines
from sopbench.trials.baselines import BASELINE_NAME, read_baselines
from sopbench.trials.stored import stored_trial
from sopbench.trials.tallying import tallied
from sopbench.trials.trying import with_ways

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from sopbench.pytest_plugin.skipping import Decided
    from sopbench.reliability.answers import Answer
    from sopbench.trials.record import TrialRecord
    from sopbench.trials.stored import LeftOut, StoredTrial

_EXPLAINED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
"""Exit codes that the gate's takes the place of; the others say that the session itself went wrong."""


class Gate:
    """Follows the session's trials, and has the last word on its exit code."""

    def __init__(self, root: Path) -> None:
        """Raises: PolicyInvalid, UsageError."""
        self._policy = read_policy(find_policy(root))
        self._baselines = read_baselines(root / BASELINE_NAME)
        self._claimed = {(claims.scenario, claims.condition) for claims in self._policy.claims}
        self._covering = {(claims.scenario, claims.condition) for claims in self._policy.claims if claims.coverage}
        self._began: list[str] = []
        self._ended: set[str] = set()
        self._trials: dict[str, StoredTrial] = {}
        self._failed: list[str] = []
        self._counted = -1
        self._folder = Path(tempfile.mkdtemp(prefix="sopbench-gate-"))
        self.file = self._folder / "decided.json"
        """What is decided, and so need not be tried further; for the workers."""
        self._left_out: tuple[LeftOut, ...] = ()
        self.answer: Answer = decide(self._policy, [])

    def judged(self, nodeid: str, record: TrialRecord) -> None:
        """A trial has ended, and this is what it was worth."""
        self._trials[nodeid] = stored_trial(record)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if nodeid not in self._began:
            self._began.append(nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.nodeid not in self._failed:
            self._failed.append(report.nodeid)
        if report.when not in ("setup", "call"):  # teardown, or the end of a worker that crashed
            self._ended.add(report.nodeid)
            self._decide(self._before_the_first_running())

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._failed.append(report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Of pytest-xdist: a worker is about to be started."""
        node.workerinput["sopbench_gate"] = str(self.file)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self._decide(self._began)
        if session.config.getoption("collectonly") or exitstatus not in _EXPLAINED:
            return
        session.exitstatus = 1 if self._unexplained() else self.answer.exit_code

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: TerminalReporter, config: pytest.Config) -> None:
        if config.getoption("collectonly"):
            return
        terminalreporter.section("gate", "─")
        width = terminalreporter._tw.fullwidth  # noqa: SLF001 - pytest has no other word for it
        for line in text_lines(gate_answer(self.answer, self._left_out), width, colour=terminalreporter.hasmarkup):
            terminalreporter.write_line(line)
        unexplained = self._unexplained()
        if unexplained:
            named = ", ".join(unexplained[:3]) + (" …" if len(unexplained) > 3 else "")
            terminalreporter.write_line(f"no claim speaks of these, and they failed: {named}")

    def pytest_unconfigure(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _before_the_first_running(self) -> list[str]:
        running = (number for number, nodeid in enumerate(self._began) if nodeid not in self._ended)
        return self._began[: next(running, len(self._began))]

    def _decide(self, nodeids: list[str]) -> None:
        if len(nodeids) == self._counted:
            return
        self._counted = len(nodeids)
        trials = [self._trials[nodeid] for nodeid in nodeids if nodeid in self._trials]
        found = tallied(trials, self._baselines)
        self._left_out = found.left_out
        self.answer = decide(self._policy, with_ways(found.tallies, trials, self._covering))
        self._tell_workers()

    def _tell_workers(self) -> None:
        open_ones = {(each.scenario, each.condition) for each in self.answer.claims if each.outcome == "undecided"}
        told: Decided = {
            "all": "" if open_ones else f"the gate is decided: {self.answer.outcome}",
            "each": {
                f"{scenario} · {condition}": f"the gate is decided for {scenario} under {condition}"
                for scenario, condition in self._claimed - open_ones
            },
        }
        partial = self._folder / "decided.part"
        partial.write_text(json.dumps(told), encoding="utf-8")
        os.replace(partial, self.file)  # noqa: PTH105 - atomic, and says so

    def _unexplained(self) -> list[str]:
        """What failed and is not among the trials that the claims are about; or is, and was judged to be good."""
        return [nodeid for nodeid in self._failed if not self._is_explained(nodeid)]

    def _is_explained(self, nodeid: str) -> bool:
        trial = self._trials.get(nodeid)
        if trial is None or trial.record.judgement.verdict == "passed":
            return False
        return (trial.record.scenario, trial.record.condition) in self._claimed
