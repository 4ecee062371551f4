"""The base: its tables, fields and records. Everything that is written, from the page or the API, is written here."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sopbench.errors import CaseInvalid
from sopbench.sites.airtable.fields import Field, Value
from sopbench.sites.airtable.ids import RECORD_ID, identifier
from sopbench.sites.airtable.refusals import Refused, bad_request, model_not_found, row_missing, unknown_field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sopbench.trials.case import SiteCase
    from sopbench.trials.case import SiteTable as CaseTable


@dataclass
class Record:
    """One record. ``cells`` holds the cells that are not empty, by field id."""

    id: str
    created: datetime
    cells: dict[str, Value]
    revision: int

    @property
    def created_time(self) -> str:
        """When it was made: ``2026-06-02T08:15:00.000Z``."""
        return self.created.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class Table:
    """One table: fields in their order (the first is the primary one) and records in the order they were made."""

    id: str
    name: str
    view_id: str
    view_name: str
    fields: list[Field]
    form_id: str = ""
    """Of the form that adds records; empty where there is none."""
    records: dict[str, Record] = field(default_factory=dict)
    deleted: dict[str, int] = field(default_factory=dict)
    """Revision at which a record was deleted, by record id."""

    def field(self, name_or_id: str) -> Field:
        """A field by its name or id.

        Raises: Refused (422) when there is none.
        """
        for each in self.fields:
            if name_or_id in (each.name, each.id):
                return each
        raise unknown_field(name_or_id)

    def record(self, record_id: str) -> Record:
        """A record by its id.

        Raises: Refused (422) when there is none.
        """
        if record_id not in self.records:
            raise row_missing(record_id)
        return self.records[record_id]


class Base:
    """The whole state of the site. Each change raises ``revision`` by one."""

    def __init__(self, case: SiteCase, seed: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.id = case.base.id
        self.name = case.base.name
        self.token = case.base.token
        self.revision = 0
        self.schema_revision = 0
        self._seed = seed
        self._clock = clock
        self._start = clock()
        self._start_time = case.now
        self._made: dict[str, int] = {}
        self.tables = {name: self._load(case, name, table) for name, table in case.tables.items()}

    def now(self) -> datetime:
        """The site's present, in the time zone of the account."""
        return self._start_time + timedelta(seconds=self._clock() - self._start)

    def table(self, name_or_id: str) -> Table:
        """A table by its name or id.

        Raises: Refused (403) when there is none.
        """
        for table in self.tables.values():
            if name_or_id in (table.name, table.id):
                return table
        raise model_not_found()

    def change_field(self, table: Table, name: str, *, to_name: str | None = None, to_type: str | None = None) -> None:
        """Give a field another name or another type. Its cells keep what they hold; dates become texts as shown.

        Raises: Refused (422) when there is no such field.
        """
        changed = table.field(name)
        if changed.type == "date" and to_type == "singleLineText":
            for record in table.records.values():
                if changed.id in record.cells:
                    year, month, day = str(record.cells[changed.id]).split("-")
                    self.update(table, record.id, {changed.id: f"{int(month)}/{int(day)}/{year}"})
        changed.name, changed.type = to_name or changed.name, to_type or changed.type
        self.schema_revision += 1

    def rows(self, table: str) -> list[dict[str, str]]:
        """All records as texts by field name, the way case files write them."""
        found = self.table(table)
        return [{f.name: f.text(r.cells.get(f.id)) for f in found.fields} for r in found.records.values()]

    def checked(self, table: Table, cells: Mapping[str, Any], *, typecast: bool = False) -> dict[str, Value | None]:
        """Values by field name or id → values as cells will hold them, by field id. Writes nothing but, with
        ``typecast``, the choices that a single select lacks.

        Raises: Refused (422) for an unknown field or a value it does not take.
        """
        result: dict[str, Value | None] = {}
        for name, value in cells.items():
            to = table.field(name)
            given = to.cast(value) if typecast else value
            if typecast and to.type == "singleSelect" and isinstance(given, str) and given and not to.choice(given):
                to.add_choice(given, self._seed)
                self.schema_revision += 1
            result[to.id] = to.check(given)
        return result

    def create(self, table: Table, cells: Mapping[str, Value | None], record_id: str | None = None) -> Record:
        """Add a record of checked cells at the end. Asked twice with the same id, it is made once.

        Raises: Refused (422) when the id is not one of a record, or was deleted.
        """
        if record_id is None:
            record_id = self._next_id(table)
        elif record_id in table.records:
            return table.records[record_id]
        elif not RECORD_ID.fullmatch(record_id) or record_id in table.deleted:
            raise bad_request(f"Invalid record id {record_id}")
        self.revision += 1
        filled = {key: value for key, value in cells.items() if value is not None}
        made = Record(record_id, self.now(), filled, self.revision)
        table.records[made.id] = made
        return made

    def update(
        self, table: Table, record_id: str, cells: Mapping[str, Value | None], *, replace: bool = False
    ) -> Record:
        """Write checked cells; with ``replace`` the others become empty.

        Raises: Refused (422) when there is no such record.
        """
        record = table.record(record_id)
        merged: dict[str, Value | None] = {**({} if replace else record.cells), **cells}
        self.revision += 1
        record.cells = {key: value for key, value in merged.items() if value is not None}
        record.revision = self.revision
        return record

    def delete(self, table: Table, record_id: str) -> None:
        """Remove a record.

        Raises: Refused (422) when there is no such record.
        """
        table.record(record_id)
        self.revision += 1
        del table.records[record_id]
        table.deleted[record_id] = self.revision

    def _next_id(self, table: Table) -> str:
        number = self._made.get(table.id, 0)
        self._made[table.id] = number + 1
        return identifier("rec", self._seed, table.id, number)

    def _load(self, case: SiteCase, name: str, declared: CaseTable) -> Table:
        if not declared.columns:
            raise CaseInvalid(f"{case.path / 'case.toml'}: tables.{name}: a table needs at least one column")
        try:
            fields = [
                Field.of(column, column_name, name, self._seed) for column_name, column in declared.columns.items()
            ]
        except ValueError as error:
            raise CaseInvalid(f"{case.path / 'case.toml'}: tables.{name}: {error}") from error
        table = Table(declared.id, name, declared.view, "Grid view", fields, declared.form)
        rows = case.before(name)
        for number, row in enumerate(rows):
            try:
                cells = {f.id: f.check(f.cast(row.get(f.name) or "")) for f in fields}
            except Refused as error:
                where = f"{case.path / 'before' / name}.csv:{number + 2}"
                raise CaseInvalid(f"{where}: {error.message}") from error
            self.create(table, cells).created = case.now - timedelta(hours=len(rows) - number)
        for each in fields:
            each.precision = _decimals(table, each)
        return table


def _decimals(table: Table, number: Field) -> int:
    """Decimals the first values of a number field have, at most 2."""
    values = [r.cells[number.id] for r in table.records.values() if number.id in r.cells]
    texts = [number.text(value) for value in values] if number.type == "number" else []
    return min(2, max((len(text.partition(".")[2]) for text in texts), default=0))
