"""What a text says: numbers, dates, yes and no; and whether two texts say the same."""

from __future__ import annotations

import datetime as dt
import itertools
from decimal import Decimal

import pytest

from sopbench.sop.meaning import (
    ENGLISH,
    MACHINE,
    Conventions,
    boolean_in,
    date_in,
    integer_in,
    last_number,
    number_in,
    same,
    time_in,
)


def _names(text: str) -> list[str]:
    return text.split()


_GERMAN_MONTHS = _names("januar februar märz april mai juni juli august september oktober november dezember")
GERMAN = Conventions("dmy", ",", ".", tuple((name, name[:3]) for name in _GERMAN_MONTHS))
_FRENCH_MONTHS = _names("janvier février mars avril mai juin juillet août septembre octobre novembre décembre")
FRENCH = Conventions("dmy", ",", "\u202f", tuple((name, name) for name in _FRENCH_MONTHS))
SWISS = Conventions("dmy", ".", "’", GERMAN.months)
_ITALIAN = _names("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre")
ITALIAN = Conventions("dmy", ",", ".", tuple((name, name[:3]) for name in _ITALIAN))
SWEDISH = Conventions("ymd", ",", "\u00a0")
DAY = dt.date(2025, 6, 2)


@pytest.mark.parametrize(
    ("text", "page", "number"),
    [
        ("1,500,000", ENGLISH, "1500000"), ("$1,500.00", ENGLISH, "1500"), ("12,34,567", ENGLISH, "1234567"),
        ("1.234,50 €", GERMAN, "1234.5"), ("-1.234,50 €", GERMAN, "-1234.5"), ("€ -1.234,56", GERMAN, "-1234.56"),
        ("−5", ENGLISH, "-5"), ("5-", GERMAN, "-5"), ("($5.00)", ENGLISH, "-5"), ("$(5.00)", ENGLISH, "-5"),
        ("$-5", ENGLISH, "-5"), ("-$5", ENGLISH, "-5"), ("+5", ENGLISH, "5"), ("US-$ 5", ENGLISH, "5"),
        ("1.500,-", GERMAN, "1500"), ("1’500.–", SWISS, "1500"), ("12 €", GERMAN, "12"), ("5kg", ENGLISH, "5"),
        ("1\u202f234,5 €", FRENCH, "1234.5"), ("1 234", SWEDISH, "1234"), ("5 %", ENGLISH, "5"), ("0", ENGLISH, "0"),
        ("0.5", ENGLISH, "0.5"), ("EUR 5", ENGLISH, "5"), ("CHF5", SWISS, "5"), ("R$ 1.500,00", GERMAN, "1500"),
        ("1500.50", GERMAN, "1500.5"), ("1.500", GERMAN, "1500"), ("1.500", ENGLISH, "1.5"), ("1.500", MACHINE, "1.5"),
        ("120 km/h", ENGLISH, "120"), ("5 m²", ENGLISH, "5"),
    ],
)  # fmt: skip
def test_a_number_is_read_as_the_page_writes_it(text: str, page: Conventions, number: str) -> None:
    assert number_in(text, page) == Decimal(number)


@pytest.mark.parametrize(
    "text",
    [
        "", "-", "n/a", "A5", "12a", "INV-5", "007", "5 5", "12 34", "1,5", "1,50", "1/2", "5:30", "1.5M", "5k", "$5m",
        "3 Mio", "<5", "~5", "≥ 5", "5 of 7", "Total: 5", "1.2.3", "1,2345", "1e5", "Page 5", "12,345,67",
    ],
)  # fmt: skip
def test_what_is_no_one_number_is_not_read_as_one(text: str) -> None:
    assert number_in(text) is None


def test_a_whole_number_has_no_fraction() -> None:
    assert integer_in("1,500.00") == 1500
    assert integer_in("1.5") is None


