"""Columns of likeness, and the shortlist of a big page."""

from __future__ import annotations

import numpy as np
import pytest

from sopbench.sop.fingerprint import Fingerprint
from sopbench.targeting.scoring import rank, rare
from sopbench.targeting.shortlist import shortlist
from sopbench.targeting.similarity import PROOF, alike, nested, similarities
from sopbench.targeting.weights import SHIPPED


def test_what_the_recorded_element_does_not_know_is_no_evidence() -> None:
    columns = similarities(Fingerprint(role="button", name="Save"), [{"role": "button", "name": "Save", "id": "s"}, {}])

    assert {name for name, column in columns.items() if not np.isnan(column).any()} == {"kind", "wording"}
    assert columns["wording"].tolist() == [1.0, 0.0]


def test_every_column_has_a_weight_or_is_proof() -> None:
    for name in similarities(Fingerprint(), []):
        assert name in PROOF or SHIPPED.of(name) >= 0


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ("Save", "SAVE", 1.0, 1.0),
        ("Search mail", "Search mails", 0.6, 0.95),
        ("Sign in", "Sign up", 0.3, 0.7),
        ("Delete", "Save", 0.0, 0.3),
        ("Remove item 12 from the cart", "Remove item 13 from the cart", 0.5, 0.7),
        ("حفظ", "حفظ", 1.0, 1.0),
        ("…", "!", 0.0, 0.0),
    ],
)
def test_texts_are_as_alike_as_people_would_say(one: str, other: str, low: float, high: float) -> None:
    assert low <= alike(one, other) <= high
    assert alike(one, other) == alike(other, one)


def test_an_address_that_leads_nowhere_tells_nothing() -> None:
    column = similarities(Fingerprint(href="#"), [{"href": "#"}])["href"]

    assert np.isnan(column).all()


def test_a_likeness_that_many_share_tells_less() -> None:
    shared = rare(np.array([1.0, 1.0, 0.2]))
    alone = rare(np.array([1.0, 0.3, 0.2]))

    assert shared[0] < alone[0] == 1.0


def test_elements_of_different_frames_are_not_nested() -> None:
    item, link = {"path": "/html/li[1]", "frame": ["a"]}, {"path": "/html/li[1]/a[1]", "frame": ["b"]}

    assert not nested(item, link)
    assert nested(item, link | {"frame": ["a"]})


@pytest.mark.parametrize("known", [{"test_id": "t7"}, {"name": "Control 7"}, {"path": "/html/body/div[7]/button[1]"}])
def test_the_meant_element_of_a_big_page_is_looked_at_closely(known: dict[str, str]) -> None:
    page = [
        {"role": "button", "name": f"Control {at}", "test_id": f"t{at}", "path": f"/html/body/div[{at}]/button[1]"}
        for at in range(3000)
    ]

    numbers = shortlist(Fingerprint.model_validate(known), page, 50)

    assert 7 in numbers
    assert len(numbers) == 50
    assert rank(Fingerprint.model_validate(known), page).entries[0].number == 7
