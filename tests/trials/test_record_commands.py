"""``sopbench records``: sync, export, prune."""

from __future__ import annotations

import csv
import importlib
import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sopbench.cli import main
from sopbench.errors import UsageError
from sopbench.extras import needing
from sopbench.records.pruning import Rule
from sopbench.trials.loading import load_runs
from sopbench.trials.pruning import prune_runs
from sopbench.trials.verdict import Verdict

from .stored_runs import MORNING, keep


def called(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["records", *map(str, arguments)])


@pytest.fixture
def records(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    for number, verdict in enumerate((Verdict.PASSED, Verdict.PASSED, Verdict.FAILED_SAFE), start=1):
        run = keep(folder, number, verdict)
        (run / "screenshots").mkdir()
        (run / "screenshots" / "1.jpg").write_bytes(b"1" * 1000)
    return folder


def test_sync_says_what_it_took_in(records: Path) -> None:
    first, second = (called("sync", "--records", records, "--json") for _ in range(2))

    assert (first.exit_code, second.exit_code) == (0, 0)
    assert json.loads(first.output) == {"store": str(records / ".store"), "added": 3, "still_open": 0}
    assert json.loads(second.output)["added"] == 0


def test_sync_afresh_takes_all_in_again(records: Path) -> None:
    called("sync", "--records", records)

    assert called("sync", "--records", records, "--afresh").output.startswith("3 new in")


def test_no_folder_could_not_be_told(tmp_path: Path) -> None:
    result = called("sync", "--records", tmp_path / "nowhere")

    assert result.exit_code == 2
    assert "no such folder of runs" in result.output


def test_export_writes_a_file_for_each_table(records: Path, tmp_path: Path) -> None:
    result = called("export", "--records", records, "-o", tmp_path / "out", "--table", "runs", "--table", "days")

    assert result.exit_code == 0
    with (tmp_path / "out" / "runs.csv").open(encoding="utf-8") as file:
        assert [row["verdict"] for row in csv.DictReader(file)] == ["passed", "passed", "failed_safe"]
    assert (tmp_path / "out" / "days.csv").exists()


def test_export_as_parquet(records: Path, tmp_path: Path) -> None:
    result = called("export", "--records", records, "-o", tmp_path / "out", "--format", "parquet", "--json")

    assert {each["table"]: each["rows"] for each in json.loads(result.output)}["runs"] == 3
    assert (tmp_path / "out" / "steps.parquet").exists()


def test_prune_takes_pictures_of_passes_and_keeps_those_of_failures(records: Path) -> None:
    result = called("prune", "--records", records, "--keep-days", "0", "--json")

    told = json.loads(result.output)
    assert [each["verdict"] for each in told["pruned"]] == ["passed", "passed"]
    assert [each.parent.name[-1] for each in records.glob("*/screenshots")] == ["3"]
    assert len(list(records.glob("*/events.jsonl"))) == 3


def test_rows_survive_the_folders_of_their_runs(records: Path) -> None:
    result = called("prune", "--records", records, "--keep-days", "0", "--whole")

    assert "removed: 2 folders of runs" in result.output
    assert len(list(records.glob("2026*"))) == 1
    assert list(load_runs(records).runs["verdict"]) == ["passed", "passed", "failed_safe"]


def test_prune_leaves_alone_what_was_not_judged(records: Path) -> None:
    running = keep(records, 9, Verdict.PASSED)
    (running / "trial.json").unlink()

    pruned = prune_runs(
        records, Rule(keep_days=0, keep_failures_days=0), whole=True, now=MORNING + timedelta(minutes=30)
    )

    assert len(pruned) == 3
    assert [each.name for each in records.glob("2026*")] == [running.name]


def test_prune_without_a_rule_could_not_be_told(records: Path) -> None:
    assert called("prune", "--records", records).exit_code == 2


def test_what_only_some_need_is_not_loaded_for_all() -> None:
    told = "import sys, sopbench.cli; print({'pandas', 'duckdb', 'sqlalchemy', 'matplotlib'} & set(sys.modules))"

    loaded = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout

    assert loaded.strip() == "set()"


def test_what_is_not_installed_is_said_with_the_extra_that_brings_it() -> None:
    said = r"no_such_package is not installed: pip install 'sopbench\[records\]'"

    with pytest.raises(UsageError, match=said), needing("records"):
        importlib.import_module("no_such_package")
