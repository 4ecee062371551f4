"""What a run saw of its elements, written into the document it ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sopbench.events.types import AlternativeTaken, RunStarted, StepStarted, TargetSeen, VariableSet
from sopbench.sop.patching import with_part
from sopbench.sop.places import place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.events.types import Event
    from sopbench.sop.document import Sop
    from sopbench.sop.targets import Target

_SHORTEST = 3
"""A value of fewer characters is found in texts by chance."""
_EXACT = {"name", "label", "placeholder", "text"}
_TEXTS = ("name", "label", "text", "near", "heading", "href", "alt", "title", "placeholder", "id", "field", "test_id")


def with_fingerprints(text: str, sop: Sop, events: Sequence[Event]) -> tuple[str, int]:
    """The document's text with the fingerprints of one run in its targets, and how many targets got one.

    Of an element that was met several times only what was the same each time is kept. Attributes in which a value of
    the run's variables stands are left out: they are of that day's data, and the target's own words say what of it
    matters. A target whose words were the whole of what the element says becomes ``exact``: *Save* is then no longer
    *Save as draft*. A target that was not met stays as it is.
    """
    values = set(_values(events))
    nodes = {event.step: event.node for event in events if isinstance(event, StepStarted)}
    skills: dict[int, str] = {}
    targets: dict[str, Target] = {}
    met: dict[str, list[TargetSeen]] = {}
    for event in events:
        if isinstance(event, AlternativeTaken):
            skills[event.step] = event.skill
        if isinstance(event, TargetSeen):
            place = place_of(sop, nodes[event.step], event.action, skills.get(event.step, ""))
            if element := place.action.element():
                targets[place.pointer] = element[1]
                met.setdefault(place.pointer, []).append(event)
    for pointer, meetings in met.items():
        same = _same([meeting.fingerprint for meeting in meetings])
        kept = {key: value for key, value in same.items() if not _is_of_the_day(key, value, values)}
        target = targets[pointer].model_dump(mode="json", exclude_defaults=True, exclude={"fingerprint"})
        exact = {"exact": True} if target.keys() & _EXACT and all(meeting.exact for meeting in meetings) else {}
        text = with_part(text, f"{pointer}/target", {**target, **exact, "fingerprint": kept})
    return text, len(met)


def _values(events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, RunStarted):
            yield from _texts(event.variables)
        elif isinstance(event, VariableSet):
            yield from _texts(event.value)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str | int | float) and len(str(value).strip()) >= _SHORTEST:
        yield str(value).strip()


def _same(fingerprints: Sequence[dict[str, Any]]) -> dict[str, Any]:
    first, *others = fingerprints
    return {key: value for key, value in first.items() if all(each.get(key) == value for each in others)}


def _is_of_the_day(key: str, value: Any, values: set[str]) -> bool:
    if key == "container":
        return any(each in part for part in value for each in values)
    return key in _TEXTS and any(each in value for each in values)
