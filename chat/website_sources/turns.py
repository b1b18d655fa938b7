"""Let one request at a time go to a host, from all processes together, and none too soon.

A turn is a row with the time from which the next one may begin. Who takes it moves the time on, by
more than a request may take, and at its end sets when the next one may begin. If the process dies,
that time passes by itself.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from chat.database import threads
from chat.lib.limits import doubled
from chat.website_sources.models import CrawlTurn

LEASE = timedelta(seconds=60)
#: Longer waits are left to the outbox.
PATIENCE_SECONDS = 7.0
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 5.0, 600.0  # after failures in a row
#: After "too many requests", as the host asks.
LEAST_BACKOFF_SECONDS, MOST_BACKOFF_SECONDS = 30.0, 3600.0


class HostBusy(Exception):
    """No request may be sent for so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@dataclass
class HostTurn:
    """What happens in a turn decides when the next one begins."""

    seconds: float
    has_failed: bool = False

    def back_off(self, seconds: float) -> None:
        """Leave the host alone for as long as it asks."""
        self.seconds = min(MOST_BACKOFF_SECONDS, max(LEAST_BACKOFF_SECONDS, seconds))


@asynccontextmanager
async def turn_of(
    name: str, seconds: float, patience_seconds: float = PATIENCE_SECONDS
) -> AsyncIterator[HostTurn]:
    """Wait for a turn; the next one is `seconds` after it. Raise `HostBusy` if it takes longer."""
    while wait := await threads.writer.run(_take, name):
        if wait > patience_seconds:
            raise HostBusy(wait)
        await asyncio.sleep(wait)
    turn = HostTurn(seconds)
    try:
        yield turn
    finally:
        await asyncio.shield(threads.writer.run(_end, name, turn))


def _take(name: str) -> float:
    """Return 0 if the turn was taken, or else the seconds until it may be."""
    row, _is_new = CrawlTurn.objects.get_or_create(name=name)
    free = CrawlTurn.objects.filter(name=name, free_at__lte=Now())
    if free.update(free_at=Now() + LEASE):
        return 0.0
    return max(0.01, (row.free_at - timezone.now()).total_seconds())


def _end(name: str, turn: HostTurn) -> None:
    rows = CrawlTurn.objects.filter(name=name)
    if not turn.has_failed:
        rows.update(free_at=Now() + timedelta(seconds=turn.seconds), failures=0)
        return
    failures = rows.values_list("failures", flat=True).first() or 0
    pause = doubled(FIRST_PAUSE_SECONDS, failures, LONGEST_PAUSE_SECONDS)
    wait = timedelta(seconds=max(pause, turn.seconds))
    rows.update(free_at=Now() + wait, failures=F("failures") + 1)


def remove_old() -> None:
    """Remove the turns of hosts that nobody has asked for a week. Run every minute."""
    CrawlTurn.objects.filter(free_at__lt=timezone.now() - timedelta(days=7)).delete()
