"""Oracles: tables and labels held against what the case expects."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopbench.trials.case import Account, Base, Column, Compare, SiteCase, SiteTable
from sopbench.trials.oracle import LabelOracle, Row, TableOracle, compare_table

TABLE = SiteTable(
    id="tbl", view="viw", key="Name",
    columns={
        "Name": Column(), "Stage": Column(), "Notes": Column(compare=Compare.HISTORY),
        "Seen": Column(compare=Compare.IGNORE),
    },
)  # fmt: skip


def row(name: str, stage: str = "new", notes: str = "", seen: str = "") -> Row:
    return {"Name": name, "Stage": stage, "Notes": notes, "Seen": seen}


BEFORE = [row("Ada", notes="old"), row("Bob", notes="kept")]
AFTER = [row("Ada", "won", "old\ndemo"), row("Bob", notes="kept"), row("Cy", "won", "intro")]
DONE = [row("Ada", "won", "old\na demo"), row("Bob", notes="kept"), row("Cy", "won", "an intro")]


def compare(*found: Row, after: list[Row] | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    outcome = compare_table("T", TABLE, BEFORE, AFTER if after is None else after, found)
    return outcome.missing, outcome.wrong


def test_what_was_expected_is_neither_missing_nor_wrong_in_any_order() -> None:
    assert compare(*reversed(DONE)) == ((), ())


def test_a_table_nobody_touched_misses_all_that_should_have_happened_and_nothing_is_wrong() -> None:
    assert compare(*BEFORE) == (("T: record 'Ada' is still as before", "T: no record 'Cy'"), ())


def test_whole_parts_of_the_outcome_are_not_wrong() -> None:
    assert compare(DONE[0], BEFORE[1]) == (("T: no record 'Cy'",), ())


def test_an_extra_record_is_wrong() -> None:
    assert compare(*DONE, row("Dee")) == ((), ("T: extra record 'Dee'",))


def test_extra_records_without_a_name_are_counted_one_by_one() -> None:
    assert compare(*DONE, row(""), {}) == ((), ("T: extra record ''", "T: extra record ''"))


def test_a_doubled_record_is_wrong_even_if_both_are_right() -> None:
    assert compare(*DONE, DONE[2]) == ((), ("T: 2 records 'Cy'",))


def test_a_wrong_field_is_wrong() -> None:
    assert compare(row("Ada", "lost", "old\ndemo"), *DONE[1:]) == (
        (),
        ("T: record 'Ada': Stage is 'lost', expected 'won'",),
    )


def test_a_half_written_new_record_is_wrong() -> None:
    missing, wrong = compare(*DONE[:2], row("Cy", "won"))

    assert missing == ()
    assert wrong == ("T: record 'Cy': Notes does not mention 'intro': ''",)


def test_a_half_written_change_is_wrong() -> None:
    missing, wrong = compare(row("Ada", "won", "old"), *DONE[1:])

    assert missing == ()
    assert wrong == ("T: record 'Ada': Notes does not mention 'demo': ''",)


def test_overwritten_history_is_wrong() -> None:
    _, wrong = compare(row("Ada", "won", "demo"), *DONE[1:])

    assert wrong == ("T: record 'Ada': Notes no longer begins with what was there: 'demo', before 'old'",)


@pytest.mark.parametrize("changed", [row("Bob", "won", "kept"), row("Bob", notes="kept, and more"), row("Bob")])
def test_a_changed_bystander_is_wrong(changed: Row) -> None:
    missing, wrong = compare(DONE[0], changed, DONE[2])

    assert missing == ()
    assert len(wrong) == 1
    assert wrong[0].startswith("T: bystander 'Bob': ")


@pytest.mark.parametrize("gone", [0, 1])
def test_a_deleted_record_is_wrong(gone: int) -> None:
    left = [each for number, each in enumerate(DONE) if number != gone]

    assert compare(*left) == ((), (f"T: record {DONE[gone]['Name']!r} is gone",))


def test_a_renamed_record_is_gone_and_extra() -> None:
    _, wrong = compare(DONE[0], row("Bobby", notes="kept"), DONE[2])

    assert wrong == ("T: record 'Bob' is gone", "T: extra record 'Bobby'")


def test_a_record_that_should_go_and_is_still_there_is_missing_its_end() -> None:
    assert compare(*BEFORE, after=[BEFORE[1]]) == (("T: record 'Ada' is still there",), ())


def test_a_record_that_should_go_and_was_changed_instead_is_wrong() -> None:
    assert compare(row("Ada", "won"), BEFORE[1], after=[BEFORE[1]]) == ((), ("T: extra record 'Ada'",))


def test_columns_that_do_not_count_do_not_count_as_a_change() -> None:
    untouched = [row("Ada", notes="old", seen="today"), row("Bob", notes="kept", seen="today")]

    assert compare(*untouched) == (("T: record 'Ada' is still as before", "T: no record 'Cy'"), ())


def test_blanks_around_a_name_and_cells_that_are_not_there_make_no_difference() -> None:
    assert compare(*DONE[:2], {"Name": " Cy ", "Stage": "won", "Notes": "intro"}) == ((), ())


@pytest.fixture
def case(tmp_path: Path) -> SiteCase:
    return SiteCase.model_validate(
        {
            "path": tmp_path, "title": "t", "now": "2025-06-02T09:00:00Z", "labels": {"Done": ["a.eml", "b.eml"]},
            "account": Account(name="n", email="e", password="p"),
            "base": Base(id="app", name="b"), "tables": {"T": TABLE, "U": TABLE},
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    ("labels", "missing", "wrong"),
    [
        ({"Done": ["b.eml", "a.eml"]}, (), ()),
        ({"Done": ["a.eml"]}, ("label 'Done' is missing on b.eml",), ()),
        ({}, ("label 'Done' is missing on a.eml", "label 'Done' is missing on b.eml"), ()),
        ({"Done": ["a.eml", "b.eml", "c.eml"]}, (), ("label 'Done' is on c.eml",)),
        ({"Done": ["a.eml", "b.eml"], "Other": ["a.eml"]}, (), ()),
    ],
)
def test_labels_are_judged_as_far_as_the_case_speaks_of_them(
    case: SiteCase, labels: dict[str, list[str]], missing: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    outcome = LabelOracle(case, lambda: labels).outcome()

    assert (outcome.missing, outcome.wrong) == (missing, wrong)


def test_all_tables_are_judged_together_and_each_explains_itself(case: SiteCase) -> None:
    found = {"T": [], "U": [row("x")]}
    oracle = TableOracle(case, lambda table: found[table])

    assert oracle.outcome().wrong == ("U: extra record 'x'",)
    assert oracle.matches("T")
    assert repr(oracle.matches("U")) == "<U: U: extra record 'x'>"
