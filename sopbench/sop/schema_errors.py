"""What a JSON Schema finds wrong, in words that help: unions are resolved to the branch that was meant."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from sopbench.sop.limits import MAX_PROBLEMS
from sopbench.sop.problems import Finding, closest, did_you_mean
from sopbench.sop.walk import escape

_KINDS = {
    "object": "an object", "array": "a list", "string": "text", "integer": "a whole number", "number": "a number",
    "boolean": "true or false", "null": "null",
}  # fmt: skip
_TAGS = {"do": "verb", "type": "kind of node"}
"""Keys that tell the members of a union apart, and what their values are called."""
_LIMITS = {
    "minimum": "at least", "exclusiveMinimum": "more than", "maximum": "at most", "minItems": "at least so many items:",
    "minProperties": "at least so many entries:",
}  # fmt: skip


def schema_findings(schema: dict[str, Any], data: Any) -> list[Finding]:
    """All that is wrong, in the order of the document's structure; at most :data:`MAX_PROBLEMS`."""
    errors = Draft202012Validator(schema).iter_errors(data)
    found = (finding for error in errors for finding in _explained(error, schema))
    return _without_echoes(list(islice(dict.fromkeys(found), MAX_PROBLEMS)))


def _explained(error: ValidationError, schema: dict[str, Any]) -> Iterator[Finding]:
    pointer = "".join(f"/{escape(str(step))}" for step in error.absolute_path)
    rule, value, instance = error.validator, cast("Any", error.validator_value), cast("Any", error.instance)
    if rule in {"anyOf", "oneOf"}:
        yield from _union(error, pointer, schema)
    elif rule == "additionalProperties":
        known = cast("Any", error.schema)["properties"]
        for key in instance:
            if key not in known and not key.startswith("x-"):
                yield _error(f"{pointer}/{escape(key)}", f"unknown key {key!r}", did_you_mean(key, known))
    elif rule == "required":
        yield _error(pointer, f"missing key {next(key for key in value if repr(key) in error.message)!r}")
    elif rule in {"enum", "const"}:
        yield _not_one_of(pointer, instance, value if rule == "enum" else [value])
    elif rule == "type":
        yield _error(pointer, _wrong_type(value if isinstance(value, list) else [value], instance))
    elif rule == "pattern":
        yield _error(pointer, _bad_pattern(instance, value))
    elif rule in _LIMITS:
        yield _error(pointer, f"it must be {_LIMITS[rule]} {value}")
    else:
        yield _error(pointer, error.message[:200])


def _not_one_of(pointer: str, instance: Any, allowed: list[Any]) -> Finding:
    options = ", ".join(repr(each) for each in allowed)
    message = f"{instance!r:.80} is not one of {options}" if len(allowed) > 1 else f"expected {options}"
    return _error(pointer, message, did_you_mean(str(instance), map(str, allowed)))


def _error(pointer: str, message: str, hint: str = "") -> Finding:
    return Finding(pointer, "error", message, hint)


def _bad_pattern(instance: str, pattern: str) -> str:
    if "A-Za-z_" in pattern:
        return f"{instance!r:.80} is no name: letters, digits and _ only, and no digit first"
    return f"{instance!r:.80} does not look like {pattern}"


def _wrong_type(wanted: list[str], instance: Any) -> str:
    got = next(name for name, kinds in _PYTHON_TYPES if isinstance(instance, kinds))
    return f"expected {' or '.join(_KINDS.get(each, each) for each in dict.fromkeys(wanted))}, got {_KINDS[got]}"


_PYTHON_TYPES: tuple[tuple[str, Any], ...] = (
    ("boolean", bool), ("integer", int), ("number", float), ("string", str), ("object", dict), ("array", list),
    ("null", object),
)  # fmt: skip


def _union(error: ValidationError, pointer: str, schema: dict[str, Any]) -> Iterator[Finding]:
    members = [_resolved(each, schema) for each in cast("Any", error.validator_value)]
    objects = [index for index, each in enumerate(members) if each.get("type") == "object" and "properties" in each]
    chosen: int | None = None
    if isinstance(error.instance, dict) and len(objects) > 1:
        chosen, complaint = _meant(error.instance, [(index, members[index]) for index in objects], pointer)
        if complaint is not None:
            yield complaint
            return
    else:
        fitting = [index for index in range(len(members)) if not any(_is_other_type(e) for e in _of(error, index))]
        chosen = fitting[0] if len(fitting) == 1 else None
    if chosen is None:
        yield _error(pointer, _wrong_type([str(each.get("type", "another value")) for each in members], error.instance))
        return
    for inner in _of(error, chosen):
        yield from _explained(inner, schema)


def _of(error: ValidationError, member: int) -> list[ValidationError]:
    return [each for each in error.context or () if each.schema_path[0] == member]


def _is_other_type(error: ValidationError) -> bool:
    return error.validator == "type" and not error.path


def _resolved(member: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    name = str(member.get("$ref", "")).rpartition("/")[2]
    resolved: dict[str, Any] = schema["$defs"][name] if name else member
    return resolved


def _meant(
    instance: dict[str, Any], members: list[tuple[int, dict[str, Any]]], pointer: str
) -> tuple[int | None, Finding | None]:
    """Which member was meant, by its tag (``do``, ``type``) or by the key that only it needs; or what is wrong."""
    for tag, noun in _TAGS.items():
        by_value = {m["properties"][tag]["const"]: i for i, m in members if "const" in m["properties"].get(tag, {})}
        if len(by_value) < len(members):
            continue
        value = instance.get(tag)
        if tag not in instance:
            near = next((key for key in instance if closest(key, [tag])), None)
            hint = f"did you mean it by {near!r}?" if near else f"one of {', '.join(by_value)}"
            return None, _error(pointer, f"missing key {tag!r}", hint)
        if not isinstance(value, str) or value not in by_value:
            hint = did_you_mean(str(value), by_value) or f"there are {', '.join(by_value)}"
            return None, _error(f"{pointer}/{tag}", f"unknown {noun} {value!r:.80}", hint)
        return by_value[value], None
    heads = {member["required"][0]: index for index, member in members}
    for key, index in heads.items():
        if key in instance:
            return index, None
    near = next((key for key in instance if closest(key, heads)), None)
    if near is not None:
        return None, _error(f"{pointer}/{escape(near)}", f"unknown key {near!r}", did_you_mean(near, heads))
    return None, _error(pointer, "nothing to be expected", f"say one of {', '.join(heads)}")


def _without_echoes(found: list[Finding]) -> list[Finding]:
    """A misspelt key is one mistake: not also a missing one."""
    meant = {(f.pointer.rpartition("/")[0], f.hint[13:-1]) for f in found if f.message.startswith("unknown key")}
    return [f for f in found if not any(f.pointer == at and f.message == f"missing key {key}" for at, key in meant)]