@pytest.mark.parametrize("value", [0, 7, 42, 999, 1000, 1234567, 10**12])
@pytest.mark.parametrize("page", [ENGLISH, GERMAN, FRENCH, SWISS], ids=["en", "de", "fr", "ch"])
@pytest.mark.parametrize("cents", [0, 5, 50, 99])
@pytest.mark.parametrize("sign", ["", "-"])
def test_every_number_written_by_conventions_is_read_back(value: int, page: Conventions, cents: int, sign: str) -> None:
    number = Decimal(f"{sign}{value}.{cents:02}")
    written = f"{sign}{value:,}".replace(",", page.group) + f"{page.decimal}{cents:02} €"

    assert number_in(written, page) == number
    assert same(str(number), written, page)


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("2025-06-02", GERMAN), ("06/02/2025", ENGLISH), ("6/2/25", ENGLISH), ("02.06.2025", GERMAN),
        ("2. 6. 2025", GERMAN), ("2. Juni 2025", GERMAN), ("Mo., 02.06.2025", GERMAN), ("Montag, 2. Juni 2025", GERMAN),
        ("Jun 2, 2025", ENGLISH), ("June 2nd, 2025", ENGLISH), ("Monday, June 2, 2025", ENGLISH),
        ("2 Jun 2025", GERMAN), ("Jun 2, 2025", GERMAN), ("2 juin 2025", FRENCH), ("mar. 2 juin 2025", FRENCH),
        ("mar 2 giu 2025", ITALIAN), ("2025-06-02T10:00:00Z", ENGLISH), ("2025-06-02 10:00", ENGLISH),
        ("Jun 2, 2025, 3:30 PM", ENGLISH), ("06/02/2025 at 3:30 p.m.", ENGLISH), ("02.06.2025, 15:30 Uhr", GERMAN),
        ("2 juin 2025 à 15:30", FRENCH), ("2025年6月2日", ENGLISH), ("2025. 6. 2.", SWEDISH), ("2025/06/02", ENGLISH),
        ("Choose Monday, June 2nd, 2025", ENGLISH), ("2-Jun-2025", ENGLISH), ("2025-06-02T10:00:00.000+02:00", MACHINE),
        ("\u200e6/2/2025", ENGLISH),
    ],
)  # fmt: skip
def test_a_date_is_read_as_the_page_writes_it(text: str, page: Conventions) -> None:
    assert date_in(text, page) == DAY


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("", ENGLISH), ("June 2025", ENGLISH), ("2 June", ENGLISH), ("02/30/2025", ENGLISH), ("25/12/2025", ENGLISH),
        ("1.2.3", ENGLISH), ("1/2/202", ENGLISH), ("2025-06-02 to 2025-06-05", ENGLISH), ("06/02.2025", ENGLISH),
        ("02/06/2025", SWEDISH), ("20250602", ENGLISH), ("1,234", ENGLISH), ("555-12-3456", ENGLISH),
        ("2 June 2025 – 5 June 2025", ENGLISH), ("10:00 – 11:00", ENGLISH),
    ],
)  # fmt: skip
def test_what_is_no_one_date_is_not_read_as_one(text: str, page: Conventions) -> None:
    assert date_in(text, page) is None


def test_figures_that_only_fit_one_way_are_read_where_the_language_puts_the_year_first() -> None:
    assert date_in("25.12.2025", SWEDISH) == dt.date(2025, 12, 25)


@pytest.mark.parametrize("page", [ENGLISH, GERMAN, FRENCH, ITALIAN], ids=["en", "de", "fr", "it"])
def test_every_date_written_by_conventions_is_read_back(page: Conventions) -> None:
    days = [dt.date(2023, 12, 27) + dt.timedelta(days=13 * step) for step in range(60)]

    for day, mark, long in itertools.product(days, "/.-", (True, False)):
        parts = {"d": f"{day.day:02}", "m": f"{day.month:02}", "y": str(day.year)}
        figures = mark.join(parts[part] for part in page.order)
        named = f"{day.day}. {page.months[day.month - 1][0 if long else 1]} {day.year}"
        assert date_in(figures, page) == day
        assert date_in(named, page) == day
        assert same(day.isoformat(), figures, page)
        assert not same((day + dt.timedelta(days=1)).isoformat(), figures, page)


