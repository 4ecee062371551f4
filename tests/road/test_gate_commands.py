"""``sopbench gate`` and ``sopbench baseline``, as somebody calls them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sopbench.cli import main
from sopbench.trials.verdict import Verdict
from tests.trials.stored_runs import keep

POLICY = '[[claims]]\nscenario = "shop"\nreliability = {}\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gate.toml").write_text(POLICY, encoding="utf-8")
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def keep_many(number: int, verdict: Verdict = Verdict.PASSED, first: int = 1, **fields: Any) -> None:
    for trial in range(first, first + number):
        keep(Path("reports/runs"), trial, verdict, **fields)


@pytest.mark.parametrize(
    ("good", "bad", "code", "said"),
    [
        (73, 0, 0, "The gate passes: every claim holds. shop under clean: 73 of 73 trials passed"),
        (9, 2, 1, "The gate fails. shop under clean: 9 of 11 trials passed: too few for 99 %"),
        (3, 0, 2, "The gate is undecided, and takes about"),
    ],
)
@pytest.mark.usefixtures("project")
def test_the_exit_code_is_the_answer(good: int, bad: int, code: int, said: str) -> None:
    keep_many(good)
    keep_many(bad, Verdict.FAILED_SAFE, first=good + 1)

    done = call("gate")

    assert done.exit_code == code
    assert said in " ".join(done.output.split())
    assert "reliability" in done.output


@pytest.mark.usefixtures("project")
def test_the_answer_as_json_has_the_claims_and_what_was_left_out() -> None:
    keep_many(2)
    (keep(Path("reports/runs"), 3) / "trial.json").unlink()

    told = json.loads(call("gate", "--json").stdout)

    assert (told["outcome"], told["exit_code"]) == ("undecided", 2)
    assert [(claim["claim"], claim["outcome"]) for claim in told["claims"]] == [
        ("broken", "undecided"),
        ("reliability", "undecided"),
    ]
    assert told["left_out"] == [
        "1 run never judged (killed, or still running): counted as broken: 20261121-060300-shop-first_day-clean-3"
    ]


@pytest.mark.usefixtures("project")
def test_without_a_trial_it_is_undecided_and_without_records_an_error() -> None:
    nowhere = call("gate")
    Path("reports/runs").mkdir(parents=True)
    empty = call("gate")

    assert (nowhere.exit_code, empty.exit_code) == (2, 2)
    assert "reports/runs: no such folder of runs" in nowhere.output
    assert "no trial was run" in empty.output
    assert "100 %" not in empty.output


def test_the_policy_may_stand_in_pyproject_but_not_in_both(project: Path) -> None:
    keep_many(1)
    table = POLICY.replace("[[claims]]", "[[tool.sopbench.gate.claims]]")
    (project / "pyproject.toml").write_text(f'[project]\nname = "x"\n\n{table}', encoding="utf-8")

    both = call("gate")
    (project / "gate.toml").unlink()
    one = call("gate")
    (project / "pyproject.toml").write_text('[project]\nname = "x"\n', encoding="utf-8")
    none = call("gate")

    assert (both.exit_code, one.exit_code, none.exit_code) == (2, 2, 2)
    assert "both have a policy; keep one of them" in both.output
    assert "1 of 1 trial passed" in one.output
    assert "there is no policy; write a gate.toml" in none.output


@pytest.mark.usefixtures("project")
def test_two_runs_of_one_name_are_refused_and_no_number_is_said() -> None:
    keep_many(1)
    folder = next(Path("reports/runs").iterdir())
    shutil.copytree(folder, folder.with_name("copied"))

    done = call("gate")

    assert done.exit_code == 2
    assert "2 runs are called" in done.output
    assert "%" not in done.output


def test_a_baseline_says_who_moved_it_when_and_why(project: Path) -> None:
    keep_many(3)

    first = call("baseline", "accept", "--because", "the first week")
    keep_many(1, Verdict.FAILED_SAFE, first=4)
    second = call("baseline", "accept", "shop", "--because", "one outage, understood")
    told = json.loads(call("baseline", "show", "--json").stdout)

    assert "shop under clean: 3 of 3 trials passed (100 %)" in first.output
    assert "3 of 4 trials passed (75 %), before 3 of 3 trials passed (100 %)" in second.output
    assert [(each["passed"], each["trials"], each["because"]) for each in told] == [(3, 4, "one outage, understood")]
    assert told[0]["who"]
    assert told[0]["when"].endswith("+00:00")
    assert "one outage, understood" in call("baseline", "show").output
    assert (project / "gate-baseline.json").is_file()


@pytest.mark.usefixtures("project")
def test_a_baseline_needs_a_reason_and_trials() -> None:
    keep_many(1)

    silent = call("baseline", "accept")
    blank = call("baseline", "accept", "--because", " ")
    unknown = call("baseline", "accept", "bank", "--because", "why not")

    assert (silent.exit_code, blank.exit_code, unknown.exit_code) == (2, 2, 2)
    assert "--because" in silent.output
    assert "say why" in blank.output
    assert "no trials of the scenario 'bank'; there is shop" in unknown.output
    assert not Path("gate-baseline.json").exists()


def test_a_fall_from_the_baseline_fails_and_a_baseline_of_another_procedure_decides_nothing(project: Path) -> None:
    (project / "gate.toml").write_text('[[claims]]\nscenario = "shop"\nnot_worse = { drop = 0.2 }\n', encoding="utf-8")
    keep_many(60)
    call("baseline", "accept", "--because", "good")
    shutil.rmtree("reports/runs")
    keep_many(30, Verdict.FAILED_SAFE, sha256="b" * 64)

    fallen = call("gate")
    file = project / "gate-baseline.json"
    file.write_text(file.read_text(encoding="utf-8").replace('"sop": "shop"', '"sop": "bank"'), encoding="utf-8")
    other = call("gate")

    assert fallen.exit_code == 1
    assert other.exit_code == 2
    assert "the baseline is of 'bank', these trials are of 'shop'" in " ".join(other.output.split())
