"""The benchmark of the Allure report measures what it says, on few trials."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.allure import measured, write_results
from sopbench.adapters.allure_tool import find_allure


def test_its_results_have_a_picture_in_every_step(tmp_path: Path) -> None:
    size = write_results(tmp_path, trials=3, steps=4)

    trials = [json.loads(file.read_text("utf-8")) for file in tmp_path.glob("*-result.json")]
    pictures = [step["attachments"][0]["source"] for trial in trials for step in trial["steps"]]
    assert len(trials) == 3
    assert len(set(pictures)) == 12
    assert sum((tmp_path / picture).stat().st_size for picture in pictures) == size > 12 * 20_000


def test_every_trial_and_picture_of_it_is_in_the_report(tmp_path: Path) -> None:
    if find_allure() is None:
        pytest.skip("the Allure command line is not installed: make report-tool")

    told = measured(tmp_path, trials=3, steps=2)

    assert (told["trials"], told["pictures"]) == (3, 6)
    assert told["report_s"] > 0
