"""Limit how often an address or user may do something, counted across all processes.

This slows down mass creation. The cost of answers is counted in chat/quotas.
"""

import threading
import time

from django.core.cache import cache

from chat.errors import RateLimitExceeded
from chat.lib import metrics

MINUTE_SECONDS = 60
HOUR_SECONDS = 3600

#: Django's database cache increments in two steps, so concurrent threads could lose counts.
_counting = threading.Lock()


def require_rate(what: str, who: str, most: int, per_seconds: int = MINUTE_SECONDS) -> None:
    """Count one use; raise `RateLimitExceeded` above `most` uses in this period."""
    period, second = divmod(int(time.time()), per_seconds)
    key = f"pace:{what}:{who}:{period}"
    with _counting:
        cache.add(key, 0, per_seconds)
        try:
            count = cache.incr(key)
        except ValueError:  # the period ended in between
            return
    if count > most:
        metrics.record_shed(what)
        raise RateLimitExceeded(retry_after_seconds=per_seconds - second)
