"""Secrets are masked where they enter: the masker sees every event before it is written."""

from __future__ import annotations

import html
import json
import re
import zipfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args
from urllib.parse import quote, quote_plus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sopbench.events.types import Event

MASK = "•••••"

EventT = TypeVar("EventT", bound="Event")

_MADE_HERE = {"type", "at", "sha256", "path"}
"""Fields in which nothing can stand that came from a variable."""
_URL_SAFE = ("", "/", "!'()*~", "*", "!$%&()*+,/:;=?@[\\]^`{|}~")
"""What Python, encodeURIComponent, forms and the address bar leave as it is."""


class Masker:
    """Knows the run's secrets, and replaces each by a mask wherever it shows: plain, quoted, escaped or URL-encoded."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = frozenset(secret for secret in secrets if secret)
        self._spellings = sorted({form for each in self._secrets for form in _spellings(each)}, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, self._spellings))) if self._spellings else None

    def text(self, text: str) -> str:
        return self._pattern.sub(MASK, text) if self._pattern else text

    def value(self, value: Any) -> Any:
        """Mask all strings in a value of plain data, keys included, and numbers that are secrets."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.value(key): self.value(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        if isinstance(value, int | float) and str(value) in self._secrets:
            return MASK
        return value

    def event(self, event: EventT) -> EventT:
        if not self._secrets:
            return event
        data, open_to = event.model_dump(), _open_fields(type(event))
        masked = {name: self.value(value) if name in open_to else value for name, value in data.items()}
        return event if masked == data else type(event).model_validate(masked)

    def zip_file(self, path: Path, first: Callable[[str, bytes], bytes] | None = None) -> None:
        """Rewrite a zip archive so that no secret is left in it, in any encoding a browser's trace uses.

        ``first`` rewrites each entry, given its name and content, before that.
        """
        if not self._spellings and first is None:
            return
        pattern = re.compile(b"|".join(re.escape(form.encode()) for form in self._spellings) or b"(?!)")
        clean = path.with_suffix(".masked")
        with zipfile.ZipFile(path) as old, zipfile.ZipFile(clean, "w", zipfile.ZIP_DEFLATED) as new:
            for entry in old.infolist():
                content = old.read(entry) if first is None else first(entry.filename, old.read(entry))
                new.writestr(entry.filename, pattern.sub(MASK.encode(), content))
        clean.replace(path)


@cache
def _open_fields(kind: type[Event]) -> frozenset[str]:
    """Fields that may hold any text; those of a closed list of words, and counts, are left alone."""
    fields = kind.model_fields.items()
    return frozenset(name for name, field in fields if name not in _MADE_HERE and _holds_text(field.annotation))


def _holds_text(annotation: Any) -> bool:
    return annotation in (str, Any) or any(_holds_text(inner) for inner in get_args(annotation))


def _spellings(secret: str) -> set[str]:
    """All the ways a secret may stand in a text: as people, Python, JSON, HTML and addresses write it."""
    plain = {secret, repr(secret)[1:-1], " ".join(secret.split()) or secret}
    in_html = {html.escape(secret), html.escape(secret, quote=False), html.escape(secret).replace("&#x27;", "&#39;")}
    in_urls = {encoded(secret, safe=safe) for encoded in (quote, quote_plus) for safe in _URL_SAFE}
    in_urls |= {form.replace("~", "%7E") for form in in_urls}
    once = {form for each in plain | in_html for form in _in_json(each)}
    return plain | in_html | in_urls | once | {form for each in once for form in _in_json(each)}


def _in_json(text: str) -> tuple[str, str]:
    return json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]
