"""Dates as they are shown."""

from __future__ import annotations

from datetime import datetime

import pytest

from sopbench.sites.gmail import dates


@pytest.mark.parametrize(
    ("when", "in_list", "in_message"),
    [
        ("2025-06-02T09:14:00+02:00", "9:14 AM", "9:14 AM (2 hours ago)"),
        ("2025-06-02T11:29:00+02:00", "11:29 AM", "11:29 AM (1 minute ago)"),
        ("2025-06-02T00:05:00+02:00", "12:05 AM", "12:05 AM (11 hours ago)"),
        ("2025-06-02T12:05:00+02:00", "12:05 PM", "12:05 PM"),
        ("2025-06-01T23:14:00+02:00", "Jun 1", "Sun, Jun 1, 11:14 PM (1 day ago)"),
        ("2025-01-09T13:00:00+02:00", "Jan 9", "Thu, Jan 9, 1:00 PM"),
        ("2024-04-02T09:00:00+02:00", "4/2/24", "Tue, Apr 2, 2024, 9:00 AM"),
    ],
)
def test_nearer_dates_are_shown_shorter(when: str, in_list: str, in_message: str, now: datetime) -> None:
    assert dates.in_list(datetime.fromisoformat(when), now) == in_list
    assert dates.in_message(datetime.fromisoformat(when), now) == in_message


def test_the_title_of_a_date_tells_it_all() -> None:
    assert dates.full(datetime.fromisoformat("2025-06-02T09:14:00+02:00")) == "Mon, Jun 2, 2025, 9:14 AM"
