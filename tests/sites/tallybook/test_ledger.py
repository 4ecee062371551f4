"""The books and the statement of a week."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sopbench.errors import CaseInvalid
from sopbench.sites.tallybook.ledger import Ledger
from sopbench.trials.case import SiteCase

MakeCase = Callable[..., SiteCase]


def test_a_week_is_stated_beside_the_week_before(case: SiteCase) -> None:
    report = Ledger(case).report("2025-W22")

    assert report is not None
    assert (report["starts"], report["ends"], report["before"]["id"]) == ("2025-05-26", "2025-06-01", "2025-W21")
    assert (report["net"], report["netBefore"]) == (-94975, 60000)
    assert (report["cash"], report["cashBefore"]) == (965025, 1060000)


def test_entries_of_one_category_are_added_up_and_money_out_is_negative(case: SiteCase) -> None:
    report = Ledger(case).report("2025-W22")

    assert report is not None
    money_in, money_out = report["sections"]
    assert money_in["lines"] == [{"category": "Subscriptions", "amount": 135050, "before": 100000}]
    assert [line["amount"] for line in money_out["lines"]] == [-200000, -30025]
    assert (money_out["total"], money_out["totalBefore"]) == (-230025, -40000)


def test_the_first_week_has_none_before_it(case: SiteCase) -> None:
    report = Ledger(case).report("2025-W21")

    assert report is not None
    assert (report["before"], report["netBefore"], report["cashBefore"]) == (None, None, 1000000)


def test_the_week_of_the_present_is_shown_first_and_is_not_over(case: SiteCase) -> None:
    ledger = Ledger(case)

    assert ledger.default_week() == "2025-W23"
    assert [(week["id"], week["open"]) for week in ledger.weeks()] == [
        ("2025-W23", True),
        ("2025-W22", False),
        ("2025-W21", False),
    ]


def test_a_week_without_books_has_no_report(case: SiteCase) -> None:
    assert Ledger(case).report("2024-W01") is None


def test_yen_have_no_cents(make_case: MakeCase) -> None:
    ledger = Ledger(make_case("Week,Flow,Category,Amount\n2025-05-26,in,Licences,1200\n", currency="JPY"))
    report = ledger.report("2025-W22")

    assert report is not None
    assert (ledger.minor_digits(), report["cash"]) == (0, 11200)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("2025-05-27,in,Sales,1", "2025-05-27 is no Monday"),
        ("May 26,in,Sales,1", "not a day and an amount"),
        ("2025-05-26,in,Sales,a lot", "not a day and an amount"),
        ("2025-05-26,sideways,Sales,1", "money goes 'in' or 'out'"),
        ("2025-05-26,out,Payroll,-1", "its amount is not negative"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: str, problem: str, make_case: MakeCase) -> None:
    with pytest.raises(CaseInvalid, match=f"books.csv:2: .*{problem}"):
        Ledger(make_case(f"Week,Flow,Category,Amount\n{line}\n"))


def test_books_without_entries_are_refused(make_case: MakeCase) -> None:
    with pytest.raises(CaseInvalid, match="needs at least one week"):
        Ledger(make_case("Week,Flow,Category,Amount\n"))


def test_a_case_without_books_is_refused(case: SiteCase) -> None:
    with pytest.raises(CaseInvalid, match=r"needs \[books\]"):
        Ledger(case.model_copy(update={"books": None}))
