"""``sopbench matrix``, ``replay`` and ``bisect``, as somebody calls them; their trials are held by a real pytest."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sopbench.cli import main
from sopbench.trial_runs import stored_record

from .shop_scenario import build

GREYED_AND_LATE = """
title = "The button cannot be used, and answers are late"
recoverable = false

[[faults]]
fault = "page.disabled"
label = "Save"
ms = 2000

[[faults]]
fault = "network.latency"
delay_s = [0.01, 0.05]
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The scenario, before anything was tried; its folder is that of the project."""
    monkeypatch.chdir(tmp_path)
    return build(tmp_path)


class Tried:
    """The scenario with two runs: one clean, one under the afternoon's faults."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.scenario = build(root)
        self.records = root / "reports" / "runs"
        options = ["--condition=clean,afternoon", "--trials=1", f"--records={self.records}", "-p", "no:cacheprovider"]
        held = subprocess.run([sys.executable, "-m", "pytest", *options], cwd=root, check=False, capture_output=True)
        assert held.returncode == 1, held.stdout  # that of the afternoon fails

    def run(self, condition: str) -> Path:
        return next(self.records.glob(f"*-{condition}-1"))

    @contextmanager
    def with_gone(self) -> Iterator[None]:
        """While the block lasts the button is not there."""
        mark = self.scenario / "gone"
        mark.touch()
        try:
            yield
        finally:
            mark.unlink()


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Tried:
    return Tried(tmp_path_factory.mktemp("tried"))


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_a_matrix_counts_the_trials_that_are_stored_and_holds_only_those_that_are_missing(
    tried: Tried, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = shutil.copytree(tried.records, tmp_path / "runs")
    monkeypatch.chdir(tried.root)
    places = ["--records", str(records), "--out", str(tmp_path / "matrix")]

    done = call("matrix", "shop", "--trials", "2", "--condition", "clean,afternoon", *places, "--json")

    counts = {row["condition"]: row["counts"] for row in json.loads(done.stdout)["rows"]}
    assert done.exit_code == 1, done.output
    assert (len(list(tried.records.iterdir())), len(list(records.iterdir()))) == (2, 4)
    assert (counts["clean"]["clean"], counts["afternoon"]["failed_safe"]) == (2, 2)
    assert json.loads((tmp_path / "matrix" / "shop.json").read_text())["totals"]["failed_safe"] == 2
    assert "src=" not in (tmp_path / "matrix" / "shop.html").read_text()


@pytest.mark.usefixtures("shop")
def test_a_matrix_that_only_counts_holds_nothing_and_says_what_is_missing() -> None:
    done = call("matrix", "shop", "--trials", "2", "--condition", "clean", "--count-only")

    assert done.exit_code == 2
    assert "2 trials missing" in done.output
    assert list(Path("reports/runs").iterdir()) == []


@pytest.mark.usefixtures("shop")
def test_pairs_are_drawn_from_the_single_faults_that_the_scenario_allows() -> None:
    done = call("matrix", "shop", "--trials", "1", "--pairs", "3", "--count-only", "--json")

    rows = [row["condition"].split("+") for row in json.loads(done.stdout)["rows"]]
    assert [len(set(row)) for row in rows] == [2, 2, 2]
    assert not {"signed-out", "clean"} & {name for row in rows for name in row}  # no mock site here


def test_a_trial_that_is_held_again_and_goes_the_same_way_is_the_same(tried: Tried) -> None:
    done = call("replay", str(tried.run("afternoon")))

    assert done.exit_code == 0, done.output
    assert "the same happened" in done.output
    assert len(list(tried.records.iterdir())) == 2


def test_the_first_event_that_goes_another_way_is_shown_and_that_another_sopbench_held_it(
    tried: Tried, tmp_path: Path
) -> None:
    folder = shutil.copytree(tried.run("clean"), tmp_path / "run")
    record = json.loads((folder / "trial.json").read_text("utf-8"))
    record["held"]["version"] = "0.0.1"
    (folder / "trial.json").write_text(json.dumps(record), "utf-8")

    with tried.with_gone():
        done = call("replay", str(folder), "--json")

    told = json.loads(done.stdout)
    assert told["sopbench"]["same"] is False
    assert (told["sopbench"]["before"]["version"], told["sopbench"]["now"]["version"]) == ("0.0.1", version("sopbench"))
    kinds = [told["difference"][which]["type"] for which in ("one", "other")]
    assert done.exit_code == 1
    assert told["verdicts"] == ["passed (clean)", "failed_safe"]
    assert kinds == ["action_finished", "action_failed"]


def test_a_trial_of_another_document_cannot_be_held_again(tried: Tried) -> None:
    document = tried.scenario / "shop.sop.json"
    before = document.read_bytes()
    document.write_bytes(before.replace(b"1.0.0", b"1.0.1"))

    done = call("replay", str(tried.run("clean")))

    document.write_bytes(before)
    assert done.exit_code == 2
    assert "shop.sop.json has changed" in done.output


def test_the_faults_that_make_it_fail_are_found_with_their_parameters(tried: Tried) -> None:
    done = call("bisect", str(tried.run("afternoon")), "--json")

    told = json.loads(done.stdout)
    assert done.exit_code == 0, done.output
    assert [fault["fault"] for fault in told["faults"]] == ["page.removed", "page.renamed"]
    assert told["faults"][0]["when"] == {"probability": 0.5}
    assert told["faults"][1]["site"] == "shop.test"


def test_a_condition_of_a_scenario_is_tried_first_and_its_harmless_fault_is_not_named(
    tried: Tried, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("greyed.toml").write_text(GREYED_AND_LATE, "utf-8")

    done = call("bisect", str(tried.scenario), "--condition", "greyed.toml")

    assert done.exit_code == 0, done.output
    assert done.output.splitlines() == [
        "  1  failed_safe     page.disabled, network.latency",
        "  2  passed          no fault",
        "  3  failed_safe     page.disabled",
        "1 of 2 faults make it fail, found in 3 trials:",
        '  page.disabled  {"kind": "control", "label": "Save", "role": "", "ms": 2000}',
    ]


def test_what_fails_without_a_fault_is_not_the_faults_doing(tried: Tried) -> None:
    with tried.with_gone():
        done = call("bisect", str(tried.run("afternoon")))

    assert done.exit_code == 2
    assert "fails without any fault" in done.output


def test_a_record_says_how_its_trial_was_held(tried: Tried) -> None:
    record = stored_record(tried.run("afternoon"))

    assert record.held is not None
    assert record.held.test == "shop/test_shop.py::test_it_is_saved"
    assert "--autonomy=light" in record.held.options
    assert (record.held.version, len(record.held.engine)) == (version("sopbench"), 64)
    assert {Path(name).name: bool(sha) for name, sha in record.held.sources.items()} == {
        "shop.sop.json": True,
        "default": False,
        "default.json": False,
    }
    assert [fault.place for fault in record.faults] == [0, 1, 2]
