"""The weekly cases that come with the project say the same thing in their tables, their books and their drafts."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from sopbench.sites.tallybook.ledger import Ledger
from sopbench.trials.case import SiteCase, load_case

CASES = Path(__file__).parents[2] / "fixtures" / "weekly_cases"
NAMES = ["euro_week", "good_week", "loss_week", "zeros_and_millions"]
WEEK, BEFORE = "2025-W22", "2025-W21"


@pytest.fixture(params=NAMES)
def case(request: pytest.FixtureRequest) -> SiteCase:
    found = load_case(CASES / str(request.param))
    assert isinstance(found, SiteCase)
    return found


def kpis(case: SiteCase, week: str) -> dict[str, str]:
    return next(row for row in case.before("Weekly KPIs") if row["Week"] == week)


def numbers(case: SiteCase) -> set[Decimal]:
    """The plain numbers among the figures of the draft, without their signs."""
    texts = (re.sub(r"[^\d.]", "", each) for each in case.drafts[0].figures if re.fullmatch(r"[-$€¥\d.,%]+", each))
    return {Decimal(text) for text in texts}


def test_the_weekly_cases_are_the_ones_named_here() -> None:
    assert sorted(path.parent.name for path in CASES.glob("*/case.toml")) == NAMES


def test_one_draft_is_expected_for_just_the_shareholders(case: SiteCase) -> None:
    (draft,) = case.drafts

    assert list(draft.to) == [person["email"] for person in case.variables["shareholders"]]
    assert draft.subject.startswith(case.variables["company"])


def test_the_cash_figures_of_the_draft_are_those_of_the_books(case: SiteCase) -> None:
    ledger = Ledger(case)
    report = ledger.report(WEEK)

    assert report is not None
    in_minor = [report["cash"], report["net"], *(section["total"] for section in report["sections"])]
    assert {abs(Decimal(each).scaleb(-ledger.minor_digits())) for each in in_minor} <= numbers(case)


def test_what_the_team_reported_is_in_the_draft_and_the_change_is_worked_out_right(case: SiteCase) -> None:
    week, before = kpis(case, WEEK), kpis(case, BEFORE)
    reported = {Decimal(week[name]) for name in week if name not in ("Week", "Week Ending", "Highlight") and week[name]}

    assert reported <= numbers(case)
    if before["MRR"] and before["MRR"] != week["MRR"]:
        change = 100 * (Decimal(week["MRR"]) - Decimal(before["MRR"])) / Decimal(before["MRR"])
        assert abs(round(change, 1)) in numbers(case)


def test_the_cases_have_what_makes_them_hard() -> None:
    by_name = {path.parent.name: load_case(path.parent) for path in CASES.glob("*/case.toml")}
    loss, zeros, euros = (by_name[name] for name in ("loss_week", "zeros_and_millions", "euro_week"))
    assert all(isinstance(each, SiteCase) for each in (loss, zeros, euros))

    assert kpis(loss, WEEK)["Headcount"] == ""  # type: ignore[arg-type]
    assert (kpis(zeros, WEEK)["New Customers"], kpis(zeros, WEEK)["Highlight"]) == ("0", "")  # type: ignore[arg-type]
    assert kpis(euros, BEFORE)["MRR"] == ""  # type: ignore[arg-type]
    assert not all(person["name"].isascii() for person in euros.variables["shareholders"])
