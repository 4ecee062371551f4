r"""``{{ variables }}`` in a document: strict about undefined names, in a sandbox.

Besides Jinja2's harmless filters (``default``, ``lower``, ``trim``, ``replace``, ``join``, ``first``, ``map`` …):

    {{ 'Mon, Jun 2, 2025, 9:14 AM' | date }}                  2025-06-02
    {{ mail.date | date('%-m/%-d/%Y') }}                      6/2/2025, on every system
    {{ 'Jun 2' | date('%Y-%m-%d', default='2025-01-01') }}    2025-06-02; without default an error: no year
    {{ '2/6/2025' | date(since='2025-06-01') }}               2025-06-02; without since or day_first an error: June 2?
    {{ '$1,500,000' | number }}                               1500000
    {{ mail.body | regex_search('Round: (.+)', 1) }}          the first group; no match is an error …
    {{ mail.body | regex_search('\\\\d+', default='') }}        … or gives the default
    {{ name | regex_replace('[^a-z]+', '-') }}
    {{ cell | squeeze }}   {{ notes | shorten(200) }}   {{ record | json }}

In quotes, ``\n \r \t \u \x \' \" \\`` are escapes; any other backslash stands for itself (JSON needs it doubled).

Errors are TemplateFailed, with ``template`` and, if a name is undefined, ``name`` as attributes in ``data``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, TypeVar

from jinja2 import Template, TemplateError, TemplateSyntaxError, Undefined, UndefinedError, meta

from sopbench.errors import TemplateFailed
from sopbench.sop import filters
from sopbench.sop.limits import MAX_TEMPLATE_CHARS
from sopbench.sop.part import Part
from sopbench.sop.problems import did_you_mean
from sopbench.sop.sandbox import Sandbox
from sopbench.sop.targets import TextKind
from sopbench.sop.walk import Slot, slots

PartT = TypeVar("PartT", bound=Part)

_SANDBOX = Sandbox()
_ALONE = re.compile(r"\s*\{\{(?P<expression>(?:[^{}]|\{(?!\{)|\}(?!\}))*)\}\}\s*")
"""A text that is nothing but one template."""
_FOUND_LATER = "expect"
"""What must be true after an action is rendered after it."""
_WORDS = {"true": True, "yes": True, "on": True, "1": True, "checked": True,
          "false": False, "no": False, "off": False, "0": False, "unchecked": False}  # fmt: skip


def render(template: str, variables: Mapping[str, Any]) -> str:
    """``template`` with its variables filled in.

    Raises: TemplateFailed.
    """
    if not is_template(template):
        return template
    try:
        return _joined(_SANDBOX.chunks(_compiled(template), variables))
    except Exception as error:  # whatever its values' methods raise
        raise _failed(template, variables, error) from error


def evaluate(expression: str, variables: Mapping[str, Any]) -> Any:
    """The value of ``expression``, of whatever type.

    Raises: TemplateFailed; also when the value is undefined.
    """
    try:
        value = _SANDBOX.value(_compiled_expression(expression), variables)
        if isinstance(value, Undefined):
            str(value)  # raises, and says what is not there
    except Exception as error:
        raise _failed(expression, variables, error) from error
    return value


def render_part(part: PartT, variables: Mapping[str, Any]) -> PartT:
    """A copy of ``part`` with all its templates rendered, however deep; ``part`` itself if it has none.

    Expressions are left alone, and so is ``expect``: it is rendered after the action. A template for a number
    (``nth``) or a switch (``checked``, ``is``) becomes an int or a bool; in JSON a text that is nothing but one
    ``{{ … }}`` becomes the value itself.

    Raises: TemplateFailed; also when such a text is no number or no clear yes or no.
    """
    changes: dict[str, Any] = {}
    values = part.__dict__  # as getattr on the fields, but this is done for every action and every part in it
    for slot in _rendered_slots(type(part)):
        value = values[slot.name]
        if value is None or not value:
            continue
        rendered = _rendered(value, slot, variables)
        if rendered is not value:
            changes[slot.name] = rendered
    return part.model_copy(update=changes) if changes else part


def value_of(expression: str, variables: Mapping[str, Any]) -> Any:
    """The value of ``expression`` as plain data; what filters hand out piece by piece is a list.

    Raises: TemplateFailed.
    """
    value = evaluate(expression, variables)
    try:
        return _plain(value)
    except Exception as error:  # a lazy value fails only now
        message = f"in {expression[:120]!r}: {error}"
        raise TemplateFailed(message, performed=False, template=expression, name=None) from error


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [_plain(item) for item in value]
    raise TypeError(f"a {type(value).__name__} is no plain data")


@lru_cache(maxsize=4096)
def names_in(text: str, *, expression: bool = False) -> frozenset[str]:
    """The variables that a template (or, if so said, an expression) needs from outside.

    Raises: TemplateFailed if it is not well-formed.
    """
    if not expression and not is_template(text):
        return frozenset()
    try:
        if expression:
            _compiled_expression(text)
            tree = _SANDBOX.parse("{{ (" + text + ") }}")
        else:
            _compiled(text)
            tree = _SANDBOX.parse(text)
        return frozenset(meta.find_undeclared_variables(tree))
    except Exception as error:
        raise _failed(text, {}, error) from error


def is_template(text: str) -> bool:
    """Whether there is anything to be filled in."""
    return "{{" in text or "{%" in text or "{#" in text


@cache
def _rendered_slots(kind: type[Part]) -> tuple[Slot, ...]:
    filled_in = (TextKind.TEMPLATE, TextKind.DATA)
    return tuple(s for s in slots(kind) if s.name != _FOUND_LATER and (s.is_nested or s.text in filled_in))


def _rendered(value: Any, slot: Slot, variables: Mapping[str, Any]) -> Any:
    if slot.text is TextKind.DATA:
        return _data(value, variables)
    if isinstance(value, str):
        if slot.text is not TextKind.TEMPLATE:
            return value
        if slot.becomes is None:
            return render(value, variables) if is_template(value) else value
        return _converted(value, render(value, variables), slot)
    if isinstance(value, Part):
        return render_part(value, variables)
    if isinstance(value, tuple):
        items = tuple(_rendered(each, slot, variables) for each in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if isinstance(value, dict) and (slot.is_nested or slot.text is TextKind.TEMPLATE):
        fields = {key: _rendered(each, slot, variables) for key, each in value.items()}
        return fields if any(fields[key] is not value[key] for key in value) else value
    return value


def _data(value: Any, variables: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        alone = _ALONE.fullmatch(value)
        return render(value, variables) if alone is None else value_of(alone["expression"], variables)
    if isinstance(value, dict):
        return {key: _data(each, variables) for key, each in value.items()}
    return [_data(each, variables) for each in value] if isinstance(value, list | tuple) else value


def _converted(template: str, text: str, slot: Slot) -> int | bool:
    word = text.strip().lower()
    try:
        return int(word) if slot.becomes is int else _WORDS[word]
    except (ValueError, KeyError):
        wanted = "a whole number" if slot.becomes is int else "a clear yes or no"
        raise TemplateFailed(
            f"{slot.key!r} needs {wanted}, but {template!r} gives {filters.shorten(text, 60)!r}",
            performed=False, template=template,
        ) from None  # fmt: skip


def _joined(chunks: Iterable[str]) -> str:
    parts, size = [], 0
    for chunk in chunks:
        size += len(chunk)
        filters.bounded("", size)
        parts.append(chunk)
    return "".join(parts)


@lru_cache(maxsize=4096)
def _compiled(template: str) -> Template:
    _check_size(template)
    return _SANDBOX.from_string(template)


@lru_cache(maxsize=4096)
def _compiled_expression(expression: str) -> Template:
    _check_size(expression)
    return _SANDBOX.expression(expression)


def _check_size(template: str) -> None:
    if len(template) > MAX_TEMPLATE_CHARS:
        raise ValueError(f"a template of {len(template):,} characters is too long ({MAX_TEMPLATE_CHARS:,})")


def _failed(template: str, variables: Mapping[str, Any], error: Exception) -> TemplateFailed:
    name = None
    if isinstance(error, TemplateSyntaxError):
        reason = f"not well-formed: {error.message}"
    elif isinstance(error, UndefinedError):
        reason = error.message or "something is undefined"
        if reason.startswith("'") and reason.endswith("' is undefined"):
            name = reason.split("'")[1]
            reason = f"no variable {name!r}" + did_you_mean(name, map(str, variables), before="; ")
    elif isinstance(error, RecursionError):
        reason = "nested too deeply"
    elif isinstance(error, TemplateError | ValueError):
        reason = str(error)
    else:
        reason = f"{type(error).__name__}: {error}"
    shown = filters.shorten(filters.squeeze(template), 120)
    return TemplateFailed(f"in {shown!r}: {reason}", performed=False, template=template, name=name)
