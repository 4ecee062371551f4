"""The tasks of MiniWoB++: every one is taken or left with a reason, and what is taken is well made."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from sopbench.sop.loader import load

SCENARIO = Path(__file__).parents[2] / "scenarios" / "miniwob"
TASKS = sorted(folder.name for folder in (SCENARIO / "tasks").iterdir())
THERE = {page.name.removesuffix(".html") for page in (files("miniwob") / "html" / "miniwob").iterdir()}


def named_under(heading: str) -> set[str]:
    """Tasks that the README names in one of its sections."""
    text = (SCENARIO / "README.md").read_text(encoding="utf-8")
    section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return set(re.findall(r"`([\w-]+)`", section)) & THERE


def test_the_readme_names_the_tasks_that_are_taken() -> None:
    assert named_under("Tasks taken") == set(TASKS)


def test_the_readme_says_why_each_other_task_is_left() -> None:
    assert named_under("Tasks left") == THERE - set(TASKS)


@pytest.mark.parametrize("task", TASKS)
def test_a_procedure_is_complete_and_leaves_nothing_to_complain_of(task: str) -> None:
    loaded = load(SCENARIO / "tasks" / task / f"{task}.sop.json")

    assert not loaded.problems


@pytest.mark.parametrize("task", TASKS)
def test_a_procedure_knows_nothing_but_its_address(task: str) -> None:
    sop = load(SCENARIO / "tasks" / task / f"{task}.sop.json").sop

    given = {name for name, variable in sop.public.variables.items() if getattr(variable, "default", None) is None}
    assert given == {"address"}
