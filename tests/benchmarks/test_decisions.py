"""The published figures of the investor decision are those of the recorded answers."""

from __future__ import annotations

import pytest

from benchmarks.decisions import FOLDER, Taken, figures, tables, version_1, version_now
from benchmarks.readme import END, begin
from sopbench.trials.decision_cases import load_decisions
from sopbench.wiring import Settings


def taken(expected: str, branch: str, how: str = "quoted") -> Taken:
    return Taken("case", "plain", expected, branch, "choice", how, "high")


def test_being_unsure_counts_by_the_branch_that_is_taken_and_apart() -> None:
    told = figures([taken("yes", "yes"), taken("no", "yes"), taken("no", "no", "unsure"), taken("yes", "no", "unsure")])

    assert (told["mails"], told["right"], told["sure"], told["right_of_sure"]) == (4, 2, 2, 1)
    assert told["confusion"] == {"no → unsure": 1, "no → yes": 1, "yes → unsure": 1, "yes → yes": 1}
    assert told["confidence"] == {"high": [1, 2]}
    assert (told["low"], told["high"]) == pytest.approx((0.15, 0.85), abs=0.01)


async def test_the_readme_says_what_the_recorded_answers_say() -> None:
    cases = load_decisions(FOLDER)
    readme = (FOLDER / "README.md").read_text("utf-8")

    versions = {"v1": await version_1(cases, Settings()), "v2": await version_now(cases)}

    assert begin("decisions") + tables(versions) + END in readme
