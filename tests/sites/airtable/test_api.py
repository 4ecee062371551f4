from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
import requests
from pyairtable import Api
from pyairtable.formulas import AND, EQ, GT, SEARCH, Field, match

from tests.sites.airtable.conftest import BASE, TABLE, VIEW

if TYPE_CHECKING:
    from pyairtable import Table

    from tests.sites.airtable.conftest import Running


@pytest.fixture
def table(running: Running) -> Table:
    return running.api.table(BASE, "Investors")


def get(running: Running, path: str, token: str | None = None, **params: Any) -> requests.Response:
    headers = {"Authorization": f"Bearer {token or running.site.base.token}"}
    return requests.get(f"{running.url}/v0/{path}", headers=headers, params=params, timeout=5)


def test_records_are_listed_with_empty_cells_left_out(table: Table) -> None:
    first, second = table.all(max_records=2)

    assert "Commitment" not in first["fields"]
    assert "Accredited" not in first["fields"]
    assert second["fields"]["Commitment"] == 25_000
    assert second["fields"]["Accredited"] is True
    assert second["createdTime"].endswith("Z")


def test_a_table_is_found_by_its_id_and_its_view_by_id_or_name(running: Running) -> None:
    table = running.api.table(BASE, TABLE)

    assert len(table.all(view=VIEW)) == len(table.all(view="Grid view")) == 24


async def test_more_than_a_hundred_records_come_in_pages(crowded: Running) -> None:
    pages = await asyncio.to_thread(lambda: list(crowded.api.table(BASE, "Investors").iterate(fields=["Name"])))

    assert [len(page) for page in pages] == [100] * 5
    assert pages[4][99]["fields"] == {"Name": "Investor 499"}


def test_fields_sort_and_limit_are_obeyed(table: Table) -> None:
    records = table.all(fields=["Name", "Status"], sort=["Status", "-Name"], max_records=6)

    names = [record["fields"]["Name"] for record in records]
    assert names == ["Investor 019", "Investor 014", "Investor 009", "Investor 004", "Investor 020", "Investor 015"]
    assert records[5]["fields"] == {"Name": "Investor 015", "Status": "New"}


def test_formulas_of_the_real_client_filter(table: Table) -> None:
    by_match = table.all(formula=match({"City": "Lisbon", "Commitment": (">=", 400_000)}))
    by_search = table.all(formula=AND(GT(SEARCH("investor 00", Field("Name")), 0), EQ(Field("Status"), "Passed")))

    assert [record["fields"]["Name"] for record in by_match] == ["Investor 016", "Investor 020"]
    assert [record["fields"]["Name"] for record in by_search] == ["Investor 003", "Investor 008"]


def test_a_formula_too_long_for_an_address_is_posted(table: Table) -> None:
    names = " , ".join(f"{{Name}} = 'Nobody in particular, number {number}'" for number in range(500))

    records = table.all(formula=f"OR({names}, {{Name}} = 'Investor 007')")

    assert [record["fields"]["Name"] for record in records] == ["Investor 007"]


def test_one_record_is_read_made_changed_and_deleted(running: Running, table: Table) -> None:
    made = table.create({"Name": "Harbour Capital", "Commitment": 1.5, "Accredited": True})
    table.update(made["id"], {"City": "Porto", "Accredited": False})
    read = table.get(made["id"])
    replaced = table.update(made["id"], {"Name": "Harbour"}, replace=True)
    deleted = table.delete(made["id"])

    assert read["fields"] == {"Name": "Harbour Capital", "Commitment": 1.5, "City": "Porto"}
    assert replaced["fields"] == {"Name": "Harbour"}
    assert deleted == {"id": made["id"], "deleted": True}
    assert len(running.site.base.rows("Investors")) == 24


def test_records_are_written_in_batches(running: Running, table: Table) -> None:
    made = table.batch_create([{"Name": f"Batch {number}"} for number in range(12)])
    table.batch_update([{"id": record["id"], "fields": {"City": "Rome"}} for record in made])

    assert [row["City"] for row in running.site.base.rows("Investors")[24:]] == ["Rome"] * 12
    assert len(table.batch_delete([record["id"] for record in made])) == 12


def test_upsert_changes_what_is_there_and_makes_what_is_not(running: Running, table: Table) -> None:
    result = table.batch_upsert(
        [
            {"fields": {"Name": "Investor 003", "City": "Turin"}},
            {"fields": {"Name": "Somebody New", "City": "Turin"}},
        ],
        key_fields=["Name"],
    )

    assert (len(result["updatedRecords"]), len(result["createdRecords"])) == (1, 1)
    assert running.row("Investor 003")["City"] == "Turin"
    assert running.row("Investor 003")["Owner"] == "Dana"
    assert running.row("Somebody New")["City"] == "Turin"


