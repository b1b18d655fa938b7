"""So many of a kind a minute from one address, counted by all processes together.

It slows down who makes things up by the thousand. What answers cost is counted in chat/quotas.
"""

import time

from django.core.cache import cache

from chat.errors import TooOften
from chat.lib import metrics

MINUTE_SECONDS = 60


def require_pace(what: str, address: str, most: int) -> None:
    """Counts one more; `TooOften` where that is more than `most` in this minute."""
    minute, second = divmod(int(time.time()), MINUTE_SECONDS)
    key = f"pace:{what}:{address}:{minute}"
    cache.add(key, 0, MINUTE_SECONDS)
    try:
        count = cache.incr(key)
    except ValueError:  # it ended in between
        return
    if count > most:
        metrics.shed(what)
        raise TooOften(retry_after_seconds=MINUTE_SECONDS - second)
