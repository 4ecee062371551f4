"""Listing records: what was asked for, which records that is, in which order, and page by page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any

from sopbench.sites.airtable.formula import FormulaInvalid, matches, parse
from sopbench.sites.airtable.formula_functions import FormulaValue, Scope
from sopbench.sites.airtable.ids import identifier
from sopbench.sites.airtable.refusals import Refused, bad_request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sopbench.sites.airtable.base import Base, Record, Table
    from sopbench.sites.airtable.fields import Field, Value

_LARGEST_PAGE = 100
_SORT_KEY = re.compile(r"sort\[(\d+)\]\[(field|direction)\]")


@dataclass(frozen=True)
class Query:
    """The parameters of a list request."""

    fields: tuple[str, ...] = ()
    """Names or ids of the fields to give; empty means all."""
    formula: str = ""
    sort: tuple[tuple[str, bool], ...] = ()
    """Field and whether descending."""
    max_records: int | None = None
    page_size: int = _LARGEST_PAGE
    offset: str | None = None
    view: str | None = None
    by_id: bool = False
    """Name the fields of the answer by id."""
    as_text: bool = False
    """Give all cells as text."""


def from_params(params: Sequence[tuple[str, str]]) -> Query:
    """Read the query string of a GET request.

    Raises: Refused (422).
    """
    body: dict[str, Any] = {}
    sort: dict[int, dict[str, str]] = {}
    for key, value in params:
        if key in ("fields[]", "fields") or re.fullmatch(r"fields\[\d+\]", key):
            body.setdefault("fields", []).append(value)
        elif match := _SORT_KEY.fullmatch(key):
            sort.setdefault(int(match[1]), {})[match[2]] = value
        else:
            body[key] = value
    body["sort"] = [sort[index] for index in sorted(sort)]
    return from_body(body)


def from_body(body: Mapping[str, Any]) -> Query:
    """Read the body of a listRecords request.

    Raises: Refused (422).
    """
    sort = []
    for part in body.get("sort") or ():
        direction = part.get("direction", "asc") if isinstance(part, dict) else None
        if direction not in ("asc", "desc") or not isinstance(part.get("field"), str):
            raise bad_request()
        sort.append((part["field"], direction == "desc"))
    wanted = body.get("fields") or []
    if not isinstance(wanted, list):
        raise bad_request()
    return Query(
        fields=tuple(map(str, wanted)),
        formula=str(body.get("filterByFormula") or ""),
        sort=tuple(sort),
        max_records=_count(body, "maxRecords"),
        page_size=min(_count(body, "pageSize") or _LARGEST_PAGE, _LARGEST_PAGE),
        offset=body.get("offset"),
        view=body.get("view"),
        by_id=flag(body.get("returnFieldsByFieldId")),
        as_text=body.get("cellFormat") == "string",
    )


def flag(value: Any) -> bool:
    """A yes-or-no parameter, from JSON or a query string."""
    return value is True or str(value).lower() in ("true", "1")


def _count(body: Mapping[str, Any], name: str) -> int | None:
    value = body.get(name)
    if value in (None, ""):
        return None
    try:
        number = int(str(value))
    except ValueError:
        number = 0
    if number < 1:
        raise bad_request()
    return number


def record_json(table: Table, record: Record, query: Query) -> dict[str, Any]:
    """``{"id", "createdTime", "fields"}``; empty cells and unchecked boxes are left out."""
    wanted = [table.field(name) for name in query.fields] or table.fields
    cells: dict[str, Any] = {}
    for each in wanted:
        value = record.cells.get(each.id)
        if value is not None:
            shown = _shown(each, value) if query.as_text else value
            cells[each.id if query.by_id else each.name] = shown
    return {"id": record.id, "createdTime": record.created_time, "fields": cells}


def _shown(each: Field, value: Value) -> str:
    return "checked" if value is True else each.text(value)


class Listing:
    """Answers list requests of one base, and remembers where the next page of each begins."""

    def __init__(self, base: Base, seed: int) -> None:
        self._base = base
        self._seed = seed
        self._rest: dict[str, tuple[str, list[str]]] = {}

    def page(self, table: Table, query: Query) -> dict[str, Any]:
        """``{"records": […], "offset"}``; without offset it was the last page.

        Raises: Refused (422) for a wrong formula, field, view or offset.
        """
        for name in query.fields:
            table.field(name)
        if query.view not in (None, "", table.view_id, table.view_name):
            raise Refused(422, "VIEW_NAME_NOT_FOUND", f"View {query.view} not found")
        ids = self._continued(table, query.offset) if query.offset else self._found(table, query)
        there = [record_id for record_id in ids if record_id in table.records]
        now, later = there[: query.page_size], there[query.page_size :]
        answer: dict[str, Any] = {"records": [record_json(table, table.records[r], query) for r in now]}
        if later:
            offset = f"{identifier('itr', self._seed, len(self._rest))}/{now[-1]}"
            self._rest[offset] = (table.id, later)
            answer["offset"] = offset
        return answer

    def _continued(self, table: Table, offset: str) -> list[str]:
        table_id, ids = self._rest.get(offset, ("", []))
        if table_id != table.id:
            raise Refused(
                422,
                "LIST_RECORDS_ITERATOR_NOT_AVAILABLE",
                "The requested iterator is not available. Start a new request without an offset.",
            )
        return ids

    def _found(self, table: Table, query: Query) -> list[str]:
        records = list(table.records.values())
        if query.formula.strip():
            records = self._filtered(table, records, query.formula)
        for name, descending in reversed(query.sort):
            by = table.field(name)
            records.sort(key=lambda record, by=by: sort_key(by, record.cells.get(by.id)), reverse=descending)  # type: ignore[misc]
        return [record.id for record in records[: query.max_records]]

    def _filtered(self, table: Table, records: list[Record], source: str) -> list[Record]:
        names = {name for each in table.fields for name in (each.name, each.id)}
        try:
            formula = parse(source, names)
        except FormulaInvalid as error:
            message = f"The formula for filtering records is invalid: {error}"
            raise Refused(422, "INVALID_FILTER_BY_FORMULA", message) from error
        now = self._base.now()
        return [record for record in records if matches(formula, _scope(table, record, now))]


def _scope(table: Table, record: Record, now: datetime) -> Scope:
    cells: dict[str, FormulaValue] = {}
    for each in table.fields:
        value: FormulaValue = record.cells.get(each.id)
        if each.type == "date" and isinstance(value, str):
            value = datetime.combine(date.fromisoformat(value), time(), UTC)
        cells[each.name] = cells[each.id] = value
    return Scope(cells, record.id, now, record.created)


def sort_key(by: Field, value: Value | None) -> tuple[int, float, str]:
    """Orders cells of one field: empty first, choices in their own order, texts without regard to case."""
    if value is None:
        return (0, 0, "")
    if by.type == "singleSelect":
        names = [choice.name for choice in by.choices]
        return (1, names.index(str(value)) if value in names else len(names), "")
    if isinstance(value, str):
        return (1, 0, value.casefold())
    return (1, float(value), "")
