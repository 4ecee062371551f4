"""Case folders: read whole, or refused with one clear word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sopbench.errors import CaseInvalid
from sopbench.trials.case import SiteCase, default_case, load_case

TOML = """
title = "A day"
now = 2025-06-02T18:30:00-07:00
[account]
name = "Dana"
email = "dana@acme.example"
password = "secret"
[labels]
Done = ["a.eml"]
[base]
id = "app1"
name = "CRM"
[tables.People]
id = "tbl1"
view = "viw1"
key = "Name"
[tables.People.columns]
Name = {}
Stage = { type = "singleSelect", options = ["new", "won"] }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small good case, to be spoiled."""
    path = tmp_path / "day"
    for name in ("mailbox", "before", "after"):
        (path / name).mkdir(parents=True)
    (path / "case.toml").write_text(TOML)
    (path / "mailbox" / "a.eml").write_text("From: a@b.example\nDate: Mon, 2 Jun 2025 09:00:00 +0000\n\nHi")
    (path / "before" / "People.csv").write_text('Name,Stage\nAda,new\n"Bo, B",new\n')
    (path / "after" / "People.csv").write_text("Name,Stage\nAda,won\n")
    return path


def test_a_case_is_read_with_its_mails_and_rows(folder: Path) -> None:
    case = load_case(folder)

    assert case.name == "day"
    assert isinstance(case, SiteCase)
    assert [mail.name for mail in case.mails()] == ["a.eml"]
    assert case.before("People") == [{"Name": "Ada", "Stage": "new"}, {"Name": "Bo, B", "Stage": "new"}]
    assert case.after("People") == [{"Name": "Ada", "Stage": "won"}]


def test_a_table_without_a_file_after_should_stay_as_it_is_and_without_any_is_empty(folder: Path) -> None:
    (folder / "after" / "People.csv").unlink()
    assert load_case(folder).after("People") == load_case(folder).before("People")

    (folder / "before" / "People.csv").unlink()
    assert load_case(folder).after("People") == []


def test_a_file_saved_by_a_spreadsheet_with_a_byte_order_mark_is_read(folder: Path) -> None:
    (folder / "before" / "People.csv").write_text("Name,Stage\nAda,new\n", encoding="utf-8-sig")

    assert load_case(folder).before("People") == [{"Name": "Ada", "Stage": "new"}]


def put(name: str, content: str | bytes) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    return spoil


def change(old: str, new: str) -> Callable[[Path], None]:
    assert old in TOML
    return put("case.toml", TOML.replace(old, new, 1))


def without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def folder_instead_of(name: str) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).mkdir()

    return spoil


def no_mailbox(folder: Path) -> None:
    (folder / "mailbox" / "a.eml").unlink()
    (folder / "mailbox").rmdir()


PEOPLE = "before/People.csv"
BAD = {
    "no case.toml": (without("case.toml"), "day: not a case folder: it has no case.toml"),
    "no TOML": (put("case.toml", "title = "), "case.toml: not readable as TOML: "),
    "not UTF-8": (put("case.toml", b"title = '\xff'"), "case.toml: not readable as TOML: "),
    "unknown key": (change("name = ", "nmae = 1\nname = "), "account.nmae: Extra inputs are not permitted"),
    "missing key": (change('title = "A day"', ""), "title: Field required"),
    "time without zone": (change("-07:00", ""), "now: Input should have timezone info"),
    "unknown way of comparing": (change("Name = {}", 'Name = { compare = "fuzzy" }'), "columns.Name.compare: "),
    "key that is no column": (change('key = "Name"', 'key = "Nmae"'), "tables.People: its key 'Nmae' is no column"),
    "no mailbox": (no_mailbox, "mailbox: no such folder; an empty day has an empty mailbox folder"),
    "mail that is a folder": (folder_instead_of("mailbox/a.eml"), "a.eml: cannot be read: Is a directory"),
    "mail without From": (put("mailbox/a.eml", "Date: Mon, 2 Jun 2025 09:00:00 +0000\n\nx"), "no From header"),
    "mail without both": (put("mailbox/a.eml", "Hello"), "a.eml: not a mail: no From and no Date header"),
    "From only in the text": (
        put("mailbox/a.eml", "Date: Mon, 2 Jun 2025 09:00:00 +0000\n\nFrom: x"), "a.eml: not a mail: no From header",
    ),
    "label on a missing mail": (change('"a.eml"', '"a.eml", "b.eml"'), "labels.Done: there is no mailbox/b.eml"),
    "undeclared table": (put("after/Peple.csv", "Name\nx\n"), "Peple.csv: case.toml has no [tables.Peple]"),
    "undeclared column": (put(PEOPLE, "Name,Age\nAda,3\n"), "column 'Age' is not declared in case.toml"),
    "undeclared column, no rows": (put(PEOPLE, "Name,Age\n"), "column 'Age' is not declared in case.toml"),
    "no key": (put(PEOPLE, "Stage\nnew\n"), "there is no column 'Name', the table's key"),
    "empty CSV": (put(PEOPLE, ""), "there is no column 'Name', the table's key"),
    "too many cells": (put(PEOPLE, "Name,Stage\nAda,new,x\n"), "row 1 has more or fewer cells than there are columns"),
    "too few cells": (put(PEOPLE, "Name,Stage\nAda\n"), "row 1 has more or fewer cells than there are columns"),
    "same key twice": (put(PEOPLE, "Name\nAda\nBob\nAda \n"), "row 3: there is already a record 'Ada '"),
    "CSV not UTF-8": (put(PEOPLE, b"Name\n\xff\n"), "People.csv: not readable as CSV in UTF-8: "),
    "CSV with an open quote": (put(PEOPLE, 'Name\n"Ada\n'), "People.csv: not readable as CSV in UTF-8: "),
    "CSV that is a folder": (folder_instead_of(PEOPLE), "People.csv: not readable as CSV in UTF-8: "),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_folder_is_refused_with_one_clear_word(name: str, folder: Path) -> None:
    spoil, words = BAD[name]
    spoil(folder)

    with pytest.raises(CaseInvalid) as raised:
        load_case(folder)

    assert words in str(raised.value)
    assert str(raised.value).startswith(str(folder))


def test_the_default_case_is_the_one_marked_so(folder: Path, tmp_path: Path) -> None:
    cases = tmp_path / "fixtures" / "cases"
    for name in ("a", "b"):
        (cases / name / "mailbox").mkdir(parents=True)
        text = TOML.replace('Done = ["a.eml"]', "")
        (cases / name / "case.toml").write_text(f"default = {str(name == 'b').lower()}\n{text}")
    document = tmp_path / "scenarios" / "x" / "x.sop.json"

    assert default_case(document).name == "b"

    (cases / "b" / "case.toml").write_text(TOML.replace('Done = ["a.eml"]', ""))
    with pytest.raises(CaseInvalid, match="name a case folder with --case"):
        default_case(document)
