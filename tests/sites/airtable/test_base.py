from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sopbench.errors import CaseInvalid
from sopbench.sites.airtable.base import Base
from sopbench.sites.airtable.ids import RECORD_ID
from sopbench.sites.airtable.refusals import Refused
from sopbench.trials.case import Column, SiteCase, SiteTable
from tests.sites.airtable.conftest import COLUMNS, investor, make_case

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def base(case: SiteCase) -> Base:
    return Base(case, seed=7, clock=lambda: 0.0)


def test_the_rows_of_the_case_come_back_as_they_were_written(base: Base) -> None:
    rows = base.rows("Investors")

    assert rows == [investor(number) for number in range(24)]


def test_the_same_seed_and_operations_give_the_same_ids(case: SiteCase) -> None:
    first, second, other = Base(case, 7), Base(case, 7), Base(case, 8)

    made = [each.create(each.table("Investors"), {}).id for each in (first, second, other)]

    assert made[0] == made[1] != made[2]
    assert RECORD_ID.fullmatch(made[0])
    assert list(first.table("Investors").records) == list(second.table("Investors").records)


def test_values_are_held_typed_and_empty_cells_not_at_all(base: Base) -> None:
    table = base.table("Investors")
    first, second = list(table.records.values())[:2]

    assert table.field("Commitment").id not in first.cells
    assert table.field("Accredited").id not in first.cells
    assert second.cells[table.field("Commitment").id] == 25_000
    assert second.cells[table.field("Accredited").id] is True


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("Status", "Rejected", "INVALID_MULTIPLE_CHOICE_OPTIONS"),
        ("Commitment", "12", "INVALID_VALUE_FOR_COLUMN"),
        ("Commitment", True, "INVALID_VALUE_FOR_COLUMN"),
        ("Commitment", float("nan"), "INVALID_VALUE_FOR_COLUMN"),
        ("Last contact", "6/2/2026", "INVALID_VALUE_FOR_COLUMN"),
        ("Accredited", "yes", "INVALID_VALUE_FOR_COLUMN"),
        ("Name", 5, "INVALID_VALUE_FOR_COLUMN"),
        ("Town", "Oslo", "UNKNOWN_FIELD_NAME"),
    ],
)
def test_a_value_that_does_not_fit_its_field_is_refused(base: Base, name: str, value: Any, kind: str) -> None:
    with pytest.raises(Refused) as refused:
        base.checked(base.table("Investors"), {name: value})

    assert (refused.value.status, refused.value.kind) == (422, kind)


@pytest.mark.parametrize(
    ("name", "value", "held"),
    [
        ("Commitment", "1,250.5", 1250.5),
        ("Last contact", "6/2/2026", "2026-06-02"),
        ("Accredited", "checked", True),
        ("Accredited", "false", None),
        ("Status", "On hold", "On hold"),
        ("Name", 12, "12"),
        ("Name", "", None),
    ],
)
def test_typecast_brings_a_value_to_the_type_of_its_field(base: Base, name: str, value: Any, held: Any) -> None:
    table = base.table("Investors")

    assert base.checked(table, {name: value}, typecast=True) == {table.field(name).id: held}


def test_every_change_raises_the_revision_by_one(base: Base) -> None:
    table = base.table("Investors")
    before = base.revision

    record = base.create(table, {})
    base.update(table, record.id, base.checked(table, {"Name": "New Fund"}))
    base.delete(table, record.id)

    assert base.revision == before + 3
    assert record.revision == before + 2
    assert table.deleted == {record.id: before + 3}


def test_a_record_asked_for_twice_with_the_same_id_is_made_once(base: Base) -> None:
    table = base.table("Investors")

    made = [base.create(table, {}, "recAAAAAAAAAAAAAA") for _ in range(2)]

    assert made[0] is made[1]
    assert len(table.records) == 25


def test_the_present_is_the_clock_of_the_case_and_the_time_since(case: SiteCase) -> None:
    seconds = [100.0]
    base = Base(case, 7, clock=lambda: seconds[0])

    seconds[0] += 2.5

    assert base.create(base.table("Investors"), {}).created_time == "2026-06-02T07:00:02.500Z"


def test_a_row_that_does_not_fit_names_its_file_and_line(tmp_path: Path) -> None:
    case = make_case(tmp_path / "day", 2)
    columns = {**COLUMNS, "Status": Column(type="singleSelect", options=("New",))}
    tables = {"Investors": SiteTable(id="tbl1", view="viw1", key="Name", columns=columns)}
    wrong = case.model_copy(update={"tables": tables})

    with pytest.raises(CaseInvalid, match=r"before/Investors\.csv:3: .*Contacted"):
        Base(wrong, 1)


def test_an_unknown_column_type_is_named(case: SiteCase) -> None:
    tables = {"T": SiteTable(id="tbl1", view="viw1", key="A", columns={"A": Column(type="barcode")})}
    wrong = case.model_copy(update={"tables": tables})

    with pytest.raises(CaseInvalid, match="column 'A' has type 'barcode'"):
        Base(wrong, 1)
