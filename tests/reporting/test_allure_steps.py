"""A real pytest session with --alluredir shows a run as nested steps, and keeps one history over sessions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from sopbench.reporting.allure_steps import attach_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from sopbench.trials.record import TrialRecord
    from tests.reporting.conftest import Log

CONFTEST = """
from pathlib import Path

import pytest

from sopbench.reporting.allure_steps import attach_run
from sopbench.trials.record import TrialRecord


class Plan:
    "Its repr has an address in it: another one in every session."


def pytest_generate_tests(metafunc):
    metafunc.parametrize("trial", [Plan()], ids=["ordinary_day-clean-17"], indirect=True)


@pytest.fixture
def trial(request):
    yield
    folder = Path("run")
    attach_run(request.node, folder, TrialRecord.model_validate_json((folder / "record.json").read_text()))
"""

TEST = '''
import pytest

@pytest.mark.parametrize("browser_name", ["chromium"])
def test_mail_reaches_the_crm(trial, browser_name):
    """Mail becomes a record."""
'''


def run_pytest(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    plugins = ["-p", "allure_pytest.plugin", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-q", *plugins, "-W", "error", *options]
    alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    return subprocess.run(command, cwd=folder, env=alone, capture_output=True, text=True, check=False, timeout=60)


def session(folder: Path, log: Log, record: TrialRecord, picture: bytes) -> Path:
    """A session with one test, which reports the run of this log; gives the folder with Allure's results."""
    run = log.write(folder / "run")
    (run / "screenshots").mkdir()
    (run / "screenshots" / "001.png").write_bytes(picture)
    (run / "trace.zip").write_bytes(b"PK")
    (run / "record.json").write_text(record.model_dump_json(), encoding="utf-8")
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "test_mail.py").write_text(TEST, encoding="utf-8")
    results = folder / "results"
    done = run_pytest(folder, f"--alluredir={results}")
    assert done.returncode == 0, done.stdout + done.stderr
    return results


def only_result(results: Path) -> dict[str, Any]:
    (file,) = results.glob("*-result.json")
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data


def outline(steps: list[dict[str, Any]], depth: int = 0) -> list[str]:
    lines = []
    for step in steps:
        lines.append(f"{'  ' * depth}{step['name']} [{step['status']}]")
        lines += outline(step.get("steps", []), depth + 1)
    return lines


@pytest.fixture(scope="module")
def results(
    tmp_path_factory: pytest.TempPathFactory, finished_run: Log, judged: Callable[..., TrialRecord], one_pixel: bytes
) -> Path:
    return session(tmp_path_factory.mktemp("session"), finished_run, judged(finished_run), one_pixel)


def test_a_run_becomes_nested_steps_of_the_test_itself(results: Path) -> None:
    result = only_result(results)

    assert outline(result["steps"]) == [
        "1. Open the inbox [passed]",
        "  go to https://mail.google.com/mail/u/0/#inbox [passed]",
        "  click button 'Got it' [skipped]",
        "2. For each mail of today [passed]",
        "  item 1: sender = 'news@example.com', subject = 'Hello' [passed]",
        "    3. Is the mail from an investor? [passed]",
        "      ask the model: Who is writing: an investor, a customer, or somebody else? [passed]",
        "      → no, by model: choice = 'somebody else' [passed]",
        "  item 2: sender = 'jane@northwind.vc', subject = 'Series A' [passed]",
        "    4. Is the mail from an investor? [passed]",
        "      → yes, by check: subject contains 'Series A' [passed]",
        "    5. Save the record [passed]",
        "      ask the operator: Save Jane of Northwind? [passed]",
        "      click button 'Save' [failed]",
        "      attempt 2, after 0.5 s [passed]",
        "      click button 'Save' [passed]",
        "6. Done [passed]",
    ]


