"""The log of a run: one JSON line per event, on disk before the run goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from sopbench.errors import UsageError
from sopbench.events.types import AnyEvent, Event, parse_event
from sopbench.sop.unicode import well_formed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from sopbench.events.masking import Masker

LOG_NAME = "events.jsonl"


class EventLog:
    """Numbers, dates and masks events, writes each to the file at once, and hands it to whoever listens.

    A line is flushed to the operating system before ``append`` returns, so it outlives the process.
    """

    def __init__(
        self,
        path: Path | None,
        *,
        now: Callable[[], datetime],
        masker: Masker,
        listeners: Sequence[Callable[[Event], None]] = (),
    ) -> None:
        self._file: TextIO | None = path.open("x", encoding="utf-8") if path else None
        self._now = now
        self._masker = masker
        self._listeners = tuple(listeners)
        self._seq = 0

    def append(self, event: Event) -> None:
        self._seq += 1
        stamp = {"seq": self._seq, "at": self._now().isoformat(timespec="microseconds")}
        event = self._masker.event(event.model_copy(update=stamp))
        try:
            line = event.model_dump_json()
        except PydanticSerializationError:  # halves of characters
            event = type(event).model_validate(well_formed(event.model_dump()))
            line = event.model_dump_json()
        if self._file is not None:
            self._file.write(line + "\n")
            self._file.flush()
        for listener in self._listeners:
            listener(event)

    def __enter__(self) -> EventLog:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()


def read_log(path: Path) -> list[AnyEvent]:
    """Read a run's log, given its file or its folder. A last line that was cut off in writing is left out.

    Raises: UsageError when there is no log, or a line within it is not an event.
    """
    file = path / LOG_NAME if path.is_dir() else path
    try:
        lines = file.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise UsageError(f"{file}: no log of a run: {error.strerror}") from error
    events = []
    for number, line in enumerate(lines, start=1):
        try:
            events.append(parse_event(line))
        except ValidationError as error:
            if number == len(lines) and not line.endswith(b"\n"):
                break
            raise UsageError(f"{file}:{number}: not an event: {error.errors()[0]['msg']}") from error
    return events


def timeless(events: Iterable[Event]) -> list[dict[str, Any]]:
    """The events without anything that time alone changes: what two runs of one trial must share."""
    return [_without_times(json.loads(event.model_dump_json())) for event in events]


def _without_times(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != "at" and not key.endswith("_s")}
