"""The published schemas and the models say the same."""

from __future__ import annotations

import copy
import json
from typing import Any

from jsonschema import Draft202012Validator

from sopbench.sop.schema import SCHEMA_FOLDER, as_text, generated, published
from sopbench.sop.schema_errors import schema_findings


def test_the_published_schema_is_the_one_the_models_give() -> None:
    written = (SCHEMA_FOLDER / "sop-1.0.schema.json").read_text(encoding="utf-8")

    assert written == as_text(generated()), "run: python -m sopbench.sop.schema"


def test_both_schemas_are_schemas() -> None:
    Draft202012Validator.check_schema(published("1.0"))
    Draft202012Validator.check_schema(published("0.8"))


def test_every_object_of_ours_is_closed_but_for_notes() -> None:
    parts = [part for part in published("1.0")["$defs"].values() if part.get("type") == "object"]

    assert parts
    assert all(part["additionalProperties"] is False for part in parts)
    assert all(part["patternProperties"] == {"^x-": {}} for part in parts)


def test_no_schema_names_a_host() -> None:
    ids = [published("1.0")["$id"], published("0.8")["$id"]]

    assert ids == ["urn:sopbench:sop:1.0", "urn:sopbench:sop:0.8"]
    assert "sopbench." not in json.dumps(published("1.0"))


def test_the_quick_way_through_unions_finds_what_the_plain_validator_finds(good: dict[str, Any]) -> None:
    plain = Draft202012Validator(published("1.0"))
    bad = copy.deepcopy(good)
    bad["private"]["skills"][1]["actions"][0]["expect"][0]["of"] = 7

    assert plain.is_valid(good)
    assert schema_findings("1.0", good) == []
    assert not plain.is_valid(bad)
    assert [each.message for each in schema_findings("1.0", bad)] == ["expected an object, got a whole number"]