def test_steps_keep_the_times_of_the_run(results: Path, finished_run: Log) -> None:
    first, loop, _ = only_result(results)["steps"]
    began = round(datetime(2026, 11, 21, 18, 5, 1, tzinfo=UTC).timestamp() * 1000)

    assert (first["start"], first["steps"][0]["stop"]) == (began, began + 1120)
    assert loop["stop"] == round(finished_run.now.timestamp() * 1000)


def test_files_hang_where_they_belong(results: Path, one_pixel: bytes) -> None:
    result = only_result(results)

    (picture,) = result["steps"][0]["attachments"]
    attached = {attachment["name"]: attachment for attachment in result["attachments"]}

    assert (picture["name"], picture["type"]) == ("screenshots/001.png", "image/png")
    assert (results / picture["source"]).read_bytes() == one_pixel
    assert {name: attachment["type"] for name, attachment in attached.items()} == {
        "events.jsonl": "text/plain",
        "trace.zip": "application/vnd.allure.playwright-trace",
    }
    assert (results / attached["events.jsonl"]["source"]).read_text(encoding="utf-8").count("\n") > 20


def test_the_worth_of_a_trial_is_in_labels_parameters_and_description(results: Path) -> None:
    result = only_result(results)
    labels = {label["name"]: label["value"] for label in result["labels"]}
    excluded = {
        parameter["name"]: parameter["value"] for parameter in result["parameters"] if parameter.get("excluded")
    }

    assert labels.items() >= {
        "sop": "gmail_airtable", "case": "ordinary_day", "condition": "clean",
        "verdict": "passed", "grade": "recovered", "cause": "timing",
    }.items()  # fmt: skip
    assert "severity" not in labels
    assert excluded.items() >= {"seed": "1017", "cost": "$0.00088", "model calls": "1, 0 live", "folder": "run"}.items()
    assert result["description"] == "Mail becomes a record.\n\n**passed · recovered · timing**"


def test_values_and_tiers_are_parameters_of_steps(results: Path) -> None:
    steps = only_result(results)["steps"]

    first = {parameter["name"]: parameter["value"] for parameter in steps[0]["parameters"]}
    saved = {parameter["name"]: parameter["value"] for parameter in steps[1]["steps"][1]["steps"][1]["parameters"]}

    assert first["mails"] == '4 items: ["Hello", "Series A", "x", "y"]'
    assert (saved["tier"], saved["attempts"]) == ("retried", "2")


def test_another_seed_and_folder_keep_the_history(
    results: Path, tmp_path: Path, finished_run: Log, judged: Callable[..., TrialRecord], one_pixel: bytes
) -> None:
    first = only_result(results)

    again = only_result(session(tmp_path, finished_run, judged(finished_run, seed=2), one_pixel))

    assert first["historyId"] == again["historyId"]
    counted = {
        parameter["name"]: parameter["value"] for parameter in again["parameters"] if not parameter.get("excluded")
    }
    assert counted == {
        "browser_name": "'chromium'",
        "trial id": "ordinary_day-clean-17-chromium",
        "run with": "mock site, replay, light",
    }


def test_a_run_with_a_live_model_has_a_history_of_its_own(
    results: Path, tmp_path: Path, finished_run: Log, judged: Callable[..., TrialRecord], one_pixel: bytes
) -> None:
    replayed = only_result(results)

    live = only_result(session(tmp_path, finished_run, judged(finished_run, llm="live"), one_pixel))

    assert live["historyId"] != replayed["historyId"]
    assert live["testCaseId"] == replayed["testCaseId"]


def test_a_failure_says_why_in_its_step_and_its_reason_in_the_description(
    tmp_path: Path, failed_run: Log, judged: Callable[..., TrialRecord], one_pixel: bytes
) -> None:
    result = only_result(session(tmp_path, failed_run, judged(failed_run), one_pixel))

    (step,) = result["steps"]

    assert (step["status"], step["statusDetails"]["message"][:15]) == ("failed", "TargetNotFound:")
    assert result["description"].endswith("**failed_safe · target**\n\n    no link named 'Inbox'")


