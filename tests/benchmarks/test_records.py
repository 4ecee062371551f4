"""The benchmark of the store: what it makes is read back whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks import records as benchmark
from sopbench.trials.loading import load_runs

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_made_runs_are_read_back_with_all_their_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "BATCH", 40)

    wrote = benchmark.make_store(tmp_path, 100)
    frames = load_runs(tmp_path)

    assert wrote["batches"] == 3
    assert len(frames.runs) == 100
    assert len(frames.steps) == 2_000
    assert len(frames.model_calls) == 200
    assert frames.excluded.empty


def test_the_same_runs_are_made_each_time() -> None:
    one, other = benchmark.made(0, 10), benchmark.made(0, 10)

    assert all(one[name].equals(other[name]) for name in one)
