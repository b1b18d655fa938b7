"""Turning new work away before the process has more than it can do.

What has begun goes on: only what would begin something new is measured (chat/busy.py). Reading,
stopping and taking up again are always possible, for they end work or cost little.
"""

import random

from django.conf import settings

from chat.errors import Busy
from chat.lib import metrics
from chat.relay import registry
from chat.relay.life import Life

#: People come back at different moments, or the same rush comes again.
RETRY_SECONDS = (2.0, 6.0)


def refuse_when_busy(here: Life) -> None:
    """Raises `Busy` where one more answer would be too much."""
    reason = reason_to_refuse(here)
    if reason:
        metrics.shed(reason)
        raise Busy(detail=reason, retry_after_seconds=random.uniform(*RETRY_SECONDS))


def reason_to_refuse(here: Life) -> str:
    """What there is too much of; empty if nothing is. A limit of 0 is none."""
    measured = (
        ("answers", registry.running_count(), settings.MAX_RUNNING_ANSWERS),
        ("streams", len(here.viewers), settings.MAX_OPEN_STREAMS),
        ("lag", here.pulse.lag_seconds, settings.MAX_LAG_SECONDS),
        ("unwritten", here.scribe.behind_seconds, settings.MAX_UNWRITTEN_SECONDS),
    )
    for name, value, limit in measured:
        if limit and value >= limit:
            return name
    return ""
