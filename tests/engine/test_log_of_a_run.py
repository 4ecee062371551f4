"""The log of a run: on disk as it goes, the same for the same inputs, free of secrets, readable after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sopbench.errors import TargetNotFound
from sopbench.events.log import LOG_NAME, read_log, timeless
from sopbench.events.types import Event, StepStarted
from sopbench.records.figures import figures
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.clock import FakeClock
from sopbench.testing.model import FakeModel
from sopbench.testing.page import Element
from sopbench.testing.running import run_sop, texts

from .procedures import asking, click, loop, node, one_task, procedure, put

SECRETS = ["hunter2", "pa\\ss'w\"ord\n2", "geheim–ß→✓", "a b&c=d/e?f", "x"]
SLOW_RUN = Path(__file__).with_name("slow_run.py")


async def a_bit_of_everything(clock: FakeClock, folder: Path | None = None) -> list[Event]:
    button = Element(role="button", name="Save")
    browser = FakeBrowser([button, Element(role="row", text="Ada"), Element(role="row", text="Bob")], clock=clock)
    browser.fail_next(TargetNotFound("late", performed=False), do="click")
    sop = procedure(
        [loop("each", "work d", items={"role": "row"}), node("work"), asking("d"), node("end", "end")],
        "work > d, d yes> each, d no> each, each all_processed> end",
        does={"work": [click(), put("name", "item.text")]},
        variables={"mail": "Hello"},
    )
    ran = await run_sop(sop, browser, model=FakeModel({"decide": ["yes", "no"]}), clock=clock, folder=folder)
    assert ran.result.completed
    return ran.events


async def test_the_same_inputs_give_the_same_log_but_for_its_times() -> None:
    slow = FakeClock()
    slow.advance(1000)

    first, second = await a_bit_of_everything(FakeClock()), await a_bit_of_everything(slow)

    assert timeless(first) == timeless(second)
    assert [event.at for event in first] != [event.at for event in second]


async def test_what_listeners_are_told_is_what_stands_in_the_file(tmp_path: Path) -> None:
    events = await a_bit_of_everything(FakeClock(), tmp_path)

    assert read_log(tmp_path) == events


async def test_each_event_is_on_disk_before_the_run_goes_on(tmp_path: Path) -> None:
    seen: list[list[str]] = []
    browser = FakeBrowser([Element(role="button", name="Save")])
    browser.pages["https://page.test/"].elements[0].on_click = lambda: seen.append(
        [event.type for event in read_log(tmp_path)]
    )

    await run_sop(one_task(click()), browser, folder=tmp_path)

    assert seen == [["run_started", "step_started", "action_started"]]


@pytest.mark.parametrize("secret", SECRETS)
async def test_a_secret_that_is_filled_in_never_stands_in_the_log(secret: str, tmp_path: Path) -> None:
    password = Element(label="Password", value="")
    actions: list[dict[str, Any]] = [
        {
            "do": "fill", "target": {"label": "Password"}, "value": "{{ password }}",
            "expect": [{"value": "{{ password }}", "of": {"label": "Password"}}],
        },
        {"do": "extract", "into": "read", "target": {"label": "Password"}, "attribute": "value"},
        put("both", "{password: [password ~ '!']}"),
        {"do": "click", "target": {"role": "button", "name": "{{ password }}"}},
    ]  # fmt: skip
    sop = one_task(*actions, variables={"password": {"secret": True, "from_env": "PW"}})

    ran = await run_sop(sop, FakeBrowser([password]), env={"PW": secret}, folder=tmp_path)

    assert password.value == secret
    assert secret in ran.result.reason or repr(secret)[1:-1] in ran.result.reason
    values = [value for event in ran.events for value in _strings(list(event.model_dump(exclude=_CLOSED).values()))]
    assert not [value for value in values if secret in value or repr(secret)[1:-1] in value]
    assert [type(event) for event in read_log(tmp_path)] == [type(event) for event in ran.events]


async def test_a_secret_number_never_stands_in_the_log(tmp_path: Path) -> None:
    sop = one_task(put("again", "pin"), variables={"pin": {"type": "integer", "secret": True, "from_env": "PIN"}})

    ran = await run_sop(sop, env={"PIN": "83741"}, folder=tmp_path)

    assert ran.result.variables["again"] == 83741
    assert "83741" not in texts(ran.events)


async def test_half_an_emoji_on_the_page_does_not_break_the_log(tmp_path: Path) -> None:
    sop = one_task({"do": "extract", "into": "v", "target": {"role": "row"}})

    ran = await run_sop(sop, FakeBrowser([Element(role="row", text="cut \ud83d")]), folder=tmp_path)

    assert ran.result.completed
    assert "cut \ufffd" in (tmp_path / LOG_NAME).read_text(encoding="utf-8")
    assert read_log(tmp_path) == ran.events


def test_a_killed_run_leaves_a_log_that_is_readable_to_its_last_event(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, SLOW_RUN, tmp_path])
    try:
        deadline = time.monotonic() + 30
        while not _started(tmp_path) and time.monotonic() < deadline:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.wait()

    events = read_log(tmp_path)

    assert len([event for event in events if isinstance(event, StepStarted)]) >= 3
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    counted = figures(events)
    assert (counted.status, counted.reason) == ("killed", "the log ends in the middle of the run")
    assert counted.tiers == {"exact": len([e for e in events if e.type == "step_finished"])}


_CLOSED = {"type", "at", "sha256", "path", "tier", "status", "by", "source"}
"""Fields that hold no words but the engine's own."""


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in _strings(part)]
    return [text for part in value for text in _strings(part)] if isinstance(value, list | tuple) else []


def _started(folder: Path) -> bool:
    file = folder / LOG_NAME
    return file.exists() and file.read_bytes().count(b"step_started") >= 3
