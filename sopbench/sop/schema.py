"""The published JSON Schemas. ``python -m sopbench.sop.schema`` writes the one that is made from the models.

``schema/sop-1.0.schema.json`` is generated; ``schema/sop-0.8.schema.json`` is written by hand and says what SOP 0.6 to
0.8 have in common: only what is needed to read them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic.json_schema import GenerateJsonSchema

from sopbench.sop.document import Sop

Version = Literal["1.0", "0.8"]
SCHEMA_FOLDER = Path(__file__).parent / "schema"


class _WithoutTitles(GenerateJsonSchema):
    """Field titles repeat the fields' names; they are left out."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


@cache
def published(version: Version) -> dict[str, Any]:
    """The schema as it is shipped."""
    data: dict[str, Any] = json.loads((SCHEMA_FOLDER / f"sop-{version}.schema.json").read_text(encoding="utf-8"))
    return data


def generated() -> dict[str, Any]:
    """The schema of SOP 1.0 (JSON Schema draft 2020-12), from the models."""
    schema = Sop.model_json_schema(by_alias=True, schema_generator=_WithoutTitles)
    for part in schema["$defs"].values():
        _close(part)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:sopbench:sop:1.0",
        "title": "SOP 1.0",
        **{key: value for key, value in schema.items() if key != "title"},
    }


def as_text(schema: dict[str, Any]) -> str:
    """As it stands in its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _close(part: dict[str, Any]) -> None:
    """What the models insist on but pydantic's schema leaves open: the verb of an action, and names as keys."""
    properties = part.get("properties", {})
    if "const" in properties.get("do", {}):
        part["required"] = ["do", *part.get("required", [])]
    for each in properties.values():
        patterns = list(each.get("patternProperties", ()))
        if patterns:
            each["propertyNames"] = {"pattern": patterns[0]}


def main() -> None:
    """Write the generated schema."""
    (SCHEMA_FOLDER / "sop-1.0.schema.json").write_text(as_text(generated()), encoding="utf-8")


if __name__ == "__main__":
    main()
