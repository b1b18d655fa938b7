"""Limit how often an address or user may do something, counted across all processes.

This slows down mass creation. The cost of answers is counted in chat/quotas.
"""

import threading
from contextlib import suppress

from django.core.cache import cache

from chat.database.optional_writes import go_on_without
from chat.errors import RateLimitExceeded
from chat.lib import metrics, rate_window
from chat.lib.rate_window import MINUTE_SECONDS

HOUR_SECONDS = 3600

#: Django's database cache increments in two steps, so concurrent threads could lose counts.
_counting = threading.Lock()


def require_rate(what: str, who: str, most: int, per_seconds: int = MINUTE_SECONDS) -> None:
    """Count one use; raise `RateLimitExceeded` above `most` uses in this period.

    If the database takes no writes, nothing is counted: pages are shown all the same, and what
    writes will fail by itself.
    """
    period, passed = rate_window.current_period(per_seconds)
    key = f"pace:{what}:{who}:{period}"
    count = 0
    with _counting, go_on_without():
        cache.add(key, 0, per_seconds)
        with suppress(ValueError):  # the period ended in between
            count = cache.incr(key)
    if count > most:
        metrics.record_shed(what)
        raise RateLimitExceeded(retry_after_seconds=per_seconds - passed)
