"""Limit how often an address or user may do something, counted across all processes.

This slows down mass creation. The cost of answers is counted in chat/quotas. The counts are in the
cache (Redis or a table), because such a limit is so low that each process counting for itself would
multiply it.
"""

import threading
from contextlib import suppress

from asgiref.sync import sync_to_async
from django.core.cache import cache

from chat.database.optional_writes import go_on_without
from chat.lib.limits import MINUTE_SECONDS, current_window, refusal

HOUR_SECONDS = 3600

#: Django's database cache increments in two steps, so concurrent threads could lose counts.
_counting = threading.Lock()


def require_rate(what: str, who: str, most: int, per_seconds: int = MINUTE_SECONDS) -> None:
    """Count one use; raise `RateLimitExceeded` above `most` uses in this window.

    If the database takes no writes, nothing is counted: pages are shown all the same, and what
    writes will fail by itself.
    """
    key, seconds_left = _key_of(what, who, per_seconds)
    count = 0
    with _counting, go_on_without():
        cache.add(key, 0, per_seconds)
        with suppress(ValueError):  # the window ended in between
            count = cache.incr(key)
    if count > most:
        raise refusal(what, seconds_left)


def uses_left(what: str, who: str, most: int, per_seconds: int = MINUTE_SECONDS) -> int:
    """Return how many more uses `require_rate` allows in this window."""
    key, _seconds_left = _key_of(what, who, per_seconds)
    return max(0, most - (cache.get(key) or 0))


def _key_of(what: str, who: str, per_seconds: int) -> tuple[str, float]:
    """Return where the uses of the current window are counted, and the seconds until it ends."""
    window, seconds_left = current_window(per_seconds)
    return f"limit:{what}:{who}:{window}", seconds_left


arequire_rate = sync_to_async(require_rate)
