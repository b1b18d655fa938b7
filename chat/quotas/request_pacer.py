"""How often the model's service is asked, by all processes together.

A burst is let through at once, what comes after it at a steady rate; both add up to what the
service takes in any minute.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from chat.quotas.models import UpstreamPace

BURST = 0.2  # of a minute's requests


@transaction.atomic
def take(per_minute: int, longest_wait_seconds: float) -> float:
    """Takes the next place in the queue; in how many seconds it is due.

    A place later than `longest_wait_seconds` is not taken.
    """
    if not UpstreamPace.objects.select_for_update().filter(pk=1).exists():
        UpstreamPace.objects.bulk_create([UpstreamPace(pk=1)], ignore_conflicts=True)
        UpstreamPace.objects.select_for_update().get(pk=1)
    pace = UpstreamPace.objects.annotate(now=Now()).get(pk=1)
    burst = max(1, int(per_minute * BURST))
    step = timedelta(minutes=1) / max(1, per_minute - burst)
    free_at = max(pace.free_at, pace.now) if pace.free_at else pace.now
    wait_seconds = (free_at - pace.now - (burst - 1) * step).total_seconds()
    if wait_seconds <= longest_wait_seconds:
        UpstreamPace.objects.filter(pk=1).update(free_at=free_at + step)
    return max(0.0, wait_seconds)
