"""Faults of the network strike requests of a real page."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.errors import NavigationFailed, NetworkFailed

from .conftest import Asked, MakeWorld, World, planned


async def asks(world: World) -> Any:
    """What the page got when it asked for its data."""
    return await world.page.evaluate("ask().then(() => answers.at(-1))")


async def test_a_refused_page_does_not_load(world: MakeWorld, server: Asked) -> None:
    under = await world(planned("network.refused", resources=["document"]))

    with pytest.raises(NetworkFailed, match="ERR_CONNECTION_REFUSED"):
        await under.open()

    assert server.paths == []
    assert [strike.what for strike in under.strikes] == [f"GET {server.url}/: connectionrefused"]


async def test_a_reset_connection_fails_the_request(world: MakeWorld) -> None:
    under = await world(planned("network.reset", path="/api"))
    await under.open()

    status, _ = await asks(under)

    assert status == "failed"


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_an_error_status_comes_in_place_of_the_answer(world: MakeWorld, server: Asked, status: int) -> None:
    under = await world(planned("network.status", status=status, path="/api"))
    await under.open()

    assert (await asks(under))[0] == status
    assert "/api" not in server.paths


async def test_a_status_may_say_when_to_come_again(world: MakeWorld) -> None:
    said = "fetch('/api').then(r => r.headers.get('retry-after'))"
    with_word = await world(planned("network.status", status=429, retry_after_s=7, path="/api"))
    without = await world(planned("network.status", status=429, path="/api"))
    await with_word.open()
    await without.open()

    assert await with_word.page.evaluate(said) == "7"
    assert await without.page.evaluate(said) is None


async def test_an_error_status_of_a_page_fails_its_navigation(world: MakeWorld) -> None:
    under = await world(planned("network.status", status=503, resources=["document"], when="once"))

    with pytest.raises(NavigationFailed, match="503"):
        await under.open()
    await under.open()

    assert len(under.strikes) == 1


async def test_latency_holds_requests_back(world: MakeWorld) -> None:
    under = await world(planned("network.latency", delay_s=[0.3, 0.4], path="/api"))
    await under.open()

    took = await under.page.evaluate(
        "(async () => { const t = performance.now(); await ask(); return performance.now() - t })()"
    )

    assert took >= 300
    assert 0.3 <= float(under.strikes[0].what.split()[-2]) <= 0.4


async def test_a_slow_script_is_waited_for(world: MakeWorld) -> None:
    under = await world(planned("network.latency", delay_s=[0.5, 0.5], resources=["script"]))

    await under.open()

    took = await under.page.evaluate(
        "performance.getEntriesByType('resource')"
        ".filter(each => each.initiatorType === 'script').map(each => each.duration)"
    )
    assert [each >= 500 for each in took] == [True]
    assert await under.page.evaluate("window.appIsThere") is True


async def test_a_truncated_answer_ends_in_the_middle(world: MakeWorld) -> None:
    under = await world(planned("network.truncated", path="/api", keeps=0.25))
    await under.open()

    status, text = await asks(under)

    assert status == 200
    assert text.startswith('{"orders":[0,1,')
    assert not text.endswith("}")
    assert "bytes" in under.strikes[0].what


async def test_offline_ends_by_itself(world: MakeWorld) -> None:
    under = await world(planned("network.offline", seconds=0.5, when={"once": True, "from_action": 2}))
    await under.open()

    under.begins()
    await under.disturbance.action_begins(under.page.url)
    during = await asks(under)
    await under.page.wait_for_function("navigator.onLine")
    after = await asks(under)

    assert during[0] == "failed"
    assert after[0] == 200


async def test_a_page_that_is_being_opened_as_the_network_comes_back_has_it_too(world: MakeWorld) -> None:
    for milliseconds in (2, 6, 10, 14):
        under = await world(planned("network.offline", seconds=milliseconds / 1000, when="once"))
        await under.context.new_page()
        under.begins()
        await under.disturbance.action_begins(under.page.url)

        page = await under.context.new_page()

        await page.wait_for_function("navigator.onLine", timeout=2_000)


async def test_a_thin_line_makes_a_large_answer_slow(world: MakeWorld) -> None:
    under = await world(planned("network.bandwidth", kbytes_per_s=1))
    await under.open()

    took = await under.page.evaluate(
        "(async () => { const t = performance.now(); await ask(); return performance.now() - t })()"
    )

    assert took > 200


async def test_a_fault_kept_to_another_site_leaves_this_one_alone(world: MakeWorld) -> None:
    elsewhere = await world(planned("network.refused", site="*.example"))
    here = await world(planned("network.refused", site="here", path="/api"))
    await elsewhere.open()
    await here.open()

    assert (await asks(elsewhere))[0] == 200
    assert (await asks(here))[0] == "failed"


async def test_the_same_seed_breaks_the_same_requests(world: MakeWorld) -> None:
    def fault() -> Any:
        return planned("network.status", status=500, path="/api", when={"probability": 0.5})

    async def statuses(seed: int) -> list[int]:
        under = await world(fault(), seed=seed)
        await under.open()
        return [(await asks(under))[0] for _ in range(12)]

    first, again, other = await statuses(5), await statuses(5), await statuses(6)

    assert first == again
    assert first != other
    assert set(first) == {200, 500}


async def test_a_secret_in_an_address_is_not_noted(world: MakeWorld) -> None:
    under = await world(planned("network.status", status=500, path="hunter2"))
    await under.open()

    await under.page.evaluate("fetch('/hunter2').then(r => r.status)")

    assert "hunter2" not in under.strikes[0].what