def test_typecast_makes_a_choice_that_is_missing(running: Running, table: Table) -> None:
    made = table.create({"Name": "A", "Status": "On hold", "Last contact": "6/2/2026"}, typecast=True)

    assert made["fields"] == {"Name": "A", "Status": "On hold", "Last contact": "2026-06-02"}
    assert running.site.base.table("Investors").field("Status").choice("On hold")


def test_the_schema_is_read_by_the_real_client(running: Running) -> None:
    base = running.api.base(BASE)

    schema = base.schema().table("Investors")

    assert running.api.bases()[0].name == "Fundraising"
    assert schema.primary_field_id == schema.field("Name").id
    assert [field.type for field in schema.fields[:7]] == [
        "singleLineText",
        "email",
        "singleSelect",
        "number",
        "date",
        "checkbox",
        "multilineText",
    ]
    assert schema.view("Grid view").id == VIEW


def test_the_sixth_request_within_a_second_is_refused(running: Running) -> None:
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: get(running, f"{BASE}/Investors", maxRecords=1), range(6)))

    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [429]
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.json()["errors"][0]["error"] == "RATE_LIMIT_REACHED"


def test_the_real_client_waits_for_the_limit_and_gets_through(table: Table) -> None:
    records = [table.all(max_records=1) for _ in range(8)]

    assert all(records)


@pytest.mark.parametrize(
    ("path", "params", "status", "kind"),
    [
        (f"{BASE}/Nowhere", {}, 403, "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND"),
        ("appOther000000001/Investors", {}, 403, "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND"),
        (f"{BASE}/Investors", {"filterByFormula": "{Town}=1"}, 422, "INVALID_FILTER_BY_FORMULA"),
        (f"{BASE}/Investors", {"filterByFormula": "WORDS(1)"}, 422, "INVALID_FILTER_BY_FORMULA"),
        (f"{BASE}/Investors", {"fields[]": "Town"}, 422, "UNKNOWN_FIELD_NAME"),
        (f"{BASE}/Investors", {"view": "Other"}, 422, "VIEW_NAME_NOT_FOUND"),
        (f"{BASE}/Investors", {"pageSize": "0"}, 422, "INVALID_REQUEST_UNKNOWN"),
        (f"{BASE}/Investors", {"offset": "itr/rec"}, 422, "LIST_RECORDS_ITERATOR_NOT_AVAILABLE"),
    ],
)
def test_a_request_that_cannot_be_answered_gets_the_real_error(
    running: Running, path: str, params: dict[str, str], status: int, kind: str
) -> None:
    answer = get(running, path, **params)

    assert (answer.status_code, answer.json()["error"]["type"]) == (status, kind)


def test_a_record_that_is_not_there_is_not_found(running: Running) -> None:
    answer = get(running, f"{BASE}/Investors/recAAAAAAAAAAAAAA")

    assert (answer.status_code, answer.json()) == (404, {"error": "NOT_FOUND"})


def test_without_the_right_token_nothing_is_told(running: Running) -> None:
    wrong = get(running, f"{BASE}/Investors", token="patOther")
    missing = requests.get(f"{running.url}/v0/{BASE}/Investors", timeout=5)

    assert (wrong.status_code, wrong.json()["error"]["type"]) == (401, "UNAUTHORIZED")
    assert (missing.status_code, missing.json()["error"]["type"]) == (401, "AUTHENTICATION_REQUIRED")


def test_one_wrong_record_of_a_batch_keeps_all_from_being_written(running: Running, table: Table) -> None:
    with pytest.raises(requests.HTTPError, match="INVALID_MULTIPLE_CHOICE_OPTIONS"):
        table.batch_create([{"Name": "Good"}, {"Name": "Bad", "Status": "Unheard of"}])

    assert len(running.site.base.rows("Investors")) == 24


def test_the_host_name_decides_between_app_and_api(running: Running) -> None:
    token = {"Authorization": f"Bearer {running.site.base.token}"}

    api = requests.get(f"{running.url}/v0/meta/bases", headers={"Host": "api.airtable.com", **token}, timeout=5)
    app = requests.get(f"{running.url}/v0/meta/bases", headers={"Host": "airtable.com"}, timeout=5)

    assert api.json()["bases"][0]["id"] == BASE
    assert app.headers["content-type"].startswith("text/html")


def test_a_client_of_its_own_endpoint_needs_nothing_else(running: Running) -> None:
    api = Api(running.site.base.token, endpoint_url=running.url, retry_strategy=None)

    assert api.table(BASE, "Investors").first(formula=match({"Name": "Investor 005"})) is not None
