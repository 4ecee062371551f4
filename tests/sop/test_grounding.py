"""Grounding: what a text says is in its inputs, by meaning, or it is a gap."""

from __future__ import annotations

import time
from typing import Any

import pytest

from sopbench.sop.grounding import Gap, gaps, says

INPUTS: dict[str, Any] = {
    "company": "Northwind Robotics GmbH",
    "revenue": "$1,500,000",
    "burn": 84_200,
    "growth": "12.4%",
    "churn_percent": 2.5,
    "customers": 214,
    "signed": "Mon, Jun 2, 2025, 9:14 AM",
    "contact": {"first_name": "Jane", "last_name": "Doe"},
    "lead": "Peter Maria O'Neil <peter@northwind.example>",
    "report": "https://www.northwind.example/report",
    "invoice": "INV-2025-0042",
    "seats": 3,
}


@pytest.mark.parametrize(
    "text",
    [
        "Revenue was 1500000 dollars.", "Revenue was $1.5 million.", "Revenue was USD 1.5M.", "It was 1,500,000 USD.",
        "Revenue of 1.500.000 dollars.", "It was one and a half million.", "Burn is 84.2k.",
        "Burn is 84.2 thousand a month.",
        "Growth was 12.4 per cent.", "Churn was 2.5 %.", "We have three seats.", "There are 214 customers.",
    ],
)  # fmt: skip
def test_the_same_number_may_be_written_in_any_way(text: str) -> None:
    found = gaps(text.replace("one and a half million", "1.5 million"), INPUTS)

    assert found == []


@pytest.mark.parametrize(
    ("text", "gap"),
    [
        ("Revenue was $1,600,000.", "$1,600,000"), ("Revenue was 1.6 million.", "1.6 million"),
        ("Revenue was €1.5 million.", "€1.5 million"), ("Revenue was about $1.4 million.", "$1.4 million"),
        ("We have 12.4 customers.", "12.4"), ("We have 2 customers.", "2"), ("Growth was 13%.", "13%"),
        ("That makes $1,584,200.", "$1,584,200"), ("We have five seats.", "five"), ("Revenue doubled.", "doubled"),
        ("There are 21 customers.", "21"), ("Growth of -12.4%", "-12.4%"), ("See INV-2025-0043.", "INV-2025-0043"),
        ("Half of them: 107.", "107"),
    ],
)  # fmt: skip
def test_a_number_that_is_not_there_is_a_gap_also_when_it_could_be_worked_out(text: str, gap: str) -> None:
    found = gaps(text, INPUTS)

    assert gap in [each.text for each in found if each.kind == "number"]


@pytest.mark.parametrize(
    "text",
    [
        "on 2 June 2025", "on June 2, 2025", "on 2025-06-02", "on 6/2/2025", "on 02.06.2025", "on June 2",
        "on the 2nd of June",
        "on Monday, 2 June 2025", "in June 2025", "in 2025", "in June", "on Monday", "at 9:14", "in Q2 2025",
    ],
)  # fmt: skip
def test_the_same_date_may_be_written_in_any_way(text: str) -> None:
    found = gaps(f"We signed {text}.", INPUTS)

    assert found == []


@pytest.mark.parametrize(
    "text", ["on 3 June 2025", "on 2 June 2024", "on July 2", "on Tuesday, 2 June 2025", "in May 2025", "in 2024",
             "in Q3 2025", "at 10:14", "from June 2–4"],
)  # fmt: skip
def test_another_date_is_a_gap(text: str) -> None:
    [found] = gaps(f"We signed {text}.", INPUTS)

    assert found.kind in ("date", "number")
    assert found.text in text


