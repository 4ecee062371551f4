"""Files that are no JSON documents, and places in those that are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sopbench.sop.loader import validate
from sopbench.sop.positions import Positions


@pytest.mark.parametrize(
    ("text", "line", "message", "hint"),
    [
        ('{\n  "a": 1,\n}', 2, "a comma before the closing '}'", "remove the comma"),
        ('{\n  "a": [1,\n  2,]\n}', 3, "a comma before the closing ']'", "remove the comma"),
        ("{\n  'a': 1\n}", 2, "single quotes", 'write "…"'),
        ('{\n  "a": 1\n  "b": 2\n}', 2, "a comma is missing", "add one after the value"),
        ('{\n  "a" 1\n}', 2, "a colon is missing", ""),
        ('{\n  "a": True\n}', 2, "'True'", "did you mean 'true'?"),
        ("{\n  a: 1\n}", 2, "the key a is not in double quotes", ""),
        ('{\n  // no\n  "a": 1\n}', 2, "a comment", "x-"),
        ('{\n  "a": 1', 2, "the file ends too early", "bracket"),
        ('{\n  "a": "x\n"}', 2, "a string does not end on its line", "double quote"),
        ('{"a": 1}\n{"b": 2}', 2, "something follows", ""),
        ("  \n", 1, "the file is empty", ""),
        ('{\n  "a": NaN\n}', 0, "NaN is no JSON value", ""),
        ('{\n  "a": 1,\n  "b": {},\n  "a": 2\n}', 4, "the key 'a' stands twice", ""),
        ("[" * 5000 + "]" * 5000, 0, "nested more than 64 deep", ""),
        ("[" * 80 + "]" * 80, 0, "nested more than 64 deep", ""),
    ],
)
def test_broken_json_is_told_with_its_line_and_the_likely_mistake(
    text: str, line: int, message: str, hint: str, tmp_path: Path
) -> None:
    path = tmp_path / "broken.sop.json"
    path.write_text(text)

    (problem,) = validate(path)

    assert (problem.line, problem.severity) == (line, "error")
    assert message in problem.message
    assert hint in problem.hint


def test_a_missing_file_and_a_folder_are_told_without_a_line(tmp_path: Path) -> None:
    (missing,) = validate(tmp_path / "none.json")
    (folder,) = validate(tmp_path)

    assert str(missing) == f"{tmp_path}/none.json: cannot be read: no such file or directory"
    assert folder.message == "cannot be read: is a directory"


def test_a_file_that_is_not_utf8_is_told_with_the_line_of_the_first_bad_byte(tmp_path: Path) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes(b'{\n"a": "caf\xe9"}')

    (problem,) = validate(path)

    assert (problem.line, problem.message, problem.hint) == (2, "not UTF-8: byte 0xe9", "save the file as UTF-8")


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "bom.json"
    path.write_bytes(b"\xef\xbb\xbf[]")

    (problem,) = validate(path)

    assert problem.message == "not an SOP: the document is no object"


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    with path.open("wb") as file:
        file.truncate(20_000_001)

    (problem,) = validate(path)

    assert problem.message == "the file is larger than 20 MB"


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("", (1, 1)),
        ("/a", (2, 8)),
        ("/a/1", (2, 12)),
        ("/a/1/b", (2, 18)),
        ("/x~1y~0z", (3, 12)),
        ('/q"}', (4, 13)),
        ("/é", (5, 13)),
        ("/a/1/b/none/there", (2, 18)),
    ],
)
def test_a_pointer_leads_to_the_line_and_column_of_its_value(pointer: str, place: tuple[int, int]) -> None:
    text = '{\n  "a": [1, {"b": "[,]"}],\n  "x/y~z": -1.5e3,\n  "q\\"}":   null,\n  "\\u00e9": {}\n}'
    assert json.loads(text)

    assert Positions(text).of(pointer) == place
