"""Whoever is refused again and again is told later and later.

A request that sleeps costs nothing; one that is refused at once comes back at once, and others wait
behind it. The first refusal is never late.
"""

import time

FIRST_SECONDS = 0.25
LONGEST_SECONDS = 2.0
FORGET_SECONDS = 10.0
MOST_REMEMBERED = 10_000

_refused: dict[str, tuple[int, float]] = {}  # by principal: how often in a row, and when last


def delay_seconds(key: str) -> float:
    """How long to wait before this refusal is told; counts it."""
    now = time.monotonic()
    count, last = _refused.pop(key, (0, now))
    count = 0 if now - last > FORGET_SECONDS else count
    _refused[key] = count + 1, now  # the newest is at the end
    if len(_refused) > MOST_REMEMBERED:
        del _refused[next(iter(_refused))]
    return min(LONGEST_SECONDS, FIRST_SECONDS * 2.0 ** min(count - 1, 10)) if count else 0.0


def forget() -> None:
    _refused.clear()
