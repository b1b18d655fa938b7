"""Read and write meters such that concurrent requests cannot both take the last unit.

Meters are in the database: all processes count together, and what was spent outlasts a restart.

Every change of a meter first locks the site-wide meter. SQLite allows one write at a time anyway;
on PostgreSQL, a single lock that is always taken first rules out deadlocks. It is held for a few
statements at the end of a transaction.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import BigIntegerField, Q, QuerySet, Value
from django.db.models.functions import Now
from django.utils import timezone

from chat.database.housekeeping import delete_batch
from chat.database.prepared import AnyOf, PreparedInsert, PreparedQuery
from chat.quotas.models import ConfigVersion, Meter
from chat.quotas.payer import ADDRESS_OR_VISITOR, EVERYONE
from chat.quotas.units import window_start

IDLE_AT_ONCE = 500

FIELDS = [field.attname for field in Meter._meta.concrete_fields]

_lock = PreparedQuery(
    lambda: Meter.objects.filter(pk=EVERYONE).select_for_update().values_list("key")
)


def _with_version(keys: Any) -> QuerySet[Any, tuple[Any, ...]]:
    """Return the time and the fields of each meter; one row has the version instead of a key."""
    nothing = [Value(None, output_field=field) for field in Meter._meta.concrete_fields]
    no_version = Value(None, output_field=BigIntegerField())
    meters = Meter.objects.filter(AnyOf("pk", keys)).values_list(Now(), no_version, *FIELDS)
    version = ConfigVersion.objects.filter(pk=1).values_list(Now(), "version", *nothing)
    return meters.union(version, all=True)


_read = PreparedQuery(_with_version)
_write = PreparedInsert(Meter, unique=["key"])


@dataclass(frozen=True, slots=True)
class MeterReading:
    """The meters of some keys at the database's time `now`, and the version of the rules then."""

    now: datetime
    meters: dict[str, Meter]
    config_version: int | None


def lock() -> None:
    """Lock all meters until the end of the transaction. On SQLite its beginning did that."""
    if connection.vendor == "postgresql" and not _lock.all():
        Meter.objects.bulk_create([Meter(key=EVERYONE)], ignore_conflicts=True)
        _lock.all()


def locked(keys: Iterable[str]) -> MeterReading:
    """Lock and return the meters of `keys`, for `write`. Call it inside a transaction."""
    lock()
    return read(keys)  # afterwards, because its time must not precede the wait


def read(keys: Iterable[str]) -> MeterReading:
    """Return the meters of `keys` without locking. Unused ones are empty."""
    wanted = {EVERYONE, *keys}
    rows = _read.all(list(wanted))
    now = rows[0][0] if rows else timezone.now()  # nothing was ever written
    versions = {row[2]: row[1] for row in rows}
    stored = (row[2:] for row in rows if row[2] is not None)
    present = {row[0]: Meter.from_db(connection.alias, FIELDS, row) for row in stored}
    meters = {key: present.get(key) or Meter(key=key) for key in wanted}
    for meter in meters.values():
        meter.advance(now)
    return MeterReading(now, meters, versions.get(None))


def write(meters: dict[str, Meter]) -> None:
    """Store meters that `locked` returned. Call it in the same transaction."""
    own = (meters[key].__dict__ for key in sorted(meters))
    _write.many([each[name] for name in FIELDS] for each in own)


@transaction.atomic
def remove_idle() -> int:
    """Remove unused meters of addresses, visitors and API keys; return how many.

    Members keep theirs, which records when they were last active.
    """
    now = locked(()).now
    passing = Q()
    for prefix in (*ADDRESS_OR_VISITOR, "api_key:"):
        passing |= Q(key__startswith=prefix)
    idle = Meter.objects.filter(passing, running=0, used_at__lt=window_start("month", now))
    return delete_batch(idle, IDLE_AT_ONCE)
