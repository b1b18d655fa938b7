"""Pause requests until 00:00 UTC once the provider's daily allocation is spent."""

from datetime import datetime, timedelta

from django.db.models.functions import Now

from chat.errors import AllocationExhausted
from chat.quotas.models import Meter, UpstreamPause
from chat.quotas.payer import EVERYONE
from chat.quotas.units import window_end

ADVANCE = timedelta(seconds=1)  # the provider's clock may be slightly behind


def pause(provider: str = "") -> None:
    """Pause requests to a provider until 00:00 UTC by the database's clock.

    Staff can end it earlier, in the admin.
    """
    Meter.objects.get_or_create(key=EVERYONE)
    now = Meter.objects.filter(key=EVERYONE).annotate(now=Now()).values_list("now", flat=True)[0]
    midnight = window_end("day", now)
    assert midnight  # noqa: S101
    if paused_until(provider) is None:
        UpstreamPause.objects.create(provider=provider, until=midnight + ADVANCE)


def paused_until(provider: str = "") -> datetime | None:
    """Return when the pause ends; None if there is none."""
    return (
        UpstreamPause.objects.filter(provider=provider, until__gt=Now())
        .order_by("-until")
        .values_list("until", flat=True)
        .first()
    )


def pause_error(until: datetime, now: datetime) -> AllocationExhausted:
    """Return the error for requests during a pause."""
    seconds = (until - now).total_seconds()
    return AllocationExhausted(detail="paused", retry_after_seconds=max(1.0, seconds))
