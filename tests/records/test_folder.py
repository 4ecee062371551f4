"""Run folders: one each, and a judgement that is there whole or not at all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sopbench.errors import UsageError
from sopbench.records.folder import TRIAL_NAME, new_run_folder, read_trial, write_trial

NOW = datetime(2026, 11, 21, 18, 5, 1, tzinfo=UTC)


def test_a_folder_is_named_by_time_and_trial(tmp_path: Path) -> None:
    folder = new_run_folder(tmp_path / "a" / "b", "ordinary_day-clean-17", NOW)

    assert folder == tmp_path / "a" / "b" / "20261121-180501-ordinary_day-clean-17"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["../../etc", "a/b", "a b:c*", "día", "..", "con\n", "-x-"])
def test_no_name_leads_out_of_the_records(name: str, tmp_path: Path) -> None:
    folder = new_run_folder(tmp_path, name, NOW)

    assert folder.resolve().parent == tmp_path
    assert folder.name.startswith("20261121-180501-")
    assert folder.name.isascii()


def test_folders_made_at_once_are_all_different(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        folders = list(pool.map(lambda _: new_run_folder(tmp_path, "x", NOW), range(40)))

    assert len(set(folders)) == 40


def test_a_place_that_is_no_folder_is_an_error_with_a_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(UsageError, match=r"the run's folder cannot be made: .*see --records"):
        new_run_folder(tmp_path / "file", "x", NOW)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write_trial(tmp_path, {"verdict": "passed", "reason": "„ü“"})

    assert read_trial(tmp_path) == {"verdict": "passed", "reason": "„ü“"}
    assert [path.name for path in tmp_path.iterdir()] == [TRIAL_NAME]


def test_a_trial_that_was_never_judged_reads_as_none(tmp_path: Path) -> None:
    assert read_trial(tmp_path) is None


def test_a_judgement_that_cannot_be_written_leaves_the_old_one_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_trial(tmp_path, {"number": 1})

    def full(self: Path, *_: object, **__: object) -> int:
        self.open("w", encoding="utf-8").close()
        raise OSError("disk full")

    monkeypatch.setattr(Path, "write_text", full)

    with pytest.raises(OSError, match="disk full"):
        write_trial(tmp_path, {"number": 2})

    assert read_trial(tmp_path) == {"number": 1}
