"""What a trial was made from is known again by its content."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import sopbench
from sopbench.reporting.replay import maker_lines
from sopbench.trials.sources import PACKAGE, Maker, changed, digest, this_sopbench


def test_a_folder_is_known_by_its_files_and_their_names(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, name in ((one, "a.txt"), (other, "b.txt")):
        (folder / "in").mkdir(parents=True)
        (folder / "in" / name).write_text("the same")

    before = digest(one)
    (one / "in" / "a.txt").write_text("another")

    assert digest(tmp_path / "nowhere") == ""
    assert len({before, digest(one), digest(other)}) == 3


def test_what_is_not_as_it_was_is_named(tmp_path: Path) -> None:
    kept, edited, gone, new = (tmp_path / name for name in ("kept", "edited", "gone", "new"))
    for file in (kept, edited, gone):
        file.write_text("1")
    before = {str(file): digest(file) for file in (kept, edited, gone, new)}
    edited.write_text("2")
    gone.unlink()
    new.write_text("1")

    assert changed(before) == [f"{edited} has changed", f"{gone} is gone", f"{new} was not there then"]


def test_what_python_compiled_for_itself_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a = 1")
    before = digest(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.cpython-311.pyc").write_bytes(b"compiled")

    assert digest(tmp_path) == before


def test_the_sopbench_that_runs_is_known_by_its_version_and_its_own_files() -> None:
    assert Path(sopbench.__file__).parent == PACKAGE
    assert this_sopbench().version == version("sopbench")
    assert this_sopbench().source == digest(PACKAGE)


def test_another_sopbench_is_named_and_one_that_is_not_known_is_said_to_be_so() -> None:
    now = Maker("0.2.0", "b" * 64)

    assert maker_lines(now, now) == []
    [other] = maker_lines(Maker("0.1.0", "a" * 64), now)
    assert other.startswith("held by another sopbench (0.1.0, source aaaaaaaa; this one is 0.2.0, source bbbbbbbb): ")
    assert other.endswith("a difference may come from that")
    assert maker_lines(Maker("0.2.0", "a" * 64), now) != []
    assert maker_lines(Maker("", ""), now) == [
        "its record does not say which sopbench held it: a difference may come from another version"
    ]
