"""Reading and writing meters so that two who come at once never both take the last unit.

Whoever changes any meter first locks everyone's. SQLite lets one write at a time anyway; on
PostgreSQL one lock that all take first cannot be waited for in a circle. It is held for a few
statements at the end of a transaction.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from chat.quotas.models import Meter
from chat.quotas.payer import EVERYONE
from chat.quotas.units import began

IDLE_AT_ONCE = 500
COLUMNS = [field.name for field in Meter._meta.fields if not field.primary_key]


def locked(keys: Iterable[str]) -> tuple[datetime, dict[str, Meter]]:
    """The database's time, and the meters of `keys` as of now. Call it inside a transaction."""
    wanted = {EVERYONE, *keys}
    if not Meter.objects.select_for_update().filter(key=EVERYONE).exists():
        _make({EVERYONE})
        Meter.objects.select_for_update().get(key=EVERYONE)
    found = _read(wanted)  # only now: its time must not be from before the wait
    if len(found) < len(wanted):
        _make(wanted - found.keys())
        found = _read(wanted)
    now = found[EVERYONE].now
    for meter in found.values():
        meter.advance(now)
    return now, found


def write(meters: dict[str, Meter]) -> None:
    Meter.objects.bulk_update(meters.values(), COLUMNS)


def read(keys: Iterable[str]) -> tuple[datetime, dict[str, Meter]]:
    """The same for looking only: one that was never used is empty."""
    wanted = {EVERYONE, *keys}
    found = _read(wanted)
    if EVERYONE not in found:
        _make({EVERYONE})
        found = _read(wanted)
    now = found[EVERYONE].now
    meters = {key: found.get(key) or Meter(key=key) for key in wanted}
    for meter in meters.values():
        meter.advance(now)
    return now, meters


@transaction.atomic
def remove_idle() -> int:
    """Remove meters of addresses and visitors that count nothing any more; return how many.

    A member's stays: it says when they were last here.
    """
    now, _ = locked(())
    passing = Q()
    for prefix in ("address:", "site_address:", "visitor:"):
        passing |= Q(key__startswith=prefix)
    idle = Meter.objects.filter(passing, running=0, used_at__lt=began("month", now))
    keys = list(idle.values_list("pk", flat=True)[:IDLE_AT_ONCE])
    return Meter.objects.filter(pk__in=keys).delete()[0] if keys else 0


def _read(keys: set[str]) -> dict[str, Any]:
    return {each.key: each for each in Meter.objects.filter(key__in=keys).annotate(now=Now())}


def _make(keys: set[str]) -> None:
    Meter.objects.bulk_create([Meter(key=key) for key in sorted(keys)], ignore_conflicts=True)
