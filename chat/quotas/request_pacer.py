"""Pace the requests to each provider, for all processes together.

A burst passes at once, further requests at a steady rate; together they stay within the provider's
limit per minute.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from chat.quotas.models import UpstreamPace

BURST = 0.2  # share of a minute's requests


@transaction.atomic
def reserve_slot(per_minute: int, longest_wait_seconds: float, provider: str = "") -> float:
    """Take the next slot at a provider; return the seconds until it is due.

    A slot that is due later than `longest_wait_seconds` is not taken.
    """
    paces = UpstreamPace.objects.filter(provider=provider)
    if not paces.select_for_update().exists():
        UpstreamPace.objects.bulk_create([UpstreamPace(provider=provider)], ignore_conflicts=True)
        paces.select_for_update().get()
    pace = paces.annotate(now=Now()).get()
    burst = max(1, int(per_minute * BURST))
    step = timedelta(minutes=1) / max(1, per_minute - burst)
    free_at = max(pace.free_at, pace.now) if pace.free_at else pace.now
    wait_seconds = (free_at - pace.now - (burst - 1) * step).total_seconds()
    if wait_seconds <= longest_wait_seconds:
        paces.update(free_at=free_at + step)
    return max(0.0, wait_seconds)
