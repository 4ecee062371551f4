"""The whole road, as a user walks it: the shipped procedure on the mock sites, from the document to the verdict."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page

from sopbench import wiring
from sopbench.events.log import LOG_NAME, read_log, timeless
from sopbench.events.masking import MASK
from sopbench.events.types import AnyEvent
from sopbench.records.figures import figures
from sopbench.records.folder import STRIKES_NAME, read_trial
from sopbench.single_run import run_once, sign_in
from sopbench.sites.host import SiteHost
from sopbench.trials.case import SiteCase, load_case
from sopbench.trials.verdict import Verdict
from sopbench.wiring import Settings

from .canaries import kept, leaks, tokens

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "scenarios" / "gmail_airtable" / "gmail_airtable.sop.json"
SHORT_DAY = ROOT / "fixtures" / "cases" / "short_day"


def case() -> SiteCase:
    loaded = load_case(SHORT_DAY)
    assert isinstance(loaded, SiteCase)
    return loaded


def say_nothing(_: str) -> None:
    """Nobody listens."""


async def run(records: Path, seed: int = 0, **settings: object) -> tuple[Path, list[AnyEvent]]:
    options = Settings(site="mock", records=records, **settings)  # type: ignore[arg-type]
    done = await run_once(DOCUMENT, options, SHORT_DAY, seed, say_nothing)
    assert done.record is not None
    assert done.record.judgement.verdict is Verdict.PASSED, done.record.judgement
    return Path(done.folder), read_log(Path(done.folder))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def passed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[AnyEvent]]:
    """One run that passed, for the tests that only look at what it left."""
    return await run(tmp_path_factory.mktemp("passed"), seed=7)


async def test_the_same_seed_gives_the_same_log_times_apart(
    passed: tuple[Path, list[AnyEvent]], tmp_path: Path
) -> None:
    _, first = passed

    _, second = await run(tmp_path, seed=7)

    assert timeless(first) == timeless(second)


def test_a_clean_pass_keeps_pictures_and_no_trace(passed: tuple[Path, list[AnyEvent]]) -> None:
    folder, events = passed

    pictures = [event.path for event in events if event.type == "screenshot_taken"]
    assert pictures
    assert all((folder / picture).stat().st_size > 1000 for picture in pictures)
    assert not (folder / "trace.zip").exists()


ROUGH = """
title = "Rough"

[[faults]]
fault = "browser.tab_crash"
when = { once = true, between = [5, 40] }
"""


def test_no_planted_canary_is_in_anything_a_session_leaves_behind(tmp_path: Path) -> None:
    """Password, token and sign-in cookies of the sites, and a secret of the environment that no step names.

    The tab crashes once and the run begins again, with a trace: it leaves all that a session can leave.
    """
    (tmp_path / "rough.toml").write_text(ROUGH, "utf-8")
    planted = "canary-7f3a91d2"
    command = [sys.executable, "-m", "pytest", str(DOCUMENT.parent), "-k", "short_day and reaches", "--trials", "1"]
    command += ["--records", str(tmp_path / "runs"), "--alluredir", str(tmp_path / "allure"), "--tracing", "on"]
    command += ["--condition", str(tmp_path / "rough.toml")]
    env = {**os.environ, "CANARY": planted}

    done = subprocess.run([*command, "-p", "no:cacheprovider"], cwd=ROOT, env=env, capture_output=True, check=False)

    files = kept(tmp_path) | {"output": done.stdout}
    day = case()
    passing, *cookies = tokens(tmp_path, day)
    traced = [content for name, content in files.items() if ".zip:" in name]
    assert traced, done.stdout[-2000:]
    assert any(passing.encode() in content for content in traced), "these are not the trial's tokens"
    assert any(_has_masked(log) for log in tmp_path.rglob(LOG_NAME)), done.stdout[-2000:]
    assert any(tmp_path.rglob(STRIKES_NAME)), "the tab did not crash"
    assert leaks(files, [planted, day.account.password, day.base.token, *cookies]) == []


def _has_masked(log: Path) -> bool:
    return any(event.type == "action_started" and MASK in str(event.arguments) for event in read_log(log.parent))


async def test_a_run_that_fails_keeps_its_trace_and_does_no_harm(tmp_path: Path) -> None:
    options = Settings(site="mock", records=tmp_path, limits={"steps": 12})

    done = await run_once(DOCUMENT, options, SHORT_DAY, 0, say_nothing)

    assert done.record is not None
    assert done.record.judgement.verdict is Verdict.FAILED_SAFE
    assert done.record.judgement.cause == "limit"
    assert (Path(done.folder) / "trace.zip").stat().st_size > 1000


async def test_real_addresses_and_a_saved_sign_in_need_no_mapping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = case()
    monkeypatch.setenv("SOPBENCH_LOGINS", str(tmp_path / "logins"))
    monkeypatch.setenv("GMAIL_EMAIL", day.account.email)
    monkeypatch.setenv("GMAIL_PASSWORD", "not needed: already signed in")
    monkeypatch.setenv("AIRTABLE_TOKEN", day.base.token)
    with SiteHost() as host:
        host.mount(wiring.mock_sites(None, day, 1))
        gmail, airtable = host.plain_url("gmail"), host.plain_url("airtable")
        monkeypatch.setenv("AIRTABLE_API_URL", airtable)
        table = day.tables["Investors"]
        settings = Settings(
            site="real",
            records=tmp_path / "runs",
            variables={
                "gmail_url": f"{gmail}/mail/u/0/#inbox",
                "airtable_url": f"{airtable}/{day.base.id}/{table.id}/{table.view}",
                "airtable_form_url": f"{airtable}/{day.base.id}/{table.form}/form",
                "airtable_records_url": f"{airtable}/v0/{day.base.id}/{table.id}",
            },
        )

        async def signed_in(page: Page) -> None:
            await page.get_by_label("Email or phone").fill(day.account.email)
            await page.get_by_role("button", name="Next").click()
            await page.get_by_label("Enter your password").fill(day.account.password)
            await page.get_by_role("button", name="Next").click()
            await page.get_by_role("textbox", name="Search mail").wait_for()

        kept = await sign_in("gmail", f"{gmail}/mail/u/0/", settings, signed_in)
        done = await run_once(DOCUMENT, settings, SHORT_DAY, 0, say_nothing)

    assert kept.stat().st_mode & 0o077 == 0
    assert done.record is not None
    assert done.record.judgement.verdict is Verdict.PASSED, done.record.judgement
    visited = [event.node for event in read_log(Path(done.folder)) if event.type == "step_started"]
    assert "T2_sign_in" not in visited


def test_a_killed_run_is_readable_to_its_last_event_and_the_next_one_starts_clean(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sopbench.cli", "run", str(DOCUMENT), "--site", "mock", "--case", str(SHORT_DAY)]
    command += ["--records", str(tmp_path), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    log = _log_with(tmp_path, "iteration_started")

    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    events = read_log(log)
    assert events[0].type == "run_started"
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert figures(events).status == "killed"
    assert read_trial(log.parent) is None
    again = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["record"]["judgement"]["verdict"] == "passed"


def _log_with(records: Path, kind: str) -> Path:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for log in records.glob("*/events.jsonl"):
            if f'"{kind}"' in log.read_text(encoding="utf-8"):
                return log
        time.sleep(0.05)
    raise AssertionError(f"no run got as far as {kind}")
