"""The base of every part of a document: frozen, closed, and open only to ``x-…`` keys."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


def _open_to_extensions(schema: dict[str, Any]) -> None:
    schema["patternProperties"] = {"^x-": {}}


class Part(BaseModel):
    """One part of a document. Unknown keys are an error, except ``x-…``: those are other people's notes, not read."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        json_schema_extra=_open_to_extensions,
        use_attribute_docstrings=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _without_extensions(cls, data: Any) -> Any:
        if isinstance(data, dict) and any(isinstance(key, str) and key.startswith("x-") for key in data):
            return {key: value for key, value in data.items() if not key.startswith("x-")}
        return data
