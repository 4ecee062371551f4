"""``sopbench dashboard`` and ``site``, from stored runs to pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sopbench.cli import main
from sopbench.events.types import StepFinished, StepStarted
from sopbench.reliability.answers import Answer
from sopbench.sop.loader import load
from sopbench.trials.verdict import Verdict
from tests.road.test_coverage_command import DOCUMENT
from tests.trials.stored_runs import keep

RECORDS = Path("reports/runs")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SOPBENCH_STORE", raising=False)
    RECORDS.mkdir(parents=True)
    Path("shop.sop.json").write_text(DOCUMENT, encoding="utf-8")
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def bought(number: int, verdict: Verdict = Verdict.PASSED) -> None:
    events = (
        StepStarted(step=1, node="open", kind="decision", label="Open?"),
        StepFinished(step=1, node="open", condition="yes", tier="exact", attempts=1, duration_s=1),
        StepStarted(step=2, node="bought", kind="end", label="Bought"),
        StepFinished(step=2, node="bought", condition="next", tier="exact", attempts=1, duration_s=0),
    )
    keep(RECORDS, number, verdict, events=events, sha256=load(Path("shop.sop.json")).sha256)


def test_with_no_run_there_is_a_page_all_the_same() -> None:
    done = call("dashboard")

    assert done.exit_code == 0, done.output
    assert (
        done.output == "reports/dashboard/index.html: 0 trials of 0 scenarios, 0 silent failures, 0 harmful failures\n"
    )
    assert "No trials yet" in Path("reports/dashboard/index.html").read_text("utf-8")


def test_one_run_is_enough_for_a_page_with_its_coverage() -> None:
    bought(1)

    done = call("dashboard", "--json")

    told = json.loads(done.output)
    page = Path(told["page"]).read_text("utf-8")
    assert done.exit_code == 0
    assert (told["trials"], told["scenarios"][0]["rate"]["hits"]) == (1, 1)
    assert told["scenarios"][0]["untried"] == ["open → no", "closed"]
    assert "yes · 1" in page
    assert "no · never" in page


def test_a_document_that_was_changed_since_has_no_coverage() -> None:
    bought(1)
    Path("shop.sop.json").write_text(DOCUMENT.replace("Shop", "Store"), encoding="utf-8")

    done = call("dashboard", "--json")

    assert json.loads(done.output)["scenarios"][0]["untried"] is None
    assert "shop.sop.json is not the version that ran last" in Path("reports/dashboard/index.html").read_text("utf-8")


def test_silent_failures_are_said_in_the_terminal_too() -> None:
    bought(1)
    bought(2, Verdict.FAILED_SILENT)

    done = call("dashboard")

    assert done.output.endswith("2 trials of 1 scenario, 1 silent failure, 0 harmful failures\n")


def test_what_cannot_be_judged_counts_as_broken_and_is_said() -> None:
    bought(1)
    bought(2)
    log = next(RECORDS.glob("*-2")) / "events.jsonl"
    log.write_bytes(log.read_bytes()[:-40])

    done = call("dashboard", "--json")

    told = json.loads(done.output)
    assert told["scenarios"][0]["rate"]["of"] == 1
    assert told["excluded"] == {"with a log that is cut off: counted as broken": 1}


def test_the_gates_last_answer_is_taken_from_where_it_lies() -> None:
    bought(1)
    Path("reports/gate.json").write_text(
        Answer(outcome="pass", text="All hold.", claims=(), more_trials=0).model_dump_json(), encoding="utf-8"
    )

    done = call("dashboard", "--json")

    assert json.loads(done.output)["gate"] == "pass"
    assert "All hold." in Path("reports/dashboard/index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("dashboard", "--records", "nowhere"), "nowhere: no such folder of runs"),
        (("dashboard", "--gate", "shop.sop.json"), "shop.sop.json: no answer of a gate"),
        (("report",), "reports/allure-results: no results of Allure"),
    ],
)
def test_what_cannot_be_told_is_said_and_the_exit_code_is_2(arguments: tuple[str, ...], says: str) -> None:
    done = call(*arguments)

    assert done.exit_code == 2
    assert says in done.output


def test_the_site_leads_to_what_is_there_and_says_what_is_not() -> None:
    call("dashboard")
    notebooks = Path("reports/notebooks")
    notebooks.mkdir()
    for name in ("cost", "failure_rates"):
        (notebooks / f"{name}.html").write_text("<html></html>", encoding="utf-8")
    Path("reports/gate.json").write_text(
        Answer(outcome="undecided", text="5 < 73 trials.", claims=(), more_trials=68).model_dump_json(),
        encoding="utf-8",
    )

    done = call("site")

    page = Path("reports/index.html").read_text("utf-8")
    assert done.output == "reports/index.html: 3 reports\n"
    for link in ("dashboard/index.html", "notebooks/cost.html", "notebooks/failure_rates.html"):
        assert f'href="{link}"' in page
    assert "Not made: matrix, Allure report." in page
    assert "5 &lt; 73 trials." in page


def test_without_an_answer_of_the_gate_the_site_says_so() -> None:
    Path("reports/gate.json").write_text("", encoding="utf-8")

    done = call("site", "--json")

    assert json.loads(done.output) == {"page": "reports/index.html", "reports": []}
    assert "No answer: it was not asked, or could not tell." in Path("reports/index.html").read_text("utf-8")
