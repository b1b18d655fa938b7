"""Buckets, windows, queues and deadlines limit each key by itself, and remember few keys."""

import asyncio
import time

import pytest

from chat.errors import RateLimitExceeded
from chat.lib import limits
from chat.lib.limits import (
    MAX_KEYS,
    Backoff,
    BoundedMap,
    Deadlines,
    FairQueues,
    TokenBuckets,
    WindowCounters,
    bucket_wait,
    current_window,
)


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which the test sets."""
    now = [6010.0]
    monkeypatch.setattr(limits.clock, "monotonic", lambda: now[0])
    monkeypatch.setattr(limits.clock, "wall", lambda: now[0])
    return now


def test_keys_set_longest_ago_are_dropped() -> None:
    kept: BoundedMap[str, int] = BoundedMap(2)
    for number, key in enumerate(("first", "second", "first", "third")):
        kept[key] = number
    assert list(kept.items()) == [("first", 2), ("third", 3)]


@pytest.mark.usefixtures("now")
def test_each_limit_remembers_few_keys() -> None:
    deadlines: Deadlines[str] = Deadlines()
    buckets, counters = TokenBuckets(), WindowCounters("test", 2)
    backoff = Backoff(1, 2, 3)
    for number in range(MAX_KEYS + 50):
        deadlines.start(f"{number}", 10)
        buckets.take(f"{number}", 1, 1)
        counters.add(f"{number}")
        backoff.delay_seconds(f"{number}")
    kept = deadlines, buckets._full_at, counters._counts, backoff._refused
    assert [len(each) for each in kept] == [MAX_KEYS] * 4


def test_a_bucket_refills_up_to_its_size(now: list[float]) -> None:
    buckets = TokenBuckets()
    waits = [buckets.take("alice", per_second=2, burst=3) for _ in range(4)]
    assert waits == [0, 0, 0, 0.5]
    assert buckets.take("bob", 2, 3) == 0
    now[0] += 0.5
    assert [buckets.take("alice", 2, 3) for _ in range(2)] == [0, 0.5]
    now[0] += 3600
    assert [buckets.take("alice", 2, 3) for _ in range(4)] == [0, 0, 0, 0.5]


@pytest.mark.usefixtures("now")
@pytest.mark.parametrize("per_second", [0.1, 3, 7, 10])
def test_exactly_the_burst_passes_at_once(per_second: float) -> None:
    buckets = TokenBuckets()
    waits = [buckets.take("alice", per_second, 100) for _ in range(101)]
    assert waits[:100] == [0] * 100
    assert waits[100] == pytest.approx(1 / per_second, abs=1e-6)


def test_what_does_not_fit_takes_nothing(now: list[float]) -> None:
    buckets = TokenBuckets()
    assert buckets.take("alice", 1, 4, count=2) == 0
    assert [buckets.take("alice", 1, 4, count=3) for _ in range(3)] == [1, 1, 1]
    now[0] += 1
    assert buckets.take("alice", 1, 4, count=3) == 0


def test_what_is_waited_for_may_be_taken() -> None:
    """As with a provider, whose requests are sent when they are due."""
    seconds_to_full, waits = 0.0, []
    for _ in range(4):
        wait_seconds, seconds_to_full = bucket_wait(seconds_to_full, per_second=2, burst=2)
        waits.append(wait_seconds)
    assert waits == [0, 0, 0.5, 1]


def test_a_new_minute_begins_at_zero(now: list[float]) -> None:
    counters = WindowCounters("test", 2)
    for _ in range(2):
        counters.require("vera")
        counters.add("vera")
    now[0] = 6019.9
    with pytest.raises(RateLimitExceeded) as refused:
        counters.require("vera")
    assert refused.value.retry_after_seconds == pytest.approx(40.1)
    counters.require("bob")
    now[0] = 6060.0
    counters.require("vera")
    assert counters.count("vera") == 0


def test_no_minute_ends_in_a_test() -> None:
    assert limits.clock.wall is not time.time
    assert current_window(60) == current_window(60)


async def test_a_full_queue_refuses_its_own_key_only() -> None:
    queues = FairQueues("test", longest=2)
    goes_on, order = asyncio.Event(), []

    async def work(name: str) -> None:
        async with queues.turn("alice"):
            order.append(name)
            await goes_on.wait()

    waiting = [asyncio.create_task(work(name)) for name in ("first", "second")]
    await asyncio.sleep(0)
    with pytest.raises(RateLimitExceeded):
        async with queues.turn("alice"):
            pass
    async with queues.turn("bob"):
        assert order == ["first"]
    goes_on.set()
    await asyncio.gather(*waiting)
    assert order == ["first", "second"]
    async with queues.turn("alice"):
        assert len(queues._queues) == 1


def test_a_deadline_passes(now: list[float]) -> None:
    deadlines: Deadlines[str] = Deadlines()
    deadlines.start("alice", 10)
    assert (deadlines.seconds_left("alice"), deadlines.seconds_left("bob")) == (10, 0)
    now[0] += 12
    assert deadlines.seconds_left("alice") == 0


@pytest.mark.usefixtures("now")
def test_each_refusal_is_delayed_longer_up_to_a_maximum() -> None:
    backoff = Backoff(first_seconds=0.25, most_seconds=2, forget_seconds=10)
    assert [backoff.delay_seconds("alice") for _ in range(7)] == [0, 0.25, 0.5, 1, 2, 2, 2]
    assert backoff.delay_seconds("bob") == 0


def test_after_a_pause_the_delay_begins_anew(now: list[float]) -> None:
    backoff = Backoff(first_seconds=0.25, most_seconds=2, forget_seconds=10)
    assert [backoff.delay_seconds("alice") for _ in range(3)] == [0, 0.25, 0.5]
    now[0] += 11
    assert backoff.delay_seconds("alice") == 0
