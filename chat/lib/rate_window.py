"""Periods of a fixed length, and counts per key within the current minute, in memory."""

import time
from collections import OrderedDict

MINUTE_SECONDS = 60
MAX_KEYS = 10_000


class MinuteCounter:
    """Counts per key for the current minute. Beyond `MAX_KEYS` the oldest keys are dropped."""

    def __init__(self) -> None:
        self._counts: OrderedDict[str, tuple[int, int]] = OrderedDict()  # minute, count

    def add(self, key: str) -> int:
        """Count `key` once more; return its count."""
        count = self.count(key) + 1
        self._counts[key] = _minute(), count
        self._counts.move_to_end(key)
        if len(self._counts) > MAX_KEYS:
            self._counts.popitem(last=False)
        return count

    def count(self, key: str) -> int:
        minute, count = self._counts.get(key, (0, 0))
        return count if minute == _minute() else 0

    def clear(self) -> None:
        self._counts.clear()


def seconds_left() -> float:
    """Return the seconds until the next minute begins."""
    return MINUTE_SECONDS - current_period(MINUTE_SECONDS)[1]


def current_period(seconds: int) -> tuple[int, float]:
    """Return the number of the current period of `seconds`, and how many of them have passed.

    All processes agree on the number, as far as their clocks do.
    """
    period, passed = divmod(time.time(), seconds)
    return int(period), passed


def _minute() -> int:
    return current_period(MINUTE_SECONDS)[0]
