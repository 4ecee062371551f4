"""What a target written by hand says of its element."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sopbench.sop.fingerprint import Fingerprint
from sopbench.targeting.wordings import stands_beside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.sop.targets import Target

_SIMPLE_CSS = re.compile(
    r"^(?P<tag>[a-zA-Z][\w-]*)?(?:#(?P<id>[\w-]+))?(?P<classes>(?:\.[\w-]+)*)"
    r"(?:\[(?P<attribute>name|href|alt|title|type)=[\"']?(?P<value>[^\"'\]]+)[\"']?\])?$"
)
_ATTRIBUTES = {"name": "field"}


class Sought(Fingerprint):
    """All that is known of the element that is meant."""

    beside: str | None = None
    """Words that the target itself says it is near; ``near`` is what stood around it when it was recorded."""


def fingerprint_of(target: Target) -> Sought:
    """What was recorded, and over it what the target itself says.

    A recorded fingerprint is of one day; what the target says, with its variables filled in, is of this one.
    """
    recorded = target.fingerprint or Fingerprint()
    said = _said(target)
    row = _called(target.within)
    if row and _says_the_same_place(row, said["container"], recorded):
        del said["container"]
        said["beside"] = f"{said.get('beside', '')} {row}".strip()
    elif not row and _tells_less(said.get("container", ()), recorded):
        del said["container"]
    return Sought.model_validate(dict(recorded) | said)


def _says_the_same_place(words: str, container: Sequence[str], recorded: Fingerprint) -> bool:
    """Whether the target calls what the recorded element was in by other words of it: a row by its second cell."""
    kinds = {each.partition(" ")[0] for each in recorded.container}
    return container[0].partition(" ")[0] in kinds and stands_beside(recorded.model_dump(), words)


def _tells_less(said: Sequence[str], recorded: Fingerprint) -> bool:
    """Whether the target only says what kind of thing it is in, and the recorded element was in such a thing."""
    kinds = {each.partition(" ")[0] for each in recorded.container}
    return bool(said) and all(each in kinds for each in said)


def _said(target: Target) -> dict[str, Any]:
    said: dict[str, Any] = {
        "role": target.role if isinstance(target.role, str) else None,
        "name": target.name,
        "label": target.label,
        "placeholder": target.placeholder,
        "text": target.text,
        "test_id": target.test_id,
        "beside": target.near and (target.near.text or target.near.name),
        "container": _around(target.within),
        **_in_css(target.css),
    }
    return {key: value for key, value in said.items() if value}


def _around(within: Target | None) -> tuple[str, ...]:
    if within is None or not isinstance(within.role, str):
        return ()
    called = _called(within)
    return (f"{within.role} {called!r}" if called else within.role, *_around(within.within))


def _called(within: Target | None) -> str:
    if within is None or not isinstance(within.role, str):
        return ""
    return within.name or within.text or ""


def _in_css(css: str | None) -> dict[str, Any]:
    """What a simple selector says: ``#save``, ``input[name=q]``, ``a.more``. Nothing of any other."""
    found = _SIMPLE_CSS.match(css or "")
    if found is None:
        return {}
    said: dict[str, Any] = {"tag": (found["tag"] or "").lower(), "id": found["id"]}
    said["classes"] = tuple(filter(None, (found["classes"] or "").split(".")))
    if found["attribute"]:
        said[_ATTRIBUTES.get(found["attribute"], found["attribute"])] = found["value"]
    return said
