"""The figures of a scenario under faults: what the tables say, and where they go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.faults import VERDICTS, conditions, figures, totals
from benchmarks.readme import END, begin, put
from sopbench.trials.verdict import Verdict

from .test_causes import SIGN_IN, keep


def row(condition: str, *, recoverable: bool = True, cause: str = "target", **counts: int) -> dict[str, Any]:
    return {
        "condition": condition, "recoverable": recoverable, "true_causes": [cause], "untouched": 0,
        "counts": {**dict.fromkeys(VERDICTS, 0), **counts},
    }  # fmt: skip


MATRIX = {
    "rows": [
        row("renamed", clean=3, recovered=6, failed_silent=1),
        row("signed-out", cause="session", recovered=2),
        row("removed", recoverable=False, failed_safe=4),
    ]
}


def test_what_a_careful_person_gets_through_is_counted_apart_from_where_they_stop() -> None:
    gets_through, stops = totals(MATRIX)[2:]

    assert gets_through == "| gets through | 12 | 91.7% (64.6% – 98.5%) | 3 | 8 | 0 | 0 | 1 | 0 | 0 |"
    assert stops == "| stops | 4 | 0.0% (0.0% – 49.0%) | 0 | 0 | 0 | 4 | 0 | 0 | 0 |"


def test_each_condition_tells_what_it_was_put_down_to() -> None:
    lines = conditions(MATRIX, {"renamed": {"target": 5, "timing": 2}})

    assert "| `renamed` | target | 3 | 6 |  |  | target 5, timing 2 |" in lines
    assert "| `removed` (stops) | target |  |  | 4 |  |  |" in lines


def test_the_tables_are_put_between_the_marks(tmp_path: Path) -> None:
    singles, replays, readme = (tmp_path / name for name in ("singles.json", "replays.jsonl", "README.md"))
    singles.write_text(json.dumps(MATRIX))
    replays.write_text(
        json.dumps({"run": "a", "condition": "removed", "verdict": "failed_safe", "answer": "same"}) + "\n"
    )
    readme.write_text(f"# Before\n{begin('faults')}old figures\n{END}After\n")
    keep(tmp_path, "signed-out", "session", facts=SIGN_IN)
    keep(tmp_path, "removed", "target")
    keep(tmp_path, "renamed", "data", verdict=Verdict.FAILED_SILENT)

    put(readme, "faults", "\n".join(figures(singles, [tmp_path], singles, replays)) + "\n")

    told = readme.read_text()
    assert told.startswith(f"# Before\n{begin('faults')}One fault at a time:\n")
    assert told.endswith(f"{END}After\n")
    assert "old figures" not in told
    assert "| session |  | 1 |" in told
    assert "Right: 66.7% (20.8% – 93.9%), 2 of 3." in told
    assert "event by event: 100.0% (20.7% – 100.0%), 1 of 1; 3 had failed." in told


def test_a_readme_without_marks_is_left_as_it_is(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("# No place\n")

    with pytest.raises(ValueError, match="no lines '<!-- figures of"):
        put(readme, "faults", "x")

    assert readme.read_text() == "# No place\n"
