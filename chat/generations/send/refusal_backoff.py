"""Delay repeated refusals exponentially.

A request that sleeps costs nothing; one that is refused at once is retried at once and delays
others. The first refusal is immediate.
"""

import time

FIRST_SECONDS = 0.25
MAX_SECONDS = 2.0
FORGET_SECONDS = 10.0
MAX_REMEMBERED = 10_000

# By principal: consecutive refusals, and the time of the last.
_refused: dict[str, tuple[int, float]] = {}


def delay_seconds(key: str) -> float:
    """Count a refusal; return the seconds to wait before sending it."""
    now = time.monotonic()
    count, last = _refused.pop(key, (0, now))
    count = 0 if now - last > FORGET_SECONDS else count
    _refused[key] = count + 1, now  # moves the key to the end
    if len(_refused) > MAX_REMEMBERED:
        del _refused[next(iter(_refused))]
    return min(MAX_SECONDS, FIRST_SECONDS * 2.0 ** min(count - 1, 10)) if count else 0.0


def reset() -> None:
    _refused.clear()
