"""Wrong use: one clear error, an exit code other than 0, nothing half-written.

The command is called within this process; that it ends likewise as a process of its own is shown once.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sopbench.cli import main

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = "scenarios/gmail_airtable/gmail_airtable.sop.json"
EMPTY_DAY = "fixtures/cases/empty_day"


def call(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("GMAIL_", "PYTEST_"))}
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True, text=True, timeout=120, check=False, cwd=ROOT, env=environment | env,
    )  # fmt: skip


@pytest.fixture
def sopbench(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The command, called in the checkout without anything in the environment."""
    monkeypatch.chdir(ROOT)
    for name in [name for name in os.environ if name.startswith("GMAIL_")]:
        monkeypatch.delenv(name)

    def invoke(*arguments: str) -> Result:
        done = CliRunner().invoke(main, arguments)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done

    return invoke


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "variable 'gmail_email' comes from the environment: set GMAIL_EMAIL"),
        (["--site", "mock", "--case", "fixtures/nowhere"], "not a case folder: it has no case.toml"),
        (["--site", "mock", "--case", EMPTY_DAY, "--autonomy", "deterministic"], "these nodes need one: 'L1_D3"),
        (["--site", "mock", "--case", EMPTY_DAY, "--limit", "run_s=soon"], "--limit run_s=soon: not a number"),
        (["--site", "mock", "--case", EMPTY_DAY, "--limit", "speed=3"], "there are find_s, attempts"),
        (["--site", "mock", "--case", EMPTY_DAY, "--var", "qerry=x"], "did you mean 'query'?"),
        (["--site", "mock", "--case", EMPTY_DAY, "--operator", "nobody"], "there is no operator 'nobody'"),
    ],
)
def test_a_run_that_cannot_be_done_says_so_in_one_line_and_leaves_nothing(
    sopbench: Callable[..., Result], tmp_path: Path, options: list[str], message: str
) -> None:
    done = sopbench("run", DOCUMENT, "--records", str(tmp_path / "runs"), *options)

    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "runs").exists()


def test_as_a_process_it_says_one_line_without_a_traceback(tmp_path: Path) -> None:
    options = ["--site", "mock", "--case", EMPTY_DAY, "--browser-executable", "/nowhere"]

    done = call("-m", "sopbench.cli", "run", DOCUMENT, "--records", str(tmp_path / "runs"), *options)

    assert done.returncode == 2
    assert "no browser at /nowhere" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "runs").exists()


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def test_a_taken_port_is_named(sopbench: Callable[..., Result], tmp_path: Path, taken_port: int) -> None:
    options = ["--site", "mock", "--case", EMPTY_DAY, "--site-port", str(taken_port), "--records", str(tmp_path / "r")]

    done = sopbench("run", DOCUMENT, *options)

    assert done.exit_code == 2
    assert f"port {taken_port} is taken" in done.stderr
    assert not (tmp_path / "r").exists()


def test_an_unreadable_mailbox_is_named_before_a_browser_opens(sopbench: Callable[..., Result], tmp_path: Path) -> None:
    day = shutil.copytree(ROOT / EMPTY_DAY, tmp_path / "day")
    (day / "mailbox" / "99-no-mail.eml").write_bytes(b"\x00\x01 nothing like a mail")

    done = sopbench("run", DOCUMENT, "--site", "mock", "--case", str(day), "--records", str(tmp_path / "runs"))

    assert done.exit_code == 2
    assert "99-no-mail.eml: not a mail" in done.stderr
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"edges": [', '"edges": [,'), ":"),
        (('"do": "fill"', '"dot": "fill"'), "do"),
        (('"target": "D1_signed_in"', '"target": "D1_singed_in"'), "did you mean 'D1_signed_in'?"),
        (("{{ query }}", "{{ qerry }}"), "did you mean 'query'?"),
    ],
)
def test_a_broken_document_is_refused_with_its_place(
    sopbench: Callable[..., Result], tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    text = (ROOT / DOCUMENT).read_text(encoding="utf-8")
    assert change[0] in text
    broken = tmp_path / "broken.sop.json"
    broken.write_text(text.replace(*change, 1), encoding="utf-8")

    checked = sopbench("validate", str(broken))
    done = sopbench("run", str(broken), "--site", "mock", "--case", EMPTY_DAY, "--records", str(tmp_path / "runs"))

    assert checked.exit_code == 1
    assert "broken.sop.json:" in checked.stdout
    assert message in checked.stdout
    assert done.exit_code == 1
    assert "broken.sop.json:" in done.stderr
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("options", "message", "code"),
    [
        (["--case", "fixtures/nowhere"], "fixtures/nowhere: not a case folder: it has no case.toml", 2),
        (["--trials", "none"], "--trials none: not a whole number of at least 1", 2),
        (["--condition", "stormy"], "there is no condition 'stormy'; see `sopbench conditions`", 2),
        (["--case", EMPTY_DAY, "--trials", "1", "--browser-executable", "/nowhere"], "no browser at /nowhere", 1),
        (["--case", EMPTY_DAY, "--trials", "1", "--site", "real"], "set GMAIL_EMAIL", 1),
        (["--case", EMPTY_DAY, "--trials", "1", "--autonomy", "deterministic"], "these nodes need one", 1),
    ],
)
def test_pytest_tells_wrong_use_without_a_traceback(
    tmp_path: Path, options: list[str], message: str, code: int
) -> None:
    whole = ["-m", "pytest", "scenarios/gmail_airtable", "-k", "reaches", "--records", str(tmp_path)]

    done = call(*whole, *options)

    assert done.returncode == code
    assert message in done.stdout
    assert "sopbench/" not in done.stdout


def test_trials_are_items_named_by_case_condition_and_number() -> None:
    done = call("-m", "pytest", "scenarios/gmail_airtable", "--collect-only", "-q", "--trials", "2", "-k", "short_day")

    assert done.returncode == 0
    items = [line.split("::")[1] for line in done.stdout.splitlines() if "::" in line]
    assert "test_investor_mail_reaches_the_crm[short_day-clean-1]" in items
    assert "test_investor_mail_reaches_the_crm[short_day-clean-2]" in items