@pytest.mark.parametrize(
    ("wanted", "shown", "page"),
    [
        ("1500000", "1,500,000", ENGLISH), ("1500000", "$1,500,000.00", ENGLISH), ("1500.5", "1.500,50 €", GERMAN),
        ("1500.50", "1500.5", GERMAN), ("$1500", "1,500", ENGLISH), ("5 %", "5", ENGLISH),
        ("2025-06-02", "Mon, Jun 2, 2025", ENGLISH), ("2025-06-02", "02.06.2025", GERMAN),
        ("2025-06-02", "2025-06-02T00:00", ENGLISH), ("2025-06-02 10:00", "6/2/2025 10:00 AM", ENGLISH),
        ("5551234567", "(555) 123-4567", ENGLISH), ("555-123-4567", "(555) 123 4567", ENGLISH),
        ("DE89370400440532013000", "DE89 3704 0044 0532 0130 00", ENGLISH), ("SW1A 1AA", "SW1A1AA", ENGLISH),
        ("a\r\nb ", "a\nb", ENGLISH), ("ABC", "abc", ENGLISH),
    ],
)  # fmt: skip
def test_a_value_in_the_pages_own_way_of_writing_is_the_same(wanted: str, shown: str, page: Conventions) -> None:
    assert same(wanted, shown, page)


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("A5", "B5"), ("5 kg", "5 lb"), ("$5", "€5"), ("5", "-5"), ("$5", "$-5"), ("1500", "150"), ("15", "1.5"),
        ("1234.50", "123,450"), ("john.doe@example.com", "johndoe@example.com"), ("O'Brien-Smith", "OBrienSmith"),
        ("Hello, world", "Hello world"), ("foobar", "foo bar"), ("Meeting May 5 2025 A", "Meeting May 5 2025 B"),
        ("2025-06-02 10:00", "2025-06-02 11:00"), ("2025-06-02 10:00", "2025-06-02"), ("2025-06-02", "2025-02-06"),
        ("2025-06-02", "02/06/2025"), ("2025-06-02", "June 2025"), ("", "0"), ("x", ""), ("Room 12", "Room 13"),
        ("a.b/1234567", "ab1234567"), ("2025-06-02", "20250602"), ("12a", "12"),
    ],
)  # fmt: skip
def test_another_value_is_not_the_same(wanted: str, shown: str) -> None:
    assert not same(wanted, shown)


@pytest.mark.parametrize(
    ("text", "page", "number"),
    [
        ("1–25 of 1,234", ENGLISH, 1234), ("Total: 3 records", ENGLISH, 3), ("1.234 Einträge", GERMAN, 1234),
        ("Seite 2 von 1.234", GERMAN, 1234), ("1\u202f234 lignes", FRENCH, 1234), ("none", ENGLISH, None),
        ("page 2, 500 rows", ENGLISH, 500),
    ],
)  # fmt: skip
def test_the_last_number_of_a_text_is_found(text: str, page: Conventions, number: int | None) -> None:
    assert last_number(text, page) == number


@pytest.mark.parametrize(
    ("text", "value"),
    [("Yes", True), ("nein", False), ("TRUE", True), ("✓", True), ("0", False), ("maybe", None), ("", None)],
)
def test_yes_and_no_are_read(text: str, value: bool | None) -> None:
    assert boolean_in(text) is value


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("16:05", dt.time(16, 5)), ("4:05 PM", dt.time(16, 5)), ("12:00 am", dt.time(0, 0)), ("16.05", dt.time(16, 5)),
        ("11:57\u202fPM", dt.time(23, 57)), ("16:05:09", dt.time(16, 5, 9)), ("noon", None), ("25:00", None),
        ("at 16:05", None), ("1.5", None),
    ],
)  # fmt: skip
def test_a_time_of_day_is_read_if_the_text_says_nothing_else(text: str, time: dt.time | None) -> None:
    assert time_in(text) == time
