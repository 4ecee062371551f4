"""What a trial was made from is known again by its content."""

from __future__ import annotations

from pathlib import Path

from sopbench.trials.sources import changed, digest


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
