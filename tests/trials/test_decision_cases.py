"""Labelled decisions as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopbench.errors import CaseInvalid
from sopbench.trials.decision_cases import KnownWrong, load_decisions, read_known_wrong, write_known_wrong

ONE = """
node = "d"

[[decision]]
name = "asks for the deck"
expect = "yes"
why = "It does."
[decision.given]
mail.text = \"\"\"

Hello
\"\"\"
count = 3
"""


def test_a_decision_is_read_with_its_group_and_without_blank_lines_around_its_texts(tmp_path: Path) -> None:
    (tmp_path / "plain.toml").write_text(ONE, "utf-8")

    [case] = load_decisions(tmp_path)

    assert (case.id, case.node, case.group, case.expect) == ("plain-asks_for_the_deck", "d", "plain", "yes")
    assert case.given == {"mail": {"text": "Hello"}, "count": 3}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, r"no \*\.toml"),
        ({"a.toml": "node = "}, "a.toml: "),
        ({"a.toml": 'node = "d"'}, "a.toml: decision: Field required"),
        ({"a.toml": ONE.replace("expect", "exspect")}, "a.toml: decision.0.expect: Field required"),
        ({"a.toml": ONE + ONE.replace('node = "d"', "")}, "'a-asks_for_the_deck' is there twice"),
    ],
    ids=["nothing", "no TOML", "no decisions", "a key misspelt", "twice the same"],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, files: dict[str, str], message: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")

    with pytest.raises(CaseInvalid, match=message):
        load_decisions(tmp_path)


def test_what_a_recording_gets_wrong_is_kept(tmp_path: Path) -> None:
    known = KnownWrong(model="small", recorded="2026-01-02", wrong={"plain-x": "no"})
    nothing = read_known_wrong(tmp_path)

    write_known_wrong(tmp_path, known)

    assert nothing is None
    assert read_known_wrong(tmp_path) == known


def test_a_list_that_was_written_by_hand_and_badly_is_refused(tmp_path: Path) -> None:
    (tmp_path / "known_wrong.json").write_text('["plain-x"]', "utf-8")

    with pytest.raises(CaseInvalid, match="record the decisions anew"):
        read_known_wrong(tmp_path)
