"""A case: input data and expected outcome, as a folder of plain files.

ordinary_day/
case.toml              title, variables, tables and how each column is compared
before/<Table>.csv     what the tables hold before the run
after/<Table>.csv      what they should hold afterwards

A case for the mock sites is a day's mail and an Airtable base. Its case.toml has the clock, the account and the base as
well, and beside it lie

mailbox/*.eml          the mail that is there
books.csv              the company's books, where there is a dashboard: Week, Flow, Category, Amount
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from email.parser import BytesHeaderParser
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from sopbench.errors import CaseInvalid


class Compare(StrEnum):
    """How an expected cell is held against the one found."""

    EXACT = "exact"
    """The same value; surrounding blanks do not count."""
    SET = "set"
    """The same members, separated by commas, in any order."""
    FACTS = "facts"
    """The cell lists facts, separated by ``;``: each must be mentioned, in any wording around it and any case.
    Alternatives are separated by ``|``; a fact that begins with ``!`` must not be mentioned."""
    HISTORY = "history"
    """As ``facts``, and all the text that was there before must still be there, unchanged and first."""
    IGNORE = "ignore"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Column(_Part):
    """One column of a table: what it holds and how it is judged."""

    type: str = "singleLineText"
    """An Airtable field type: singleLineText, multilineText, singleSelect, date, checkbox, email, number."""
    options: tuple[str, ...] = ()
    """The choices of a single select."""
    compare: Compare = Compare.EXACT


class Table(_Part):
    """One table whose content is judged."""

    key: str
    """The column that tells records apart when the outcome is judged."""
    columns: dict[str, Column]


class Case(_Part):
    """What a scenario is tried on, whatever its app."""

    path: Path
    title: str
    variables: dict[str, Any] = Field(default_factory=dict)
    """Given to the procedure, over its own defaults."""
    tables: Mapping[str, Table] = Field(default_factory=dict)
    default: bool = False
    """Taken where a case is needed and none is named."""

    @property
    def name(self) -> str:
        """Folder name, as it appears in test ids."""
        return self.path.name

    def before(self, table: str) -> list[dict[str, str]]:
        """Rows of a table before the run; an absent file is an empty table."""
        return self._rows("before", table)

    def after(self, table: str) -> list[dict[str, str]]:
        """Rows of a table as they should be; an absent file means: as before."""
        name = "after" if (self.path / "after" / f"{table}.csv").exists() else "before"
        return self._rows(name, table)

    def _rows(self, folder: str, table: str) -> list[dict[str, str]]:
        return _lines(self.path / folder / f"{table}.csv")


class Account(_Part):
    """Who signs in to the mail site."""

    name: str
    email: str
    password: str


class SiteTable(Table):
    """One table of the base."""

    id: str
    view: str
    """Id of its default view."""
    form: str = ""
    """Id of the form that adds records to it; empty where it has none."""


class Base(_Part):
    """The Airtable base of the case."""

    id: str
    name: str
    token: str = "patMockToken.0000"  # noqa: S105 - a token of the mock site
    """Personal access token that the mock API accepts."""


class Books(_Part):
    """The company's books, as the finance dashboard shows them; the entries lie in books.csv."""

    company: str
    email: str
    password: str
    opening: Decimal
    """Cash in the bank before the first week."""
    currency: str = "USD"
    locale: str = "en-US"
    """How the dashboard writes amounts: a BCP 47 tag."""


class ExpectedDraft(_Part):
    """A mail that should lie among the drafts, not sent."""

    to: tuple[str, ...]
    """Addresses, in any order."""
    cc: tuple[str, ...] = ()
    subject: str
    figures: tuple[str, ...] = ()
    """Every number and date that subject and text say, by meaning; they may say no others."""
    facts: str = ""
    """What the text mentions, as ``Compare.FACTS`` has it."""


