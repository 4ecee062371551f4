"""A team's store: the same frames from a database; SQLite always, PostgreSQL where its programs are installed."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pandas as pd  # type: ignore[import-untyped]
import pytest
import sqlalchemy as sa

from sopbench.errors import UsageError
from sopbench.events.types import StepFinished, StepStarted
from sopbench.records.frames import RunFrames
from sopbench.records.sql_store import SqlStore
from sopbench.records.tables import OF_RUN
from sopbench.trials.loading import load_runs, store_of, sync
from sopbench.trials.verdict import Verdict

from .stored_runs import MORNING, keep

STEP = (
    StepStarted(step=1, node="save", kind="task", label="Save the order"),
    StepFinished(step=1, node="save", condition="next", tier="exact", attempts=1, duration_s=1.5),
)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A PostgreSQL server of this session's own, on a free port; it refuses to run as root."""
    initdb, pg_ctl = shutil.which("initdb"), shutil.which("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("PostgreSQL is not installed")
    owner = "postgres" if os.geteuid() == 0 else getpass.getuser()
    with tempfile.TemporaryDirectory(prefix="sopbench-") as place:
        if owner == "postgres":
            shutil.chown(place, owner)

        def call(*words: str) -> None:
            user = owner if os.geteuid() == 0 else None
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd=place, user=user)

        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        call(initdb, "-D", f"{place}/data", "-A", "trust", "-U", owner, "--no-sync")
        control = (pg_ctl, "-D", f"{place}/data", "-l", f"{place}/log", "-w")
        call(*control, "-o", f"-k {place} -p {port} -c listen_addresses=127.0.0.1 -F", "start")
        yield f"postgresql+psycopg://{owner}@127.0.0.1:{port}/postgres"
        call(*control, "-m", "immediate", "stop")


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'team.db'}"
        return
    place = request.getfixturevalue("server")
    yield place
    store = SqlStore(place, origin="")
    store.drop()


@pytest.fixture
def records(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    keep(folder, 1, events=STEP)
    keep(folder, 2, Verdict.FAILED_SILENT, condition="slow", events=STEP)
    return folder


def test_the_frames_are_those_of_the_files(records: Path, url: str) -> None:
    from_files, from_database = load_runs(records), load_runs(records, store=url)

    for name in ("runs", "excluded", "nodes", "days", *(table.name for table in OF_RUN)):
        pd.testing.assert_frame_equal(getattr(from_files, name), getattr(from_database, name))


def test_a_team_reads_by_the_url_alone(records: Path, url: str) -> None:
    sync(records, store_of(records, url))

    frames = load_runs(url, condition="slow", since=MORNING + timedelta(minutes=1))

    assert list(frames.runs["verdict"]) == ["failed_silent"]
    assert len(frames.steps) == 1


def test_only_what_is_new_is_written(records: Path, url: str) -> None:
    first = sync(records, store_of(records, url))
    keep(records, 3)

    assert (first.added, sync(records, store_of(records, url)).added) == (2, 1)
    assert sync(records, store_of(records, url)).added == 0


def test_runs_of_several_machines_stand_together_and_the_same_one_counts_once(
    records: Path, url: str, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere"
    shutil.copytree(records, other)
    keep(other, 3, events=STEP)
    sync(records, store_of(records, url))

    synced = sync(other, store_of(other, url))
    frames = load_runs(url)

    assert synced.added == 1
    assert list(frames.runs["trial"]) == [1, 2, 3]
    assert len(frames.excluded) == 2
    assert frames.excluded["why"].str.startswith("a copy of 2026").all()


def test_of_two_machines_runs_of_one_name_neither_counts(records: Path, url: str, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    keep(other, 1, Verdict.FAILED_HARMFUL)
    sync(records, store_of(records, url))
    sync(other, store_of(other, url))

    frames = load_runs(url)

    assert list(frames.runs["trial"]) == [2]
    assert list(frames.excluded["why"]) == ["2 runs go by this name: none of them counts"] * 2


def test_what_is_not_judged_yet_is_replaced(records: Path, url: str) -> None:
    running = keep(records, 3, events=STEP)
    judged = (running / "trial.json").read_bytes()
    (running / "trial.json").unlink()
    now = MORNING + timedelta(minutes=4)

    sync(records, store_of(records, url), now)
    before = RunFrames(store_of(records, url).open(), "")
    (running / "trial.json").write_bytes(judged)
    sync(records, store_of(records, url), now)
    after = RunFrames(store_of(records, url).open(), "")

    assert list(before.runs["verdict"]) == ["passed", "failed_silent", "broken"]
    assert list(after.runs["verdict"]) == ["passed", "failed_silent", "passed"]
    assert (len(after.steps), len(after.excluded)) == (3, 0)


def test_rows_of_a_folder_can_be_dropped_and_those_of_others_stay(records: Path, url: str, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    keep(other, 9)
    for folder in (records, other):
        sync(folder, store_of(folder, url))

    store_of(records, url).forget()

    assert list(load_runs(url).runs["trial"]) == [9]


def test_a_store_that_is_not_there_is_an_error_that_says_what_to_do_and_makes_none(tmp_path: Path) -> None:
    missing = tmp_path / "missing.db"

    with pytest.raises(UsageError) as told:
        load_runs(f"sqlite:///{missing}")

    assert str(told.value) == (
        f"sqlite:///{missing}: there is no such store, no file {missing}; runs are taken into it by:"
        f" sopbench records sync --store sqlite:///{missing}"
    )
    assert not missing.exists()


def test_a_database_without_our_tables_is_an_error_and_gets_none(url: str) -> None:
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.connect():
        pass  # SQLite makes its file

    with pytest.raises(UsageError, match=r"a database that no runs were ever taken into; .*records sync --store"):
        load_runs(url)

    assert sa.inspect(engine).get_table_names() == []


def test_a_store_without_runs_is_there_and_says_that_it_holds_none(tmp_path: Path, url: str) -> None:
    (tmp_path / "no-runs").mkdir()
    sync(tmp_path / "no-runs", store_of(tmp_path / "no-runs", url))

    frames = load_runs(url)

    assert frames.is_empty
    assert repr(frames) == f"<0 runs in {url}>"


def test_a_database_that_cannot_be_reached_is_an_error_without_its_password() -> None:
    with pytest.raises(UsageError, match=r"postgresql\+psycopg://me:\*\*\*@127.0.0.1:1/x.*: the store cannot be used"):
        load_runs("postgresql+psycopg://me:secret@127.0.0.1:1/x?connect_timeout=2")


def test_a_kind_of_database_nobody_knows_is_an_error() -> None:
    with pytest.raises(UsageError, match="the store cannot be used"):
        load_runs("marble://here")


def test_the_store_is_named_by_the_environment_or_the_project(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text('[tool.sopbench]\nstore = "sqlite:///of_project.db"\n', encoding="utf-8")
    load_runs(records)
    monkeypatch.setenv("SOPBENCH_STORE", "sqlite:///of_environment.db")
    load_runs(records)

    assert {each.name for each in tmp_path.glob("*.db")} == {"of_project.db", "of_environment.db"}
    assert not (records / ".store").exists()
