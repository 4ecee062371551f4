"""The REST API, ``/v0/…``: records and metadata, as Airtable documents them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sopbench.sites.airtable.pace import Latency, RateLimit
from sopbench.sites.airtable.query import Listing, Query, flag, from_body, from_params, record_json
from sopbench.sites.airtable.refusals import Refused, bad_request, model_not_found, not_authenticated, row_missing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from sopbench.sites.airtable.base import Base, Record, Table
    from sopbench.sites.airtable.fields import Value

_BATCH = 10
_TOO_FAST = {
    "errors": [
        {"error": "RATE_LIMIT_REACHED", "message": "Rate limit exceeded. Please try again later"},
    ]
}


class Api:
    """The API of one base, as a Starlette application."""

    def __init__(self, base: Base, seed: int) -> None:
        self._base = base
        self._listing = Listing(base, seed)
        self._latency = Latency(seed, "api")
        self._rate = RateLimit()
        records, record = "/v0/{base}/{table}", "/v0/{base}/{table}/{record}"
        self.app = Starlette(
            routes=[
                self._route("/v0/meta/bases", self._bases, "GET"),
                self._route("/v0/meta/bases/{base}/tables", self._tables, "GET"),
                self._route("/v0/{base}/{table}/listRecords", self._list, "POST"),
                self._route(records, self._list, "GET"),
                self._route(records, self._create, "POST"),
                self._route(records, self._update_many, "PATCH", "PUT"),
                self._route(records, self._delete_many, "DELETE"),
                self._route(record, self._get, "GET"),
                self._route(record, self._update, "PATCH", "PUT"),
                self._route(record, self._delete, "DELETE"),
            ],
            exception_handlers={404: _no_such_path},
        )

    def _route(self, path: str, answer: Callable[[Request], Awaitable[Any]], *methods: str) -> Route:
        async def endpoint(request: Request) -> Response:
            try:
                self._admit(request)
                if "base" in request.path_params and not self._rate.take():
                    return JSONResponse(_TOO_FAST, 429)
                await self._latency.wait()
                return JSONResponse(await answer(request))
            except Refused as refused:
                return JSONResponse(refused.body(), refused.status)

        return Route(path, endpoint, methods=list(methods))

    def _admit(self, request: Request) -> None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or token.strip() != self._base.token:
            raise not_authenticated(given=bool(token))
        if request.path_params.get("base", self._base.id) != self._base.id:
            raise model_not_found()

    def _table(self, request: Request) -> Table:
        return self._base.table(request.path_params["table"])

    async def _bases(self, _: Request) -> Any:
        return {"bases": [{"id": self._base.id, "name": self._base.name, "permissionLevel": "create"}]}

    async def _tables(self, _: Request) -> Any:
        return {
            "tables": [
                {
                    "id": table.id,
                    "name": table.name,
                    "primaryFieldId": table.fields[0].id,
                    "fields": [each.schema() for each in table.fields],
                    "views": [{"id": table.view_id, "name": table.view_name, "type": "grid"}],
                }
                for table in self._base.tables.values()
            ]
        }

    async def _list(self, request: Request) -> Any:
        if request.method == "GET":
            query = from_params(request.query_params.multi_items())
        else:
            query = from_body(dict(request.query_params.items()) | await _body(request))
        return self._listing.page(self._table(request), query)

    async def _get(self, request: Request) -> Any:
        table = self._table(request)
        query = from_params(request.query_params.multi_items())
        return record_json(table, _existing(table, request), query)

    async def _create(self, request: Request) -> Any:
        table = self._table(request)
        body = await _body(request)
        query = from_body({"returnFieldsByFieldId": body.get("returnFieldsByFieldId")})
        many = body.get("records")
        items = [body] if many is None else _batch(many)
        checked = [self._base.checked(table, _fields(item), typecast=flag(body.get("typecast"))) for item in items]
        made = [record_json(table, self._base.create(table, cells), query) for cells in checked]
        return {"records": made} if many is not None else made[0]

    async def _update(self, request: Request) -> Any:
        table = self._table(request)
        body = await _body(request)
        record = _existing(table, request)
        cells = self._base.checked(table, _fields(body), typecast=flag(body.get("typecast")))
        self._base.update(table, record.id, cells, replace=request.method == "PUT")
        return record_json(table, record, Query(by_id=flag(body.get("returnFieldsByFieldId"))))

    async def _update_many(self, request: Request) -> Any:
        table = self._table(request)
        body = await _body(request)
        items = _batch(body.get("records"))
        upsert = body.get("performUpsert")
        merge_on = upsert.get("fieldsToMergeOn") if isinstance(upsert, dict) else None
        if upsert is not None and not (isinstance(merge_on, list) and 1 <= len(merge_on) <= 3):
            raise bad_request()
        typecast = flag(body.get("typecast"))
        planned: list[tuple[str | None, dict[str, Value | None]]] = []
        for item in items:
            cells = self._base.checked(table, _fields(item), typecast=typecast)
            planned.append((self._target(table, item, cells, merge_on), cells))
        query = Query(by_id=flag(body.get("returnFieldsByFieldId")))
        created, updated, records = [], [], []
        for record_id, cells in planned:
            if record_id is None:
                record = self._base.create(table, cells)
                created.append(record.id)
            else:
                record = self._base.update(table, record_id, cells, replace=request.method == "PUT")
                updated.append(record.id)
            records.append(record_json(table, record, query))
        if merge_on is None:
            return {"records": records}
        return {"records": records, "createdRecords": created, "updatedRecords": updated}

    @staticmethod
    def _target(
        table: Table, item: dict[str, Any], cells: dict[str, Value | None], merge_on: list[str] | None
    ) -> str | None:
        """Id of the record an item is meant for; None when it is to be made."""
        if "id" in item:
            return table.record(str(item["id"])).id
        if merge_on is None:
            raise bad_request()
        keys = [table.field(name).id for name in merge_on]
        if any(cells.get(key) is None for key in keys):
            raise bad_request("Each record must have a value for every field in fieldsToMergeOn")
        same = [r.id for r in table.records.values() if all(r.cells.get(key) == cells[key] for key in keys)]
        if len(same) > 1:
            raise Refused(422, "INVALID_VALUE_FOR_COLUMN", "Cannot update more than one record")
        return same[0] if same else None

    async def _delete(self, request: Request) -> Any:
        table = self._table(request)
        record = _existing(table, request)
        self._base.delete(table, record.id)
        return {"id": record.id, "deleted": True}

    async def _delete_many(self, request: Request) -> Any:
        table = self._table(request)
        params = request.query_params.multi_items()
        ids = [value for key, value in params if key == "records" or key.startswith("records[")]
        if not 1 <= len(ids) <= _BATCH:
            raise _too_many()
        for record_id in ids:
            if record_id not in table.records:
                raise row_missing(record_id)
        for record_id in dict.fromkeys(ids):
            self._base.delete(table, record_id)
        return {"records": [{"id": record_id, "deleted": True} for record_id in dict.fromkeys(ids)]}


def _existing(table: Table, request: Request) -> Record:
    record = table.records.get(request.path_params["record"])
    if record is None:
        raise Refused(404, "NOT_FOUND")
    return record


def _too_many() -> Refused:
    message = f"You must provide an array of up to {_BATCH} record objects"
    return Refused(422, "INVALID_RECORDS", message)


def _batch(items: Any) -> list[dict[str, Any]]:
    if not isinstance(items, list) or not 1 <= len(items) <= _BATCH:
        raise _too_many()
    if not all(isinstance(item, dict) for item in items):
        raise bad_request()
    return items


def _fields(item: dict[str, Any]) -> dict[str, Any]:
    fields = item.get("fields")
    if not isinstance(fields, dict):
        raise Refused(422, "INVALID_REQUEST_MISSING_FIELDS", 'Could not find field "fields" in the request body')
    return fields


async def _body(request: Request) -> dict[str, Any]:
    try:
        body = await request.json()
    except ValueError:
        raise Refused(422, "INVALID_REQUEST_BODY", "Could not parse request body") from None
    if not isinstance(body, dict):
        raise bad_request()
    return body


async def _no_such_path(_: Request, __: Exception) -> Response:
    return JSONResponse({"error": "NOT_FOUND"}, 404)
