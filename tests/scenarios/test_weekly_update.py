"""What the weekly update makes of missing figures, and of an opening that tells true figures of the wrong thing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sopbench.sop.loader import load
from sopbench.sop.templates import value_of
from sopbench.sop.verbs.thinking import Set

DOCUMENT = Path(__file__).parents[2] / "scenarios" / "weekly_update" / "weekly_update.sop.json"
GOOD: dict[str, Any] = {
    "week_ending": "2025-06-01",
    "shareholders": [{"name": "Ann Lee"}, {"name": "Jürgen Groß"}, {"name": "Ida Bø"}],
    "currency_sign": "$",
    "mrr": 305332, "mrr_text": "305,332", "mrr_before": 285012, "mrr_before_text": "285,012",
    "new_customers": 1, "churned_customers": 4, "active_customers": 36, "headcount": 126,
    "highlight": "The audit closed\n without findings.",
    "cash_text": "$2,172,428.69", "money_in_text": "$92,192.29", "money_out_text": "$45,132.91",
    "net": 47059.38, "net_text": "$47,059.38",
}  # fmt: skip


def worked_out(skill: str, variables: dict[str, Any]) -> dict[str, Any]:
    """The variables after the expressions of a skill."""
    document = load(DOCUMENT).sop
    found = dict(variables)
    for action in next(each for each in document.private.skills if each.id == skill).actions:
        assert isinstance(action, Set)
        found[action.into] = value_of(action.to, found)
    return found


def lines(**changed: Any) -> dict[str, Any]:
    return worked_out("ui_work_out", GOOD | changed)


def opening(revenue: str, cash: str, **changed: Any) -> str:
    known = lines(**changed) | {"opening": {"revenue": revenue, "cash": cash}}
    return str(worked_out("ui_opening_or_plain", known)["opening_text"])


def test_every_line_says_its_figures_as_the_pages_write_them() -> None:
    told = lines()

    assert told["greeting"] == "Ann, Jürgen and Ida"
    assert told["mrr_line"] == "MRR: $305,332, up 7.1% on the week before ($285,012)"
    assert told["customers_line"] == "Customers: 1 new, 4 churned, net -3; 36 active"
    assert told["flow_line"] == "Money in: $92,192.29; money out: $45,132.91; net cash flow: $47,059.38"
    assert told["highlight_line"] == "Highlight: The audit closed without findings."


@pytest.mark.parametrize(
    ("changed", "line", "text"),
    [
        ({"mrr": None}, "mrr_line", "MRR: not reported for this week"),
        ({"mrr_before": None}, "mrr_line", "MRR: $305,332 (no figure for the week before to compare with)"),
        ({"mrr_before": 0}, "mrr_line", "MRR: $305,332 (no figure for the week before to compare with)"),
        ({"mrr_before": 305332}, "mrr_line", "MRR: $305,332, unchanged on the week before"),
        ({"mrr_before": 320000}, "mrr_line", "MRR: $305,332, down 4.6% on the week before ($285,012)"),
        ({"headcount": None}, "headcount_line", "Headcount: not reported for this week"),
        ({"headcount": 0}, "headcount_line", "Headcount: 0"),
        ({"highlight": ""}, "highlight_line", "Highlight: not reported for this week"),
        (
            {"churned_customers": None},
            "customers_line",
            "Customers: new and churned not reported for this week; 36 active",
        ),
        (
            {"net": -12400.0, "net_text": "($12,400.00)"},
            "flow_line",
            "Money in: $92,192.29; money out: $45,132.91; net cash flow: -$12,400.00",
        ),
    ],
)
def test_what_is_missing_is_said_to_be_missing_and_a_loss_is_negative(
    changed: dict[str, Any], line: str, text: str
) -> None:
    assert lines(**changed)[line] == text


RIGHT = "Monthly recurring revenue was $305,332, up 7.1% on the week before ($285,012)"
CASH = "We closed the week with a cash balance of $2,172,428.69 and a net cash flow of $47,059.38."
PLAIN = "Here is our update for the week ending June 1, 2025."


def test_an_opening_that_tells_its_own_figures_is_kept() -> None:
    assert opening(RIGHT, CASH) == f"{RIGHT}. {CASH}"


@pytest.mark.parametrize(
    ("revenue", "cash"),
    [
        ("Monthly recurring revenue was $2,172,428.69, up 7.1%.", CASH),
        ("Monthly recurring revenue was $305,332, down 7.1% on the week before.", CASH),
        (RIGHT, "We closed the week with a cash balance of $47,059.38."),
        (RIGHT, "We closed the week with a cash balance of $2,172,428.69."),
    ],
)
def test_true_figures_told_of_the_wrong_thing_are_not_used(revenue: str, cash: str) -> None:
    assert opening(revenue, cash) == PLAIN


def test_no_figure_stands_where_revenue_was_not_reported() -> None:
    assert opening("Monthly recurring revenue was not reported.", CASH, mrr=None).startswith("Monthly recurring")
    assert opening("Monthly recurring revenue was $2,172,428.69.", CASH, mrr=None) == PLAIN
