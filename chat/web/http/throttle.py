"""So many of a kind in a time from one address or person, counted by all processes together.

It slows down who makes things up by the thousand. What answers cost is counted in chat/quotas.
"""

import threading
import time

from django.core.cache import cache

from chat.errors import RateLimitExceeded
from chat.lib import metrics

MINUTE_SECONDS = 60
HOUR_SECONDS = 3600

#: Django's cache in a database reads and writes in two steps; at once, many would read the same.
_counting = threading.Lock()


def require_pace(what: str, who: str, most: int, per_seconds: int = MINUTE_SECONDS) -> None:
    """Count one more; `RateLimitExceeded` if that is more than `most` in this period."""
    period, second = divmod(int(time.time()), per_seconds)
    key = f"pace:{what}:{who}:{period}"
    with _counting:
        cache.add(key, 0, per_seconds)
        try:
            count = cache.incr(key)
        except ValueError:  # it ended in between
            return
    if count > most:
        metrics.shed(what)
        raise RateLimitExceeded(retry_after_seconds=per_seconds - second)
