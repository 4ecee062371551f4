"""A trial: one run with its two witnesses, kept in a folder of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sopbench.engine.run import Engine
from sopbench.errors import BrowserMissing, SiteError
from sopbench.events.log import read_log
from sopbench.events.masking import MASK, Masker
from sopbench.records.folder import read_trial
from sopbench.sop.document import Limits
from sopbench.sop.loader import load
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.clock import FakeClock
from sopbench.testing.model import FakeModel
from sopbench.testing.operator import FakeOperator
from sopbench.testing.page import Element
from sopbench.trials.case import Case
from sopbench.trials.record import TrialRecord
from sopbench.trials.trial import Trial, TrialSpec
from sopbench.trials.verdict import Grade, Outcome, Verdict

MakeTrial = Callable[..., Trial]


@dataclass
class Session:
    browser: FakeBrowser
    keep_trace: bool = True


class Sites:
    """Stands in for all sites and their oracle."""

    def __init__(self) -> None:
        self.there = Outcome()
        self.is_down = False

    def outcome(self) -> Outcome:
        if self.is_down:
            raise SiteError("the site is down")
        return self.there


class Bench:
    """Everything around a trial."""

    def __init__(self, tmp_path: Path) -> None:
        self.sites = Sites()
        self.records = tmp_path / "runs"
        self.browser = FakeBrowser([Element(role="button", name="Save")], clock=FakeClock())
        self.sessions: list[Session] = []
        self.fails: Exception | None = None
        self.fails_at_end: Exception | None = None
        self._document = tmp_path / "p.sop.json"
        self._document.write_text(json.dumps(DOCUMENT))
        self._case = Case(path=tmp_path / "day", title="t")

    @asynccontextmanager
    async def _opened(self, _: Path) -> AsyncIterator[Session]:
        if self.fails is not None:
            raise self.fails
        self.sessions.append(Session(self.browser))
        yield self.sessions[-1]
        if self.fails_at_end is not None:
            raise self.fails_at_end

    def trial(self, **changes: Any) -> Trial:
        spec = TrialSpec("p", self._case, "clean", 3, seed=99, site="mock", llm="replay", autonomy="light")
        engine = Engine(model=FakeModel(), operator=FakeOperator(), clock=self.browser.clock)
        given: dict[str, Any] = {
            "spec": spec, "procedure": load(self._document), "variables": {}, "limits": Limits(),
            "oracles": {"sites": self.sites}, "records": self.records, "masker": Masker(["hunter2"]), "engine": engine,
            "open_browser": self._opened, **changes,
        }  # fmt: skip
        return Trial(**given)


DOCUMENT = {
    "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
    "public": {"nodes": [{"id": "save", "type": "task", "label": "Save"}]},
    "private": {
        "skills": [{"id": "s", "app": "a", "actions": [{"do": "click", "target": {"role": "button", "name": "Save"}}]}],
        "steps": [{"node_id": "save", "primary_skill": "s"}],
    },
}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


async def test_a_trial_keeps_its_log_and_its_judgement_in_a_folder_of_its_own(bench: Bench) -> None:
    trial = bench.trial()

    result = await trial.run()

    assert result.completed
    [folder] = bench.records.iterdir()
    assert folder.name == "20260105-090000-p-day-clean-3"
    record = TrialRecord.model_validate(read_trial(folder))
    assert [record] == trial.done
    assert (record.judgement.verdict, record.judgement.grade) == (Verdict.PASSED, Grade.CLEAN)
    assert (record.scenario, record.case, record.condition, record.trial, record.seed) == ("p", "day", "clean", 3, 99)
    started = read_log(folder)[0]
    assert started.context == {  # type: ignore[union-attr]
        "document": str(trial.procedure.path),
        "scenario": "p", "case": "day", "condition": "clean", "trial": 3, "seed": 99,
    }  # fmt: skip


async def test_the_oracle_has_the_last_word(bench: Bench) -> None:
    bench.sites.there = Outcome(missing=("no record",))
    trial = bench.trial()

    result = await trial.run()

    assert result.completed
    assert trial.done[0].judgement.verdict is Verdict.FAILED_SILENT


async def test_all_oracles_are_heard(bench: Bench) -> None:
    other = Sites()
    other.there = Outcome(wrong=("extra record",))
    trial = bench.trial(oracles={"one": bench.sites, "other": other})

    await trial.run()

    assert trial.done[0].judgement.reason == "extra record"


async def test_a_trace_is_kept_unless_the_trial_passed_clean(bench: Bench) -> None:
    trial = bench.trial()

    await trial.run()
    bench.sites.there = Outcome(wrong=("extra record",))
    await trial.run()

    assert [session.keep_trace for session in bench.sessions] == [False, True]


async def test_a_trial_may_be_run_again_and_the_worst_run_counts(bench: Bench) -> None:
    trial = bench.trial()
    bench.sites.there = Outcome(wrong=("extra record",))
    await trial.run()
    bench.sites.there = Outcome()
    await trial.run()

    assert len(list(bench.records.iterdir())) == 2
    assert trial.worst is trial.done[0]


def test_before_its_first_run_a_trial_has_no_worst(bench: Bench) -> None:
    assert bench.trial().worst is None


async def test_a_browser_that_does_not_open_makes_the_trial_broken_and_is_raised(bench: Bench) -> None:
    bench.fails = BrowserMissing("the browser does not start, password hunter2")
    trial = bench.trial()

    with pytest.raises(BrowserMissing):
        await trial.run()

    [folder] = bench.records.iterdir()
    record = TrialRecord.model_validate(read_trial(folder))
    assert record.judgement.verdict is Verdict.BROKEN
    assert record.judgement.reason == f"BrowserMissing: the browser does not start, password {MASK}"
    assert (record.figures.status, record.figures.reason) == ("killed", "the run did not begin")
    assert trial.done == [record]


async def test_an_oracle_that_cannot_look_makes_the_trial_broken_and_is_raised(bench: Bench) -> None:
    bench.sites.is_down = True
    trial = bench.trial()

    with pytest.raises(SiteError):
        await trial.run()

    assert trial.done[0].judgement.verdict is Verdict.BROKEN
    assert trial.done[0].figures.status == "completed"
    assert bench.sessions[0].keep_trace


async def test_a_mistake_of_the_harness_makes_the_trial_broken_and_is_raised(bench: Bench) -> None:
    async def perform(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("a bug")

    bench.browser.perform = perform  # type: ignore[method-assign]
    trial = bench.trial()

    with pytest.raises(ZeroDivisionError):
        await trial.run()

    assert trial.done[0].judgement.verdict is Verdict.BROKEN
    assert trial.done[0].judgement.reason == "ZeroDivisionError: a bug"


async def test_a_lost_browser_is_a_failure_of_the_run_and_judged_by_what_it_left(bench: Bench) -> None:
    bench.browser.lose()
    trial = bench.trial()

    await trial.run()

    assert trial.done[0].judgement.verdict is Verdict.FAILED_SAFE
    assert trial.done[0].judgement.cause == "browser"


async def test_a_session_that_cannot_be_closed_makes_the_trial_broken(bench: Bench) -> None:
    bench.fails_at_end = OSError("disk full")
    trial = bench.trial()

    with pytest.raises(OSError, match="disk full"):
        await trial.run()

    assert [record.judgement.verdict for record in trial.done] == [Verdict.BROKEN]


async def test_a_cancelled_trial_leaves_a_complete_log_and_is_judged(bench: Bench) -> None:
    bench.browser.hang_on("click")
    trial = bench.trial()
    task = asyncio.create_task(trial.run())
    await bench.browser.hanging.wait()

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    [folder] = bench.records.iterdir()
    assert read_log(folder)[-1].type == "run_finished"
    assert [record.judgement.verdict for record in trial.done] == [Verdict.FAILED_SAFE]


def test_an_oracle_is_found_by_name_and_a_wrong_name_says_which_there_are(bench: Bench) -> None:
    trial = bench.trial()

    assert trial.oracle("sites") is bench.sites
    with pytest.raises(KeyError, match="no oracle 'airtable'; there are sites"):
        trial.oracle("airtable")
