"""Limit the sustained rate and the bursts of an action, by key."""

import time
from collections import OrderedDict

MAX_KEYS = 10_000


class TokenBuckets:
    """A token bucket per key, in the memory of this process.

    Each holds `burst` tokens and regains `per_second`. Buckets that were not used for longest are
    dropped first, which refills them.
    """

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # time, tokens

    def take(self, key: str, per_second: float, burst: float, count: float = 1) -> float:
        """Take `count` tokens of `key`; return the seconds to wait, 0 if they were taken."""
        now = time.monotonic()
        filled_at, tokens = self._buckets.get(key, (now, burst))
        tokens = min(burst, tokens + (now - filled_at) * per_second)
        wait_seconds = max(0.0, (count - tokens) / per_second)
        self._buckets[key] = now, tokens if wait_seconds else tokens - count
        self._buckets.move_to_end(key)
        if len(self._buckets) > MAX_KEYS:
            self._buckets.popitem(last=False)
        return wait_seconds


class Deadlines:
    """Deadlines per key, in the memory of this process."""

    def __init__(self) -> None:
        self._ends: OrderedDict[bytes, float] = OrderedDict()

    def remember(self, key: bytes, seconds: float) -> None:
        """Make `key` wait for so many seconds. Those set longest ago are dropped first."""
        if not key:
            return
        self._ends[key] = time.monotonic() + seconds
        self._ends.move_to_end(key)
        if len(self._ends) > MAX_KEYS:
            self._ends.popitem(last=False)

    def seconds_left(self, key: bytes) -> float:
        """Return the seconds that `key` has to wait, or 0."""
        return max(0.0, self._ends.get(key, 0.0) - time.monotonic())
