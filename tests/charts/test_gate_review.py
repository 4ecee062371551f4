"""The gate's answer and what its policy can do."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopbench.charts import gate_review
from sopbench.charts.gate_review import gate_of
from sopbench.charts.showing import Picture, Words
from sopbench.errors import PolicyInvalid, UsageError
from sopbench.trials.verdict import Verdict
from tests.trials.stored_runs import keep

POLICY = """
[[claims]]
scenario = "shop"
reliability = { p0 = 0.99, p1 = 0.95 }
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    return tmp_path


def test_the_answer_is_the_gates_own(place: Path) -> None:
    (place / "gate.toml").write_text(POLICY, encoding="utf-8")
    for number in range(1, 4):
        keep(place / "runs", number, Verdict.FAILED_SAFE)

    gate = gate_of("runs")

    assert gate.answer.outcome == "fail"
    assert "Policy `gate.toml` says **fail**." in str(gate_review.answer(gate))
    assert "0 of the first 2 trials passed, 0 of all 3: too few for 99 %" in str(gate_review.claims(gate))
    assert isinstance(gate_review.walks(gate), Picture)


def test_without_a_policy_the_default_is_shown_and_nothing_decided(place: Path) -> None:
    gate = gate_of("runs")

    assert "There is no policy here" in str(gate_review.answer(gate))
    assert str(gate_review.claims(gate)) == ""
    assert isinstance(gate_review.walks(gate), Words)
    assert isinstance(gate_review.characteristic(gate), Picture)
    assert isinstance(gate_review.expected_trials(gate), Picture)


def test_the_naive_gate_stands_beside_for_contrast(place: Path) -> None:
    told = str(gate_review.errors(gate_of("runs"))).splitlines()

    assert told[1:] == [
        "99 % against 95 %, sequential | 4.9 % | 5 % | 109 | 68",
        "99 % against 95 %, fixed | 3.6 % | 4.9 % | 181 | 181",
        "naive: fail under 95 % of 20 | 1.7 % | 73.6 % | 20 | 20",
    ]


def test_a_policy_that_cannot_be_read_is_an_error(place: Path) -> None:
    (place / "gate.toml").write_text("[[claims]]\n", encoding="utf-8")

    with pytest.raises(PolicyInvalid):
        gate_of("runs")


def test_no_folder_is_an_error(place: Path) -> None:
    with pytest.raises(UsageError, match="no such folder of runs"):
        gate_of("nowhere")
