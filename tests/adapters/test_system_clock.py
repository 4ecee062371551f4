"""The machine's own time."""

from __future__ import annotations

from datetime import UTC, datetime

from sopbench.adapters.system_clock import SystemClock


def test_now_is_the_time_of_day_in_utc() -> None:
    before = datetime.now(UTC)

    now = SystemClock().now()

    assert before <= now <= datetime.now(UTC)
    assert now.tzinfo is UTC


async def test_waiting_takes_its_time_on_the_monotonic_clock() -> None:
    clock = SystemClock()
    start = clock.monotonic()

    await clock.sleep(0.05)
    await clock.sleep(-1)

    assert 0.04 < clock.monotonic() - start < 5
