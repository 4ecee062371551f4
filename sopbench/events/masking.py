"""Secrets are masked where they enter: the masker sees every event before it is written."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, quote_plus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sopbench.events.types import Event

MASK = "•••••"

EventT = TypeVar("EventT", bound="Event")


class Masker:
    """Knows the run's secrets, and replaces each by a mask wherever it shows."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = sorted({secret for secret in secrets if secret}, key=len, reverse=True)

    def text(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return text

    def value(self, value: Any) -> Any:
        """Mask all strings in a value of plain data, keys included."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.value(key): self.value(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        return value

    def event(self, event: EventT) -> EventT:
        if not self._secrets:
            return event
        data = event.model_dump()
        masked = {name: value if name == "type" else self.value(value) for name, value in data.items()}
        return event if masked == data else type(event).model_validate(masked)

    def zip_file(self, path: Path) -> None:
        """Rewrite a zip archive so that no secret is left in it, in any encoding a browser's trace uses."""
        spellings = {form.encode() for secret in self._secrets for form in _spellings(secret)}
        if not spellings:
            return
        clean = path.with_suffix(".masked")
        with zipfile.ZipFile(path) as old, zipfile.ZipFile(clean, "w", zipfile.ZIP_DEFLATED) as new:
            for entry in old.infolist():
                data = old.read(entry)
                for spelling in sorted(spellings, key=len, reverse=True):
                    data = data.replace(spelling, MASK.encode())
                new.writestr(entry.filename, data)
        clean.replace(path)


def _spellings(secret: str) -> set[str]:
    escaped = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    return {secret, quote(secret), quote(secret, safe=""), quote_plus(secret)} | escaped
