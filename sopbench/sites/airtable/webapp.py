"""The web application's server side: its page, its static files, and the private endpoints the page talks to.

    GET  /v0.3/application/{base}/read          schema of the base, ids for records the page will make
    GET  /v0.3/table/{table}/readData           all records
    GET  /v0.3/table/{table}/changes?since=N    what changed after revision N
    POST /v0.3/row/{record}/create              {"tableId", "cells"}
    POST /v0.3/row/{record}/updateCells         {"tableId", "cells"}
    POST /v0.3/row/{record}/destroy             {"tableId"}
    GET  /v0.3/form/{form}/read                 what a form asks for, and an id for the record it will make
    POST /v0.3/form/{form}/submit               {"rowId", "cells"}: one record, all its cells at once

Cells are values by field id; an empty one is null. Every answer to a write has the record as it is now.
"""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from sopbench.sites.airtable.ids import identifier
from sopbench.sites.airtable.pace import Latency
from sopbench.sites.airtable.refusals import Refused, bad_request, model_not_found

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from sopbench.sites.airtable.base import Base, Record, Table
    from sopbench.trials.case import Account

_STATIC = Path(__file__).parent / "static"
_COOKIE = "airtable-session"
_RESERVED = 24


class WebApp:
    """The pages of one base, as a Starlette application.

    With ``signed_in`` any page hands out a session to a visitor without one; otherwise it leads to ``/login``, which
    accepts the account's e-mail and password.
    """

    def __init__(self, base: Base, account: Account, seed: int, *, signed_in: bool) -> None:
        self._base = base
        self._account = account
        self._seed = seed
        self._signed_in = signed_in
        self.session = identifier("ses", seed, base.id)
        self._clients = 0
        self._ended = 0
        self._reads = Latency(seed, "reads")
        self._writes = Latency(seed, "writes")
        self.app = Starlette(
            routes=[
                Route("/static/{path:path}", self._static),
                Route("/favicon.ico", self._icon),
                self._private("/v0.3/application/{base}/read", self._read, self._reads, "GET"),
                self._private("/v0.3/applications", self._applications, self._reads, "GET"),
                self._private("/v0.3/table/{table}/readData", self._read_data, self._reads, "GET"),
                self._private("/v0.3/table/{table}/changes", self._changes, None, "GET"),
                self._private("/v0.3/row/{record}/create", self._create, self._writes, "POST"),
                self._private("/v0.3/row/{record}/updateCells", self._update, self._writes, "POST"),
                self._private("/v0.3/row/{record}/destroy", self._destroy, self._writes, "POST"),
                self._private("/v0.3/form/{form}/read", self._read_form, self._reads, "GET"),
                self._private("/v0.3/form/{form}/submit", self._submit_form, self._writes, "POST"),
                Route("/auth/login", self._login, methods=["POST"]),
                Route("/login", self._page),
                Route("/{path:path}", self._page),
            ]
        )

    def end_sessions(self) -> None:
        """Sign everybody out; pages lead to ``/login`` from now on."""
        self._ended += 1
        self.session = identifier("ses", self._seed, self._base.id, self._ended)
        self._signed_in = False

    def _private(
        self, path: str, answer: Callable[[Request], Awaitable[Any]], latency: Latency | None, method: str
    ) -> Route:
        async def endpoint(request: Request) -> Response:
            try:
                if not self._has_session(request):
                    raise Refused(401, "UNAUTHORIZED", "You are not signed in")
                if latency:
                    await latency.wait()
                return JSONResponse(await answer(request), headers={"Cache-Control": "no-store"})
            except Refused as refused:
                return JSONResponse(refused.body(), refused.status)

        return Route(path, endpoint, methods=[method])

    def _has_session(self, request: Request) -> bool:
        return hmac.compare_digest(request.cookies.get(_COOKIE, ""), self.session)

    async def _page(self, request: Request) -> Response:
        has_session = self._has_session(request)
        path = request.url.path
        if not has_session and not self._signed_in and path != "/login":
            return RedirectResponse(f"/login?continue={quote(path)}", 302)
        page = FileResponse(_STATIC / "index.html", headers={"Cache-Control": "no-cache"})
        if not has_session and self._signed_in:
            self._hand_out(page, request)
        return page

    def _hand_out(self, response: Response, request: Request) -> None:
        secure = request.url.scheme == "https"
        response.set_cookie(_COOKIE, self.session, httponly=True, samesite="lax", secure=secure)

    async def _login(self, request: Request) -> Response:
        body = await _json(request)
        await self._reads.wait()
        email, password = str(body.get("email", "")), str(body.get("password", ""))
        if email.strip().lower() != self._account.email.lower():
            return JSONResponse({"error": "No account was found with this email address."}, 401)
        if "password" in body and password != self._account.password:
            return JSONResponse({"error": "Incorrect email or password."}, 401)
        answer = JSONResponse({"ok": True})
        if "password" in body:
            self._hand_out(answer, request)
        return answer

    async def _static(self, request: Request) -> Response:
        file = (_STATIC / request.path_params["path"]).resolve()
        if not file.is_relative_to(_STATIC) or not file.is_file():
            return Response(status_code=404)
        return FileResponse(file, headers={"Cache-Control": "public, max-age=3600"})

    async def _icon(self, _: Request) -> Response:
        return FileResponse(_STATIC / "favicon.svg", headers={"Cache-Control": "public, max-age=3600"})

    async def _applications(self, _: Request) -> Any:
        return {"applications": [{"id": self._base.id, "name": self._base.name}], "user": self._user()}

    async def _read(self, request: Request) -> Any:
        if request.path_params["base"] != self._base.id:
            raise model_not_found()
        self._clients += 1
        return {
            "id": self._base.id,
            "name": self._base.name,
            "schemaRevision": self._base.schema_revision,
            "today": self._base.now().date().isoformat(),
            "user": self._user(),
            "newRowIds": [identifier("rec", self._seed, "page", self._clients, n) for n in range(_RESERVED)],
            "tables": [
                {
                    "id": table.id,
                    "name": table.name,
                    "view": {"id": table.view_id, "name": table.view_name},
                    "fields": [each.schema() for each in table.fields],
                }
                for table in self._base.tables.values()
            ],
        }

    def _user(self) -> dict[str, str]:
        return {"name": self._account.name, "email": self._account.email}

    async def _read_data(self, request: Request) -> Any:
        table = self._base.table(request.path_params["table"])
        return {"revision": self._base.revision, "rows": [_row(record) for record in table.records.values()]}

    async def _changes(self, request: Request) -> Any:
        table = self._base.table(request.path_params["table"])
        since = int(request.query_params.get("since", "0"))
        return {
            "revision": self._base.revision,
            "schemaRevision": self._base.schema_revision,
            "rows": [_row(record) for record in table.records.values() if record.revision > since],
            "destroyed": [record_id for record_id, revision in table.deleted.items() if revision > since],
        }

    async def _create(self, request: Request) -> Any:
        body, table = await self._target(request)
        cells = self._base.checked(table, body.get("cells") or {})
        record = self._base.create(table, cells, request.path_params["record"])
        fresh = identifier("rec", self._seed, "after", record.id)
        return {"row": _row(record), "newRowId": fresh}

    async def _update(self, request: Request) -> Any:
        body, table = await self._target(request)
        cells = self._base.checked(table, body.get("cells") or {})
        return {"row": _row(self._base.update(table, request.path_params["record"], cells))}

    async def _destroy(self, request: Request) -> Any:
        _, table = await self._target(request)
        record_id = request.path_params["record"]
        if record_id in table.records:
            self._base.delete(table, record_id)
        return {"destroyed": record_id}

    async def _read_form(self, request: Request) -> Any:
        table = self._form_table(request)
        self._clients += 1
        return {
            "id": table.form_id,
            "name": f"Add to {table.name}",
            "base": self._base.name,
            "today": self._base.now().date().isoformat(),
            "fields": [each.schema() for each in table.fields],
            "rowId": identifier("rec", self._seed, "form", self._clients),
        }

    async def _submit_form(self, request: Request) -> Any:
        body, table = await _json(request), self._form_table(request)
        cells = self._base.checked(table, body.get("cells") or {})
        record = self._base.create(table, cells, str(body.get("rowId")))
        return {"row": _row(record), "rowId": identifier("rec", self._seed, "form after", record.id)}

    def _form_table(self, request: Request) -> Table:
        form = request.path_params["form"]
        for table in self._base.tables.values():
            if table.form_id == form:
                return table
        raise model_not_found()

    async def _target(self, request: Request) -> tuple[dict[str, Any], Table]:
        body = await _json(request)
        return body, self._base.table(str(body.get("tableId")))


async def _json(request: Request) -> dict[str, Any]:
    try:
        body = await request.json()
    except ValueError:
        raise bad_request() from None
    if not isinstance(body, dict):
        raise bad_request()
    return body


def _row(record: Record) -> dict[str, Any]:
    return {"id": record.id, "revision": record.revision, "cells": record.cells}
