from __future__ import annotations

from sopbench.sites.airtable.pace import Latency, RateLimit


def test_the_same_seed_waits_the_same_times() -> None:
    first, second, other = Latency(3, "writes"), Latency(3, "writes"), Latency(4, "writes")

    times = [[latency.next_s() for _ in range(50)] for latency in (first, second, other)]

    assert times[0] == times[1] != times[2]
    assert 0.03 <= min(times[0]) < max(times[0]) <= 0.15


def test_the_limit_slides_with_the_clock() -> None:
    now = [0.0]
    limit = RateLimit(2, clock=lambda: now[0])

    taken = [limit.take() for now[0] in (0.0, 0.6, 0.9, 1.0, 1.1, 1.6)]

    assert taken == [True, True, False, True, False, True]