def test_a_log_without_an_end_is_told_as_a_killed_run(
    tmp_path: Path, investor_run: Log, judged: Callable[..., TrialRecord], one_pixel: bytes
) -> None:
    del investor_run.events[-9:]

    result = only_result(session(tmp_path, investor_run, judged(investor_run), one_pixel))

    assert outline(result["steps"])[-3:] == [
        "      ask the operator: Save Jane of Northwind? [passed]",
        "      click button 'Save' [broken]",
        "the log ends here: the run was killed [broken]",
    ]


class Reporter:
    """Allure's reporter, as far as it is used: what is opened must be closed."""

    def __init__(self) -> None:
        self.test = SimpleNamespace(uuid="test", parameters=[], labels=[], description=None)
        self.open: set[str] = set()
        self.steps: list[str] = []
        self.files: list[str] = []

    def get_test(self, uuid: None) -> SimpleNamespace:
        return self.test

    def start_step(self, parent: str, uuid: str, step: Any) -> None:
        self.open.add(uuid)
        self.steps.append(step.name)

    def stop_step(self, uuid: str) -> None:
        self.open.remove(uuid)

    def attach_file(self, uuid: str, source: str, **_: object) -> None:
        self.files.append(Path(source).name)


def item_with(listener: object) -> SimpleNamespace:
    manager = SimpleNamespace(get_plugin=lambda name: listener if name == "allure_listener" else None)
    return SimpleNamespace(config=SimpleNamespace(pluginmanager=manager))


def test_without_allure_nothing_happens_and_nothing_is_read(tmp_path: Path, trial: Callable[..., TrialRecord]) -> None:
    attach_run(item_with(None), tmp_path / "nowhere", trial())


def test_nothing_is_left_open(tmp_path: Path, investor_run: Log, trial: Callable[..., TrialRecord]) -> None:
    reporter = Reporter()

    attach_run(item_with(SimpleNamespace(allure_logger=reporter)), investor_run.write(tmp_path), trial())

    assert reporter.steps
    assert not reporter.open


def test_of_several_runs_the_last_has_the_parameters_and_all_have_labels(
    tmp_path: Path, failed_run: Log, judged: Callable[..., TrialRecord], trial: Callable[..., TrialRecord]
) -> None:
    reporter = Reporter()
    item = item_with(SimpleNamespace(allure_logger=reporter))

    attach_run(item, failed_run.write(tmp_path), judged(failed_run))
    attach_run(item, tmp_path, trial(18))

    parameters = [(parameter.name, parameter.value) for parameter in reporter.test.parameters]
    assert [value for name, value in parameters if name == "verdict"] == ["passed"]
    assert len({name for name, _ in parameters}) == len(parameters)
    assert "cause" not in dict(parameters)
    assert [label.value for label in reporter.test.labels if label.name == "verdict"] == ["failed_safe", "passed"]
    assert [label.value for label in reporter.test.labels if label.name == "sop"] == ["gmail_airtable"]


def test_a_trial_that_broke_before_its_log_began_still_says_what_it_was(
    tmp_path: Path, trial: Callable[..., TrialRecord]
) -> None:
    reporter = Reporter()

    attach_run(item_with(SimpleNamespace(allure_logger=reporter)), tmp_path, trial())

    assert "no log of a run" in reporter.steps[0]
    assert {label.name for label in reporter.test.labels} >= {"sop", "verdict"}


def test_no_file_from_outside_the_folder_is_attached(
    tmp_path: Path, investor_run: Log, trial: Callable[..., TrialRecord]
) -> None:
    (tmp_path / "secret.png").write_bytes(b"x")
    investor_run.events = [
        event.model_copy(update={"path": "../secret.png"}) if event.type == "screenshot_taken" else event
        for event in investor_run.events
    ]
    reporter = Reporter()

    attach_run(item_with(SimpleNamespace(allure_logger=reporter)), investor_run.write(tmp_path / "run"), trial())

    assert reporter.files == ["events.jsonl"]
