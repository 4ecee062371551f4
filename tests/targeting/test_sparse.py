"""What a target written by hand says of its element, and what of it goes over what was recorded."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.sop.fingerprint import Fingerprint
from sopbench.sop.targets import Target
from sopbench.targeting.sparse import Sought, fingerprint_of


def target(**said: Any) -> Target:
    return Target.model_validate(said)


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ({"role": "button", "name": "Save"}, {"role": "button", "name": "Save"}),
        ({"role": ("button", "link"), "name": "Save"}, {"name": "Save"}),
        ({"label": "E-mail"}, {"label": "E-mail"}),
        ({"placeholder": "Search", "test_id": "q"}, {"placeholder": "Search", "test_id": "q"}),
        ({"css": "#save"}, {"id": "save"}),
        ({"css": "input.big.blue[name='q']"}, {"tag": "input", "classes": ("big", "blue"), "field": "q"}),
        ({"css": "a[href=\"/new\"]"}, {"tag": "a", "href": "/new"}),
        ({"css": "div > a:first-child", "text": "More"}, {"text": "More"}),
        (
            {"text": "Edit", "within": {"role": "row", "name": "Ada", "within": {"role": "table"}}},
            {"text": "Edit", "container": ("row 'Ada'", "table")},
        ),
        ({"role": "checkbox", "near": {"text": "Newsletter"}}, {"role": "checkbox", "beside": "Newsletter"}),
    ],
)  # fmt: skip
def test_a_hand_written_target_is_a_sparse_fingerprint(said: dict[str, Any], known: dict[str, Any]) -> None:
    assert fingerprint_of(target(**said)) == Sought(**known)


def test_what_the_target_says_today_goes_over_what_was_recorded() -> None:
    recorded = {"role": "button", "name": "Open Ada", "id": "open", "classes": ["row-action"]}

    found = fingerprint_of(target(role="button", name="Open Bo", fingerprint=recorded))

    assert found == Sought(role="button", name="Open Bo", id="open", classes=("row-action",))


def test_a_container_that_is_only_told_by_its_kind_leaves_the_recorded_one_its_name() -> None:
    recorded = Fingerprint(role="checkbox", container=("dialog 'Amberline Capital'", "main"))

    sought = fingerprint_of(Target(role="checkbox", within=Target(role="dialog"), fingerprint=recorded))

    assert sought.container == recorded.container
