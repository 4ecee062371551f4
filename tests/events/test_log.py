"""The log: numbered, dated, on disk at once, and read back even when it was cut off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from sopbench.errors import UsageError
from sopbench.events.log import LOG_NAME, EventLog, read_log
from sopbench.events.masking import MASK, Masker
from sopbench.events.types import Event, StepStarted, VariableSet

_MINUTES = count()


def now() -> datetime:
    return datetime(2026, 1, 1, 12, tzinfo=UTC) + timedelta(minutes=next(_MINUTES))


def step(label: str) -> StepStarted:
    return StepStarted(step=1, node="n", kind="task", label=label)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A log of three steps, the last of them in two bytes a letter."""
    path = tmp_path / LOG_NAME
    with EventLog(path, now=now, masker=Masker()) as log:
        for label in ("one", "two", "äöü"):
            log.append(step(label))
    return path


def labels(events: list[Event]) -> list[str]:
    return [event.label for event in events if isinstance(event, StepStarted)]


def test_events_are_numbered_and_dated(file: Path) -> None:
    events = read_log(file)

    assert [event.seq for event in events] == [1, 2, 3]
    times = [datetime.fromisoformat(event.at) for event in events]
    assert times == sorted(times)
    assert times[0].tzinfo is not None


def test_a_log_is_found_by_its_folder(file: Path) -> None:
    assert labels(list(read_log(file.parent))) == ["one", "two", "äöü"]


def test_each_event_can_be_read_before_the_log_is_closed(tmp_path: Path) -> None:
    with EventLog(tmp_path / LOG_NAME, now=now, masker=Masker()) as log:
        for number in range(1, 4):
            log.append(step("one"))
            assert len(read_log(tmp_path)) == number


def test_listeners_are_told_after_it_is_written_and_never_see_a_secret(tmp_path: Path) -> None:
    told: list[tuple[Event, int]] = []

    def listen(event: Event) -> None:
        told.append((event, len(read_log(tmp_path))))

    with EventLog(tmp_path / LOG_NAME, now=now, masker=Masker(["hunter2"]), listeners=(listen,)) as log:
        log.append(step("say hunter2"))

    [(event, written)] = told
    assert written == 1
    assert labels([event]) == [f"say {MASK}"]


def test_a_log_without_a_file_still_tells_its_listeners() -> None:
    told: list[Event] = []

    with EventLog(None, now=now, masker=Masker(), listeners=(told.append,)) as log:
        log.append(step("one"))

    assert [event.seq for event in told] == [1]


def test_a_log_is_never_written_over(file: Path) -> None:
    with pytest.raises(FileExistsError):
        EventLog(file, now=now, masker=Masker())

    assert len(read_log(file)) == 3


def test_a_last_line_that_was_cut_off_anywhere_is_left_out(file: Path) -> None:
    whole = file.read_bytes()
    last = whole.rindex(b"\n", 0, -1) + 1

    for end in range(last, len(whole) - 1):
        file.write_bytes(whole[:end])
        assert labels(list(read_log(file))) == ["one", "two"], whole[last:end]


def test_a_last_line_that_only_lacks_its_end_is_read(file: Path) -> None:
    file.write_bytes(file.read_bytes().removesuffix(b"\n"))

    assert len(read_log(file)) == 3


@pytest.mark.parametrize("broken", [b'{"type": "step_st\n', b"\n", b'{"type": "unheard_of"}\n', b"\xff\n", b"[]\n"])
def test_a_broken_line_within_is_an_error_with_its_place(file: Path, broken: bytes) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([lines[0], broken, *lines[2:]]))

    with pytest.raises(UsageError) as raised:
        read_log(file)

    assert str(raised.value).startswith(f"{file}:2: not an event: ")


def test_a_last_line_that_is_whole_but_no_event_is_an_error(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"{}\n")

    with pytest.raises(UsageError, match=":4: not an event"):
        read_log(file)


def test_a_missing_log_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"events\.jsonl: no log of a run: No such file"):
        read_log(tmp_path / LOG_NAME)


@pytest.mark.parametrize("text", ["line\u2028separator", "next\x85line", "form\x0cfeed", "nul\x00", "half \ud83d"])
def test_no_character_breaks_a_log(text: str, tmp_path: Path) -> None:
    with EventLog(tmp_path / LOG_NAME, now=now, masker=Masker()) as log:
        log.append(VariableSet(step=1, name="v", value={"k": [text]}, source="page"))
        log.append(step("after"))

    events = read_log(tmp_path)

    assert len(events) == 2
    assert isinstance(events[0], VariableSet)
    assert events[0].value == {"k": [text.replace("\ud83d", "\ufffd")]}
