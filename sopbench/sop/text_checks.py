"""Whether a text that was written may be used: its form, its length, what it must mention, and what it may say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator

from sopbench.sop.grounding import gaps, says

Format = str | dict[str, Any]
"""``text``, ``markdown``, ``email``, or the JSON Schema of an object."""

_MARKUP = re.compile(r"^#{1,6} |^```|\*\*\S|\]\(\w+:", re.MULTILINE)
_FENCE = re.compile(r"^```", re.MULTILINE)
_TAG = re.compile(
    r"</?(?:p|br|div|span|b|i|u|a|h[1-6]|ul|ol|li|table|tr|td|strong|em|html|body)\b[^<>]*>", re.IGNORECASE
)
_PLACEHOLDER = re.compile(
    r"\[[A-Z][^\]\n]{1,40}\](?!\()|\{\{.*?\}\}|<(?:your|insert|name|company)\b[^<>\n]*>|lorem ipsum", re.IGNORECASE
)


def answer_schema(format_: Format, max_chars: int | None) -> dict[str, Any]:
    """The schema of a model's answer. Its longest text is twice what is allowed: too long is told, not cut off."""
    if isinstance(format_, dict):
        return format_
    names = ("subject", "body") if format_ == "email" else ("text",)
    text = {"type": "string", "minLength": 1, "maxLength": 2 * max_chars if max_chars else 6000}
    return {
        "type": "object",
        "properties": dict.fromkeys(names, text),
        "required": list(names),
        "additionalProperties": False,
    }


def texts_in(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """All texts and figures in plain data, each with its place: ``body``, ``items[0].name``; empty for a text alone."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from texts_in(item, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            yield from texts_in(item, f"{place}[{number}]")
    elif value is not None and not isinstance(value, bool):
        yield place, str(value)


def length_of(value: Any) -> int:
    """Characters of all its texts together."""
    return sum(len(text) for _, text in texts_in(value))


def objections(
    value: Any,
    *,
    format_: Format,
    max_chars: int | None,
    must_mention: Iterable[str],
    inputs: Mapping[str, Any],
    words: Iterable[str] = (),
    said: Iterable[str] = (),
) -> list[str]:
    """All that speaks against a text, each in a sentence; empty when it may be used. See ``grounding.gaps``."""
    found = [*_form(value, format_)]
    length = length_of(value)
    if max_chars is not None and length > max_chars:
        found.append(f"it has {length:,} characters, more than {max_chars:,}")
    everything = "\n".join(text for _, text in texts_in(value))
    found += [f"it does not mention {each!r}" for each in must_mention if not says(everything, each)]
    words = (*words, *(text for _, text in texts_in(format_ if isinstance(format_, dict) else {})))
    for place, text in texts_in(value):
        for gap in gaps(text, inputs, words, said):
            where = f"{place}, character {gap.at + 1}" if place else f"character {gap.at + 1}"
            found.append(f"{gap.kind} {gap.text!r} is not in the inputs ({where})")
    return found


def _form(value: Any, format_: Format) -> Iterator[str]:
    if isinstance(format_, dict):
        for error in Draft202012Validator(format_).iter_errors(value):
            yield f"it does not fit its schema: {error.message[:200]}"
        return
    for place, text in texts_in(value):
        where = f" ({place})" if place else ""
        if not text.strip():
            yield f"it is empty{where}"
        if place == "subject" and "\n" in text.strip():
            yield "its subject has more than one line"
        yield from _marks(text, where, is_markdown=format_ == "markdown")


def _marks(text: str, where: str, *, is_markdown: bool) -> Iterator[str]:
    if found := _PLACEHOLDER.search(text):
        yield f"{found[0]!r} is left to be filled in{where}"
    if found := _TAG.search(text):
        yield f"it has an HTML tag {found[0]!r}{where}"
    if not is_markdown and (found := _MARKUP.search(text)):
        yield f"it has Markdown marks {found[0]!r}, but is plain text{where}"
    if is_markdown and len(_FENCE.findall(text)) % 2:
        yield "a code block in it has no end"
