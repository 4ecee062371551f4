"""What a JSON Schema finds wrong, in words that help: unions are resolved to the branch that was meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from sopbench.sop.limits import MAX_PROBLEMS
from sopbench.sop.problems import Finding, closest, did_you_mean
from sopbench.sop.schema import Version, published
from sopbench.sop.walk import escape

Json = dict[str, Any]

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


def schema_findings(version: Version, data: Any) -> list[Finding]:
    """All that is wrong, in the order of the document's structure; at most :data:`MAX_PROBLEMS`."""
    errors = _validator(version).iter_errors(data)
    found = (finding for error in errors for finding in _explained(error))
    return _without_echoes(list(islice(dict.fromkeys(found), MAX_PROBLEMS)))


@cache
def _validator(version: Version) -> Any:
    """A validator that goes straight to the member of a union that is meant, and never tries all of them."""
    root = published(version)

    def union(validator: Any, members: list[Json], instance: Any, _schema: Json) -> Iterator[ValidationError]:
        resolved = [_resolved(member, root) for member in members]
        chosen = _meant(instance, resolved)
        if isinstance(chosen, int):
            yield from validator.descend(instance, members[chosen], schema_path=chosen)
        else:
            yield ValidationError(chosen.message, path=chosen.pointer.split("/")[1:], cause=_Complaint(chosen))

    kind: Any = extend(Draft202012Validator, {"oneOf": union, "anyOf": union})  # type: ignore[no-untyped-call]
    return kind(root)


class _Complaint(Exception):
    """Carries a finding through the validator."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def _explained(error: ValidationError) -> Iterator[Finding]:
    pointer = "".join(f"/{escape(str(step))}" for step in error.absolute_path)
    rule, value, instance = error.validator, cast("Any", error.validator_value), cast("Any", error.instance)
    if isinstance(error.cause, _Complaint):
        yield replace(error.cause.finding, pointer=pointer)
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


def _resolved(member: Json, root: Json) -> Json:
    name = str(member.get("$ref", "")).rpartition("/")[2]
    resolved: Json = root["$defs"][name] if name else member
    return resolved


def _meant(instance: Any, members: list[Json]) -> int | Finding:
    """The member of a union that is meant; or what is wrong, its pointer counting from the instance."""
    objects = {index: each for index, each in enumerate(members) if "properties" in each}
    if isinstance(instance, dict) and len(objects) > 1:
        by_tag = _by_tag(instance, objects)
        return by_tag if by_tag is not None else _by_key(instance, objects)
    kinds = _kinds_of(instance)
    fitting = [index for index, each in enumerate(members) if not each.get("type") or each["type"] in kinds]
    if fitting:
        return fitting[0]
    return _error("", _wrong_type([str(each["type"]) for each in members], instance))


def _by_tag(instance: Json, members: dict[int, Json]) -> int | Finding | None:
    """By the value of ``do`` or ``type``, if that is what tells the members apart."""
    for tag, noun in _TAGS.items():
        values = {
            m["properties"][tag]["const"]: i for i, m in members.items() if "const" in m["properties"].get(tag, {})
        }
        if len(values) < len(members):
            continue
        value = instance.get(tag)
        if tag not in instance:
            return _error("", f"missing key {tag!r}", f"one of {', '.join(values)}")
        if not isinstance(value, str) or value not in values:
            hint = did_you_mean(str(value), values) or f"there are {', '.join(values)}"
            return _error(f"/{tag}", f"unknown {noun} {value!r:.80}", hint)
        return values[value]
    return None


def _by_key(instance: Json, members: dict[int, Json]) -> int | Finding:
    """By the key that each of them needs first, such as ``url`` or ``visible``."""
    heads = {member["required"][0]: index for index, member in members.items()}
    there = next((key for key in heads if key in instance), None)
    if there is not None:
        return heads[there]
    near = next((key for key in instance if closest(key, heads)), None)
    if near is not None:
        return _error(f"/{near}", f"unknown key {near!r}", did_you_mean(near, heads))
    return _error("", "nothing to be expected", f"say one of {', '.join(heads)}")


def _kinds_of(instance: Any) -> set[str]:
    kind = next(name for name, kinds in _PYTHON_TYPES if isinstance(instance, kinds))
    return {kind, "number"} if kind == "integer" else {kind}


def _without_echoes(found: list[Finding]) -> list[Finding]:
    """A misspelt key is one mistake: not also a missing one."""
    meant = {(f.pointer.rpartition("/")[0], f.hint[13:-1]) for f in found if f.message.startswith("unknown key")}
    return [f for f in found if not any(f.pointer == at and f.message == f"missing key {key}" for at, key in meant)]
