"""The prompts' texts and their versions."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from sopbench.engine import prompt_files
from sopbench.engine.prompt_files import prompt_text, prompts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KNOWN = {
    ("choose_element", 1): "3753f672b3ab8f4f",
    ("choose_element", 2): "1bc998bba480da96",
    ("decide", 1): "16a5ef539178519e",
    ("decide", 2): "2cffbabf0d490258",
    ("decide_simply", 1): "16a5ef539178519e",
    ("explore", 1): "59a11533b24383a6",
    ("explore", 2): "8812c52aa5d60af6",
    ("generate", 1): "932a60851560bb7f",
    ("interpret", 1): "c39416d4a94b86b1",
}
"""Recorded answers belong to a text: a changed one needs another version, and a line of its own here."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(prompt_files, "_FOLDER", tmp_path)
    prompt_text.cache_clear()
    yield tmp_path
    prompt_text.cache_clear()


@pytest.mark.parametrize(("purpose", "version"), KNOWN)
def test_a_text_is_that_of_its_version(purpose: str, version: int) -> None:
    text = prompts()[purpose]

    digest = hashlib.sha256(f"{text.system}\0{text.template}".encode()).hexdigest()

    if text.version == version:
        assert digest[:16] == KNOWN[purpose, version]
    else:
        assert digest[:16] != KNOWN[purpose, version]


def test_every_text_is_known_in_its_version() -> None:
    assert {(purpose, text.version) for purpose, text in prompts().items()} <= KNOWN.keys()


def test_what_is_filled_in_is_taken_as_it_is(folder: Path) -> None:
    (folder / "decide.txt").write_text(
        "version: 3\n--- system\nYou read.\n--- prompt\n{about}\n\nIs it {ask}?\n", "utf-8"
    )

    text = prompt_text("decide")

    assert (text.version, text.system) == (3, "You read.")
    assert text.filled(about="{ask} {nobody}", ask="so") == "{ask} {nobody}\n\nIs it so?"


@pytest.mark.parametrize(
    "text",
    ["", "version: 0\n--- system\na\n--- prompt\nb\n", "--- system\na\n--- prompt\nb\n", "version: 1\n--- system\na\n"],
)
def test_a_file_of_another_form_is_refused(folder: Path, text: str) -> None:
    (folder / "decide.txt").write_text(text, "utf-8")

    with pytest.raises(ValueError, match=r"prompt_texts/decide\.txt: not 'version: N'"):
        prompt_text("decide")