class SiteCase(Case):
    """One day of the mock sites."""

    now: AwareDatetime
    """What the sites take for the present when a run starts; its offset is the account's time zone."""
    account: Account
    base: Base
    tables: Mapping[str, SiteTable]
    labels: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Expected afterwards: label name → names of the .eml files whose threads carry it, and no others do."""
    books: Books | None = None
    drafts: tuple[ExpectedDraft, ...] = ()
    """Expected afterwards: these were written and kept, no others, and nothing was sent."""

    def mails(self) -> list[Path]:
        """The .eml files, sorted by name."""
        return sorted((self.path / "mailbox").glob("*.eml"))

    def entries(self) -> list[dict[str, str]]:
        """The lines of books.csv; none when there is no such file."""
        return _lines(self.path / "books.csv")


def load_case(path: Path) -> Case:
    """Read and check a case folder; with an account or a base it is a ``SiteCase``.

    Raises: CaseInvalid, naming the file and what is wrong with it.
    """
    file = path / "case.toml"
    if not file.is_file():
        raise CaseInvalid(f"{path}: not a case folder: it has no case.toml")
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        kind = SiteCase if {"account", "base"} & content.keys() else Case
        case = kind.model_validate({"path": path.resolve(), **content})
    except OSError as error:
        raise CaseInvalid(f"{file}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CaseInvalid(f"{file}: not readable as TOML: {error}") from error
    except ValidationError as error:
        lines = [f"  {'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
        raise CaseInvalid(f"{file}: not a case:\n" + "\n".join(lines)) from error
    if isinstance(case, SiteCase):
        _check_mailbox(case)
    _check_tables(case)
    return case


def default_case(document: Path) -> Path:
    """The case a document is run on when none is named: the one marked so in the nearest ``fixtures/cases``.

    Raises: CaseInvalid when there is none.
    """
    for folder in document.resolve().parents:
        cases = folder / "fixtures" / "cases"
        if cases.is_dir():
            found = [file.parent for file in sorted(cases.glob("*/case.toml")) if load_case(file.parent).default]
            if found:
                return found[0]
    raise CaseInvalid(f"{document}: mock sites need a case: name a case folder with --case")


def _check_mailbox(case: SiteCase) -> None:
    if not (case.path / "mailbox").is_dir():
        raise CaseInvalid(f"{case.path / 'mailbox'}: no such folder; an empty day has an empty mailbox folder")
    for mail in case.mails():
        try:
            head = BytesHeaderParser().parsebytes(mail.read_bytes())
        except OSError as error:
            raise CaseInvalid(f"{mail}: cannot be read: {error.strerror}") from error
        missing = [name for name in ("From", "Date") if name not in head]
        if missing:
            raise CaseInvalid(f"{mail}: not a mail: no {' and no '.join(missing)} header")
    known = {mail.name for mail in case.mails()}
    for label, files in case.labels.items():
        for name in files:
            if name not in known:
                raise CaseInvalid(f"{case.path / 'case.toml'}: labels.{label}: there is no mailbox/{name}")


def _check_tables(case: Case) -> None:
    for name, declared in case.tables.items():
        if declared.key not in declared.columns:
            place = f"{case.path / 'case.toml'}: tables.{name}"
            raise CaseInvalid(f"{place}: its key {declared.key!r} is no column of it")
    for folder in ("before", "after"):
        for file in sorted((case.path / folder).glob("*.csv")):
            table = case.tables.get(file.stem)
            if table is None:
                raise CaseInvalid(f"{file}: case.toml has no [tables.{file.stem}]")
            try:
                names = _column_names(file)
                rows = case._rows(folder, file.stem)  # noqa: SLF001 - same module
            except (OSError, UnicodeDecodeError, csv.Error) as error:
                raise CaseInvalid(f"{file}: not readable as CSV in UTF-8: {error}") from error
            for name in names:
                if name not in table.columns:
                    raise CaseInvalid(f"{file}: column {name!r} is not declared in case.toml")
            if table.key not in names:
                raise CaseInvalid(f"{file}: there is no column {table.key!r}, the table's key")
            _check_rows(file, table, rows)


def _lines(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [dict(row) for row in csv.DictReader(file, strict=True)]


def _column_names(file: Path) -> list[str]:
    with file.open(encoding="utf-8-sig", newline="") as lines:
        return next(csv.reader(lines, strict=True), [])


def _check_rows(file: Path, table: Table, rows: list[dict[str, str]]) -> None:
    """Rows are counted from 1, after the line with the names."""
    seen: set[str] = set()
    for number, row in enumerate(rows, start=1):
        where = f"{file}: row {number}"
        if None in row or None in row.values():
            raise CaseInvalid(f"{where} has more or fewer cells than there are columns")
        if row[table.key].strip() in seen:
            raise CaseInvalid(f"{where}: there is already a record {row[table.key]!r}")
        seen.add(row[table.key].strip())
