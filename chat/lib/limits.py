"""Limit how often something happens, by key: a member, an address, a provider.

The whole site uses these, and docs/all_limits.md lists where:

- `TokenBuckets` allow a sustained rate, with bursts.
- `WindowCounters` allow a number of times in each minute (fixed windows).
- `FairQueues` let one at a time of each key go on, and few wait.
- `Deadlines` and `Backoff` let a key wait until a time; `Backoff` longer each time.

They count in the memory of this process, which costs less than most requests that they refuse.
What all processes count together uses `bucket_wait` and `current_window` on what they share.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar
from weakref import WeakValueDictionary

from chat.errors import RateLimitExceeded
from chat.lib import metrics

#: Keys that are remembered for each limit: strangers can make up any number.
MAX_KEYS = 10_000
MINUTE_SECONDS = 60
#: When to come back to a queue that was full.
QUEUE_RETRY_SECONDS = 2.0

K = TypeVar("K")
V = TypeVar("V")


@dataclass(slots=True)
class Clock:
    """The clock of all limits, which tests can set."""

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time  # for windows, on which all processes agree


clock = Clock()


class BoundedMap(OrderedDict[K, V]):
    """A dictionary of at most `most` keys. Those set longest ago are dropped first."""

    def __init__(self, most: int = MAX_KEYS) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key, None)  # so that it moves to the end, whatever other threads do
        super().__setitem__(key, value)
        if len(self) > self._most:
            self.popitem(last=False)


def refusal(reason: str, retry_after_seconds: float) -> RateLimitExceeded:
    """Count a refusal in the metrics under `reason`, and return its error."""
    metrics.record_shed(reason)
    return RateLimitExceeded(retry_after_seconds=retry_after_seconds)


def bucket_wait(
    seconds_to_full: float, per_second: float, burst: float, count: float = 1
) -> tuple[float, float]:
    """Return the seconds to wait for `count` tokens, and `seconds_to_full` once they are taken.

    The bucket holds `burst` tokens and regains `per_second`, so it is full in `seconds_to_full`.
    """
    seconds_to_full = max(0.0, seconds_to_full) + count / per_second
    wait_seconds = seconds_to_full - burst / per_second
    return max(0.0, round(wait_seconds, 6)), seconds_to_full  # a sum of fractions isn't exact


class TokenBuckets:
    """A token bucket for each key."""

    def __init__(self) -> None:
        self._full_at: BoundedMap[str, float] = BoundedMap()

    def take(self, key: str, per_second: float, burst: float, count: float = 1) -> float:
        """Take `count` tokens of `key`; return the seconds to wait, 0 if they were taken."""
        now = clock.monotonic()
        full_at = max(now, self._full_at.get(key, now))
        wait_seconds, seconds_to_full = bucket_wait(full_at - now, per_second, burst, count)
        self._full_at[key] = full_at if wait_seconds else now + seconds_to_full
        return wait_seconds


def current_window(seconds: int) -> tuple[int, float]:
    """Return the number of the current window of `seconds`, and the seconds until it ends."""
    number, passed = divmod(clock.wall(), seconds)
    return int(number), seconds - passed


class WindowCounters:
    """Counts by key in the current minute, of which at most `most` are allowed.

    `reason` names refusals in the metrics.
    """

    def __init__(self, reason: str, most: int) -> None:
        self._reason, self._most = reason, most
        self._counts: BoundedMap[str, tuple[int, int]] = BoundedMap()  # window, count

    def add(self, key: str) -> None:
        """Count `key` once more."""
        self._counts[key] = current_window(MINUTE_SECONDS)[0], self.count(key) + 1

    def count(self, key: str) -> int:
        window, count = self._counts.get(key, (0, 0))
        return count if window == current_window(MINUTE_SECONDS)[0] else 0

    def require(self, key: str) -> None:
        """Raise `RateLimitExceeded` if `key` was counted `most` times."""
        if self.count(key) >= self._most:
            raise refusal(self._reason, current_window(MINUTE_SECONDS)[1])

    def clear(self) -> None:
        self._counts.clear()


class _Queue:
    def __init__(self) -> None:
        self.turn = asyncio.Lock()  # asyncio's locks are first come, first served
        self.length = 0  # including the one being served


class FairQueues:
    """A queue for each user, so that others wait for one piece of their work, not for many.

    A queue has at most `longest` entries, including the one being served (0: no limit), and exists
    as long as it is in use. `reason` names refusals in the metrics.
    """

    def __init__(self, reason: str = "", longest: int = 0) -> None:
        self._reason, self._longest = reason, longest
        self._queues: WeakValueDictionary[str, _Queue] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncGenerator[None]:
        """Wait for this turn of the key; raise `RateLimitExceeded` at once if its queue is full."""
        queue = self._queues.setdefault(key, _Queue())
        if self._longest and queue.length >= self._longest:
            raise refusal(self._reason, QUEUE_RETRY_SECONDS)
        queue.length += 1
        try:
            async with queue.turn:
                yield
        finally:
            queue.length -= 1


class Deadlines(BoundedMap[K, float]):
    """A time for each key until which something holds, such as that it has to wait."""

    def start(self, key: K, seconds: float) -> None:
        self[key] = clock.monotonic() + seconds

    def seconds_left(self, key: K) -> float:
        """Return the seconds until the deadline of `key`, or 0."""
        return max(0.0, self.get(key, 0.0) - clock.monotonic())


def doubled(first_seconds: float, times: int, most_seconds: float) -> float:
    """Return `first_seconds` doubled so many times, but not more than `most_seconds`."""
    return min(most_seconds, first_seconds * 2.0 ** min(times, 30))


class Backoff:
    """A delay for each key that doubles from one refusal to the next. The first has none.

    After `forget_seconds` without a refusal it begins anew.
    """

    def __init__(self, first_seconds: float, most_seconds: float, forget_seconds: float) -> None:
        self._first_seconds, self._most_seconds = first_seconds, most_seconds
        self._forget_seconds = forget_seconds
        self._refused: BoundedMap[str, tuple[int, float]] = BoundedMap()  # count, time of the last

    def delay_seconds(self, key: str) -> float:
        """Count a refusal; return the seconds to wait before sending it."""
        now = clock.monotonic()
        count, last = self._refused.get(key, (0, now))
        count = 0 if now - last > self._forget_seconds else count
        self._refused[key] = count + 1, now
        return doubled(self._first_seconds, count - 1, self._most_seconds) if count else 0.0

    def clear(self) -> None:
        self._refused.clear()
