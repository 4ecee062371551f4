"""Work that is carried through although whoever waits for it is stopped."""

from __future__ import annotations

import asyncio

import pytest

from sopbench.adapters.carried_through import carried_through


async def test_it_gives_what_the_work_gives() -> None:
    async def work() -> int:
        return 3

    assert await carried_through(work()) == 3


async def test_an_error_of_the_work_comes_through() -> None:
    async def work() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        await carried_through(work())


async def test_it_is_not_left_half_done_and_the_stop_is_not_lost() -> None:
    begun, may_end, done = asyncio.Event(), asyncio.Event(), list[str]()

    async def work() -> None:
        begun.set()
        await may_end.wait()
        done.append("all of it")

    waiting = asyncio.create_task(carried_through(work()))
    await begun.wait()

    waiting.cancel()
    await asyncio.sleep(0)
    may_end.set()

    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert done == ["all of it"]
