"""How fast something may be done for long, and how much of it at once, by key."""

import time
from collections import OrderedDict

MAX_KEYS = 10_000


class TokenBuckets:
    """A token bucket for each key, in the memory of this process.

    Each holds `burst` tokens and gets `per_second` back. Buckets used longest ago are forgotten
    first, which fills them.
    """

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # time, tokens

    def take(self, key: str, per_second: float, burst: float, count: float = 1) -> float:
        """Take so many tokens of `key`; 0, or, and none is taken, the seconds until there are."""
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
    """Until when each key has to wait, in the memory of this process."""

    def __init__(self) -> None:
        self._ends: OrderedDict[bytes, float] = OrderedDict()

    def remember(self, key: bytes, seconds: float) -> None:
        """`key` has to wait for so long; those named longest ago are forgotten first."""
        if not key:
            return
        self._ends[key] = time.monotonic() + seconds
        self._ends.move_to_end(key)
        if len(self._ends) > MAX_KEYS:
            self._ends.popitem(last=False)

    def seconds_left(self, key: bytes) -> float:
        """0 where it need not wait."""
        return max(0.0, self._ends.get(key, 0.0) - time.monotonic())
