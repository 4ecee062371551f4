"""Runs as frames: what is new is taken in, what is mixed up is said, and the store is always whole."""

from __future__ import annotations

import json
import os
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import sopbench
from sopbench.errors import UsageError
from sopbench.events.types import ModelAnswered, ModelAsked, StepFinished, StepStarted
from sopbench.records import parquet_store
from sopbench.records.frames import RunFrames
from sopbench.records.parquet_store import ParquetStore
from sopbench.records.store import StoreMoved, batch_of
from sopbench.records.tables import EXCLUDED, OF_RUN
from sopbench.trials.loading import load_runs, store_of, sync
from sopbench.trials.verdict import Verdict

from .stored_runs import MORNING, keep

STEP = (
    StepStarted(step=1, node="save", kind="task", label="Save the order"),
    ModelAsked(step=1, purpose="decide", question="Sure?", about="the order"),
    ModelAnswered(
        step=1,
        model="m",
        answer={"yes": 1},
        input_tokens=9,
        output_tokens=1,
        cost_usd=None,
        replayed=True,
        duration_s=1,
    ),
    StepFinished(step=1, node="save", condition="next", tier="exact", attempts=1, duration_s=1.5),
)


def reasons(frames: RunFrames) -> list[str]:
    return sorted(frames.excluded["why"])


def test_a_folder_of_runs_becomes_frames_in_the_order_in_which_they_began(tmp_path: Path) -> None:
    keep(tmp_path, 1, minutes=9, events=STEP)
    keep(tmp_path, 2, Verdict.FAILED_SILENT, minutes=3, condition="slow", events=STEP)

    frames = sopbench.load_runs(tmp_path)

    assert list(frames.runs["trial"]) == [2, 1]
    assert list(frames.runs["verdict"]) == ["failed_silent", "passed"]
    assert frames.runs["began"].iloc[0] == MORNING + timedelta(minutes=3)
    assert list(frames.steps["run"]) == list(frames.runs["run"])
    assert list(frames.steps["condition"]) == ["slow", "clean"]
    assert list(frames.model_calls["replayed"]) == [True, True]
    assert frames.model_calls["cost_usd"].isna().all()
    assert frames.excluded.empty


def test_summaries_count_what_the_rows_say(tmp_path: Path) -> None:
    for number in range(1, 5):
        keep(tmp_path, number, Verdict.PASSED if number < 4 else Verdict.FAILED_SAFE, events=STEP)
    keep(tmp_path, 5, Verdict.BROKEN, events=STEP)

    frames = load_runs(tmp_path)

    day = frames.days.iloc[0]
    assert (day.trials, day.passed, day.failed_safe, day.broken) == (5, 3, 1, 1)
    node = frames.nodes.iloc[0]
    assert (node.node, node.visits, node.own_s) == ("save", 4, 6.0), "steps of broken trials are left out"


