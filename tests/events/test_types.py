"""Events are written as JSON lines and read back as what they were."""

from __future__ import annotations

import pickle
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from sopbench.events import types
from sopbench.events.log import timeless
from sopbench.events.types import AnyEvent, Event, LoadTrouble, OfStep, RunStarted, StepFinished, parse_event

KINDS: tuple[type[Event], ...] = get_args(get_args(AnyEvent)[0])
SAMPLES: dict[Any, Any] = {
    str: "a “quoted”\nline \u2028 ü", int: 3, float: 0.25, bool: True, bool | None: None, float | None: 1.5,
    int | None: 4,
    dict[str, Any]: {"k": [1, None, {"x": "y"}]}, tuple[str, ...]: ("a", "b"),
    tuple[dict[str, Any], ...]: ({"number": 1, "role": "button"},),
    tuple[LoadTrouble, ...]: (LoadTrouble(method="GET", url="https://a.test/", outcome="answered 503", took_s=0.2),),
    dict[str, float]: {"it is covered": 0.5}, Any: {"any": [1.5, "x", None]},
}  # fmt: skip


def sample(kind: type[Event]) -> Event:
    """One event of the kind with every field filled in."""
    values: dict[str, Any] = {}
    for name, field in kind.model_fields.items():
        choices = [choice for choice in get_args(field.annotation) if isinstance(choice, str)]
        values[name] = choices[-1] if choices else SAMPLES[field.annotation]
    return kind.model_validate(values)


def test_every_kind_of_event_is_known_to_the_codec() -> None:
    defined = {kind for kind in vars(types).values() if isinstance(kind, type) and issubclass(kind, Event)}

    assert set(KINDS) == defined - {Event, OfStep}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_event_is_read_back_as_what_it_was(kind: type[Event]) -> None:
    event = sample(kind)

    line = event.model_dump_json()

    assert "\n" not in line
    assert parse_event(line) == event
    assert type(parse_event(line.encode())) is kind
    assert pickle.loads(pickle.dumps(event)) == event


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_without_times_an_event_still_says_everything_else(kind: type[Event]) -> None:
    event = sample(kind)

    [rest] = timeless([event])

    gone = set(type(event).model_fields) - set(rest)
    assert "at" in gone
    assert gone - {"at"} <= {"duration_s", "waited_s"}


def test_limits_are_no_times_though_their_names_end_alike() -> None:
    started = RunStarted(
        sop="p", title="", version="", sha256="", autonomy="light", variables={"wait_s": 1}, limits={"run_s": 300}
    )

    [rest] = timeless([started])

    assert rest["limits"] == {"run_s": 300}
    assert rest["variables"] == {"wait_s": 1}


def test_an_event_cannot_be_changed_and_has_no_further_fields() -> None:
    event = sample(StepFinished)

    with pytest.raises(ValidationError, match="frozen"):
        event.seq = 9  # type: ignore[misc]
    with pytest.raises(ValidationError, match="Extra inputs"):
        parse_event(event.model_dump_json().replace('"attempts"', '"tries"'))