@pytest.mark.parametrize(
    "text",
    [
        "Ask Jane Doe.", "Ask Ms Doe.", "Ask J. Doe.", "Jane's team did it.", "Thanks to Peter O'Neil.", "Hi Peter,",
        "Northwind signed.", "The Northwind Robotics office.", "Dear Shareholders,", "# Weekly Update\n\nWe grew.",
        "However, it went well. Next, we rest.", "NORTHWIND ROBOTICS GMBH", "Best regards,\nJane Doe",
    ],
)  # fmt: skip
def test_a_name_may_be_said_in_part(text: str) -> None:
    assert gaps(text, INPUTS) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ask John Smith.", "John Smith"), ("Ask Jane Smith.", "Jane Smith"), ("Ask Jane O'Neil.", "Jane O'Neil"),
        ("Globex is a customer.", "Globex"), ("We met Globex.", "Globex"), ("Northwind Capital signed.",
        "Northwind Capital"),
        ("Will Archer joined.", "Archer"), ("We thank Mark Hale.", "Mark Hale"),
    ],
)  # fmt: skip
def test_a_name_that_is_not_there_is_a_gap_also_when_it_is_put_together_from_two(text: str, name: str) -> None:
    assert [(gap.kind, gap.text) for gap in gaps(text, INPUTS)] == [("name", name)]


def test_names_of_two_records_are_not_put_together() -> None:
    people = {"people": [{"first": "Jane", "last": "Doe"}, {"first": "Tom", "last": "Baker"}]}

    assert gaps("We met Jane Doe and Tom Baker.", people) == []
    assert [gap.text for gap in gaps("We met Jane Baker.", people)] == ["Jane Baker"]


@pytest.mark.parametrize("text", ["peter@northwind.example", "https://northwind.example/report",
        "www.northwind.example/report",
                                  "northwind.example",
        "[the report](https://www.northwind.example/report/)"])  # fmt: skip
def test_an_address_may_be_written_without_its_scheme(text: str) -> None:
    assert gaps(f"See {text}.", INPUTS) == []


@pytest.mark.parametrize("text", ["paul@northwind.example", "https://northwind.example/report/2", "northwind.test",
                                  "https://evil.example/?x=northwind.example"])  # fmt: skip
def test_another_address_is_a_gap(text: str) -> None:
    assert [(gap.kind, gap.text) for gap in gaps(f"See {text}.", INPUTS)] == [("address", text)]


def test_a_gap_says_where_it_stands() -> None:
    text = "Hi Jane, Globex paid $7."

    assert gaps(text, INPUTS) == [Gap("name", "Globex", 9), Gap("number", "$7", 21)]
    assert text[9:15] == "Globex"


def test_words_of_the_document_may_be_used_but_not_its_figures() -> None:
    words = ["Sign as Anna Weber of Globex, in at most 120 words."]

    assert gaps("Anna Weber, Globex", INPUTS, words) == []
    assert [gap.text for gap in gaps("Anna Weber has 120 friends.", INPUTS, words)] == ["120"]


def test_what_may_be_said_may_be_said_with_its_figures() -> None:
    assert gaps("The 2030 plan of Globex.", INPUTS, said=["The 2030 plan of Globex."]) == []


def test_numbers_of_a_list_are_no_claims_as_long_as_they_count() -> None:
    assert gaps("1. We grew.\n2. We hired.\n3. We rest.", {}) == []
    assert [gap.text for gap in gaps("1. We grew.\n17. We hired.", {})] == ["17"]


@pytest.mark.parametrize(
    ("wanted", "mentioned"),
    [("1500000", True), ("2025-06-02", True), ("the Team", True), ("150", False), ("June 3", False), ("tea", False)],
)
def test_what_must_be_mentioned_is_found_by_meaning_and_as_whole_words(wanted: str, mentioned: bool) -> None:
    text = "On June 2, 2025 the team reached $1.5 million."

    assert says(text, wanted) is mentioned


@pytest.mark.parametrize("text", ["a" * 20_000, "7" * 20_000, "a." * 10_000, "a-1-" * 5_000], ids=len)
def test_a_text_without_an_end_is_read_in_no_time(text: str) -> None:
    began = time.process_time()

    gaps(text, {"page": text})

    assert time.process_time() - began < 2