def test_a_second_look_takes_in_only_what_is_new(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    first = sync(tmp_path, ParquetStore(tmp_path))
    keep(tmp_path, 2)

    second = sync(tmp_path, ParquetStore(tmp_path))
    third = sync(tmp_path, ParquetStore(tmp_path))

    assert [each.added for each in (first, second, third)] == [1, 1, 0]
    assert ParquetStore(tmp_path).batches == 2
    assert len(load_runs(tmp_path).runs) == 2


def test_no_folder_is_an_error_and_an_empty_one_has_frames_with_columns_and_no_rows(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere: no such folder of runs; name the one that trials were held into"):
        load_runs(tmp_path / "nowhere")

    frames = load_runs(tmp_path)

    assert frames.is_empty
    assert repr(frames) == f"<0 runs in {tmp_path}>"
    assert all(len(getattr(frames, name)) == 0 for name in ("nodes", "days", *(table.name for table in OF_RUN)))
    assert "own_s" in frames.steps.columns


def test_the_store_itself_is_no_folder_of_runs(tmp_path: Path) -> None:
    keep(tmp_path)
    frames = load_runs(tmp_path)

    with pytest.raises(UsageError, match=rf"the store itself; name the folder of runs that it lies in: {tmp_path}$"):
        load_runs(tmp_path / ".store")

    assert (repr(frames), repr(load_runs(tmp_path, condition="slow"))) == (
        f"<1 run in {tmp_path}>",
        f"<0 runs that were asked for in {tmp_path}>",
    )


def test_only_the_runs_that_are_asked_for(tmp_path: Path) -> None:
    keep(tmp_path, 1, events=STEP)
    keep(tmp_path, 2, condition="slow", events=STEP)
    keep(tmp_path, 3, condition="late", case="second_day", events=STEP)

    assert list(load_runs(tmp_path, condition="slow").steps["condition"]) == ["slow"]
    assert list(load_runs(tmp_path, condition=["slow", "late"], case="second_day").runs["trial"]) == [3]
    assert list(load_runs(tmp_path, since=MORNING + timedelta(minutes=2)).runs["trial"]) == [2, 3]
    assert list(load_runs(tmp_path, until=MORNING + timedelta(minutes=2)).runs["trial"]) == [1]


def test_a_run_that_is_not_judged_yet_is_broken_until_it_is(tmp_path: Path) -> None:
    folder = keep(tmp_path, events=STEP)
    judged = (folder / "trial.json").read_bytes()
    (folder / "trial.json").unlink()
    running = MORNING + timedelta(minutes=2)

    sync(tmp_path, ParquetStore(tmp_path), running)
    before = RunFrames(ParquetStore(tmp_path).open(), "")
    (folder / "trial.json").write_bytes(judged)
    after = load_runs(tmp_path)

    assert list(before.runs["verdict"]) == ["broken"]
    assert reasons(before) == ["never judged (killed, or still running): counted as broken"]
    assert list(after.runs["verdict"]) == ["passed"]
    assert (len(after.steps), reasons(after)) == (1, [])


def test_what_was_not_judged_for_a_day_is_settled(tmp_path: Path) -> None:
    (keep(tmp_path) / "trial.json").unlink()
    store = ParquetStore(tmp_path)

    assert sync(tmp_path, store, MORNING + timedelta(hours=23)).still_open == 2
    assert sync(tmp_path, store, MORNING + timedelta(hours=25)).added == 1
    assert sync(tmp_path, store, MORNING + timedelta(hours=26)).added == 0
    assert reasons(load_runs(tmp_path)) == ["never judged (killed, or still running): counted as broken"]


def cut_off_log(folder: Path) -> None:
    log = folder / "events.jsonl"
    log.write_text(log.read_text(encoding="utf-8")[:-30], encoding="utf-8")


def cut_off_verdict(folder: Path) -> None:
    (folder / "trial.json").write_bytes((folder / "trial.json").read_bytes()[:100])


def spoil_a_line(folder: Path) -> None:
    lines = (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    lines[1] = '{"type": "an_event_of_tomorrow"}'
    (folder / "events.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (cut_off_log, "with a log that is cut off: counted as broken"),
        (cut_off_verdict, "with a trial.json that is cut off or cannot be read: counted as broken"),
        (spoil_a_line, "with a log that cannot be read: counted as broken"),
    ],
)
def test_what_cannot_be_borne_out_is_broken_and_said(tmp_path: Path, spoil: Any, why: str) -> None:
    spoil(keep(tmp_path, events=STEP))

    frames = load_runs(tmp_path)

    assert list(frames.runs["verdict"]) == ["broken"]
    assert reasons(frames) == [why]


def test_a_record_of_another_version_is_left_out_and_said(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    file = keep(tmp_path, 2) / "trial.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"format": 2}), encoding="utf-8")

    frames = load_runs(tmp_path)

    assert list(frames.runs["trial"]) == [1]
    assert reasons(frames) == ["with a trial.json of another version"]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_copy_of_a_run_counts_once(tmp_path: Path, at_once: bool) -> None:
    folder = keep(tmp_path, events=STEP)
    if not at_once:
        load_runs(tmp_path)
    shutil.copytree(folder, tmp_path / "zz-copied")

    frames = load_runs(tmp_path)

    assert (len(frames.runs), len(frames.steps)) == (1, 1)
    assert reasons(frames) == [f"a copy of {folder.name}, which counts"]


@pytest.mark.parametrize("at_once", [True, False])
def test_of_two_runs_of_one_name_neither_counts(tmp_path: Path, at_once: bool) -> None:
    folder = keep(tmp_path, 1, Verdict.FAILED_HARMFUL, events=STEP)
    keep(tmp_path, 2, events=STEP)
    if not at_once:
        load_runs(tmp_path)
    other = shutil.copytree(folder, tmp_path / "zz-changed")
    record = json.loads((other / "trial.json").read_text())
    record["judgement"] = {"verdict": "passed", "grade": "clean"}
    (other / "trial.json").write_text(json.dumps(record), encoding="utf-8")

    frames = load_runs(tmp_path)

    assert list(frames.runs["trial"]) == [2]
    assert len(frames.steps) == 1
    assert reasons(frames) == ["2 runs go by this name: none of them counts"] * 2
    assert set(frames.excluded["folder"]) == {folder.name, "zz-changed"}


def test_a_batch_that_was_not_finished_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(tmp_path, 1)
    load_runs(tmp_path)
    keep(tmp_path, 2)
    with monkeypatch.context() as patched:
        patched.setattr(os, "rename", _killed)
        with pytest.raises(KeyboardInterrupt):
            load_runs(tmp_path)

    assert list(load_runs(tmp_path).runs["trial"]) == [1, 2]


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_of_two_writers_one_looks_again(tmp_path: Path) -> None:
    keep(tmp_path, 1)
    slow, quick = ParquetStore(tmp_path), ParquetStore(tmp_path)
    assert slow.unknown([]) == quick.unknown([]) == []
    assert slow.batches == 0

    sync(tmp_path, quick)

    with pytest.raises(StoreMoved):
        slow.add(batch_of({EXCLUDED.name: [{"folder": "x", "run": "x", "why": "y"}]}), {})
    assert sync(tmp_path, slow).added == 0
    assert len(load_runs(tmp_path).runs) == 1


def test_many_small_batches_become_one_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_store, "MOST_SMALL", 4)
    for number in range(1, 7):
        keep(tmp_path, number, events=STEP)
        frames = load_runs(tmp_path)

    assert ParquetStore(tmp_path).batches == 2
    assert list(frames.runs["trial"]) == [1, 2, 3, 4, 5, 6]
    assert len(frames.steps) == 6


def test_replaced_batches_go_away_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_store, "MOST_SMALL", 2)
    monkeypatch.setattr(parquet_store, "_REPLACED_FOR_S", -1.0)
    for number in range(1, 5):
        keep(tmp_path, number)
        load_runs(tmp_path)

    there = sorted(each.name for each in (tmp_path / ".store").iterdir())

    assert there == ["000003", "000004"]
    assert len(load_runs(tmp_path).runs) == 4


def test_a_spoilt_store_says_so_and_is_made_anew(tmp_path: Path) -> None:
    keep(tmp_path)
    load_runs(tmp_path)
    file = tmp_path / ".store" / "000001" / "runs.parquet"
    file.write_bytes(file.read_bytes()[:-20])

    with pytest.raises(UsageError, match=r"cannot be read .*sync --afresh"):
        load_runs(tmp_path)
    store = store_of(tmp_path)
    store.forget()

    assert sync(tmp_path, store).added == 1
    assert len(load_runs(tmp_path).runs) == 1


def test_a_store_of_another_version_is_not_read(tmp_path: Path) -> None:
    keep(tmp_path)
    load_runs(tmp_path)
    (tmp_path / ".store" / "000001" / "batch.json").write_text('{"format": 0, "replaces": []}', encoding="utf-8")

    with pytest.raises(UsageError, match="made by another version"):
        load_runs(tmp_path)


def test_rows_of_runs_whose_folder_is_gone_stay(tmp_path: Path) -> None:
    folder = keep(tmp_path, events=STEP)
    load_runs(tmp_path)
    shutil.rmtree(folder)

    frames = load_runs(tmp_path)

    assert (len(frames.runs), len(frames.steps)) == (1, 1)


def test_a_row_of_no_run_is_a_mistake_of_whoever_gives_it() -> None:
    with pytest.raises(ValueError, match="there is no run 'x'"):
        RunFrames.from_rows(runs=[], steps=[{"run": "x"}])
    with pytest.raises(ValueError, match="runs has no column 'verdikt'"):
        RunFrames.from_rows(runs=[{"run": "x", "verdikt": "passed"}])
    with pytest.raises(ValueError, match="no table is called 'walks'"):
        RunFrames.from_rows(walks=[])
