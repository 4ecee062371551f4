"""Faults of the data: somebody else works in the mock sites at the same time, or what is there is odd.

What they stand for is told to the amendments, so that the run is judged beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field as Setting

from sopbench.faults.mails import deliver
from sopbench.faults.scripted import ScriptFault
from sopbench.trials.fault import Cause, Fault, Strikes

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from sopbench.sites.airtable.base import Base, Record, Table
    from sopbench.sites.airtable.fields import Field
    from sopbench.sites.gmail.threads import Thread


class SiteFault(Fault):
    """A fault that changes what a mock site holds. An occasion is a request: it is done before that is answered."""

    cause: ClassVar[Cause] = "data"

    async def asked(self, site: Any, request: Request, strikes: Strikes) -> ASGIApp | None:
        if strikes.due("request"):
            said = self.change(site, strikes)
            if said is None:
                strikes.missed()
            else:
                strikes.note(said)
        return None

    def change(self, site: Any, strikes: Strikes) -> str | None:
        """Change it, and say what was done; None when there was nothing to change."""
        raise NotImplementedError


class OfMail(SiteFault):
    """A fault of the mock mailbox."""

    sites: ClassVar[frozenset[str]] = frozenset({"gmail"})


class MailArrives(OfMail):
    """A mail arrives."""

    sender: str = "Northwind Office <office@northwind-robotics.example>"
    subject: str = "Lunch menu for this week"
    text: str = "Monday: soup. Tuesday: pasta. Wednesday: curry."
    times: int = Setting(default=1, ge=1)
    """How often the text stands in the mail."""

    def change(self, site: Any, strikes: Strikes) -> str:
        deliver(site, sender=self.sender, subject=self.subject, text="\n\n".join([self.text] * self.times))
        return f"a mail {self.subject!r} arrived"


class ThreadDeleted(OfMail):
    """Somebody throws an unread conversation of the inbox away."""

    def change(self, site: Any, strikes: Strikes) -> str | None:
        box = site.mailbox
        unread: list[Thread] = [
            each
            for each in box.carrying("INBOX")
            if "UNREAD" in box.labels_of(each) and "TRASH" not in box.labels_of(each)
        ]
        if not unread:
            return None
        thread = strikes.one_of("thread", sorted(unread, key=lambda each: each.id))
        box.change([thread.id], ["TRASH"], ["INBOX"])
        return f"the conversation {thread.subject!r} was thrown away"


class OfRecords(SiteFault):
    """A fault of the mock base."""

    sites: ClassVar[frozenset[str]] = frozenset({"airtable"})
    table: str = ""
    """Which one; the first if left out."""

    def change(self, site: Any, strikes: Strikes) -> str | None:
        base: Base = site.base
        table = base.table(self.table or next(iter(base.tables)))
        return self.change_table(base, table, site.case.tables[table.name].key, strikes)

    def change_table(self, base: Base, table: Table, key: str, strikes: Strikes) -> str | None:
        """Change the table, whose records are told apart by the field ``key``."""
        raise NotImplementedError


class RecordChanged(OfRecords):
    """Somebody else adds a line to a text of a record."""

    field: str = ""
    """Which one; any of several lines if left out."""
    line: str = "2025-06-02: Rang them about the site visit (K.)"

    def change_table(self, base: Base, table: Table, key: str, strikes: Strikes) -> str | None:
        fields = [each for each in table.fields if each.type == "multilineText" and self.field in ("", each.name)]
        if not fields or not table.records:
            return None
        field, record = strikes.one_of("field", fields), _drawn(table, strikes)
        text = f"{field.text(record.cells.get(field.id))}\n{self.line}".strip()
        base.update(table, record.id, {field.id: text})
        name = _name(table, record, key)
        if strikes.amendments is not None:
            strikes.amendments.wrote(table.name, key, name, field.name, self.line)
        return f"somebody wrote {self.line!r} into {field.name!r} of {name!r}"


class FieldRenamed(OfRecords):
    """Somebody gives a field another name."""

    field: str = ""
    """Which one; any but the key if left out."""
    to: str = ""
    """The new name; the old one with a word before it if left out."""

    def change_table(self, base: Base, table: Table, key: str, strikes: Strikes) -> str | None:
        field = strikes.one_of("field", _fields(table, key, self.field))
        old, new = field.name, self.to or f"Our {field.name}"
        base.change_field(table, old, to_name=new)
        if strikes.amendments is not None:
            strikes.amendments.renamed(table.name, old, new)
        return f"field {old!r} is now called {new!r}"


class FieldRetyped(OfRecords):
    """Somebody makes a field of choices, dates or addresses one of plain text."""

    field: str = ""
    """Which one; any if left out."""

    def change_table(self, base: Base, table: Table, key: str, strikes: Strikes) -> str | None:
        typed = [each for each in _fields(table, key, self.field) if each.type in {"singleSelect", "date", "email"}]
        if not typed:
            return None
        field = strikes.one_of("field", typed)
        if field.type == "date" and strikes.amendments is not None:
            strikes.amendments.dates_as_text(table.name, field.name)
        base.change_field(table, field.name, to_type="singleLineText")
        return f"field {field.name!r} is one of plain text now"


class RecordDuplicated(OfRecords):
    """Somebody copies a record."""

    def change_table(self, base: Base, table: Table, key: str, strikes: Strikes) -> str | None:
        if not table.records:
            return None
        record = _drawn(table, strikes)
        base.create(table, dict(record.cells))
        if strikes.amendments is not None:
            row = {field.name: record.cells[field.id] for field in table.fields if field.id in record.cells}
            strikes.amendments.added(table.name, row)
        return f"record {_name(table, record, key)!r} is there twice"


class DateWritten(ScriptFault):
    """Dates that stand alone are written otherwise. An occasion is a date, as it is written."""

    cause: ClassVar[Cause] = "data"
    script: ClassVar[str] = "date_written"
    form: Literal["day_first", "dotted", "iso", "impossible"] = "day_first"
    """``2/6/2025``, ``02.06.25``, ``2025-06-02``, or a day more than the month has."""


def _drawn(table: Table, strikes: Strikes) -> Record:
    return table.records[strikes.one_of("record", list(table.records))]


def _name(table: Table, record: Record, key: str) -> str:
    field = table.field(key)
    return field.text(record.cells.get(field.id)).strip()


def _fields(table: Table, key: str, name: str) -> list[Field]:
    return [table.field(name)] if name else [field for field in table.fields if field.name != key]


FAULTS = {
    "date_written": DateWritten,
    "field_renamed": FieldRenamed,
    "field_retyped": FieldRetyped,
    "mail_arrives": MailArrives,
    "record_changed": RecordChanged,
    "record_duplicated": RecordDuplicated,
    "thread_deleted": ThreadDeleted,
}
