"""Read and write meters such that concurrent requests cannot both take the last unit.

Every change of a meter first locks the site-wide meter. SQLite allows one write at a time anyway;
on PostgreSQL, a single lock that is always taken first rules out deadlocks. It is held for a few
statements at the end of a transaction.

Each answer reads and writes its meters twice. Building these statements with Django's ORM each time
was most of what a short answer cost, so they are written in SQL.
"""
# ruff: noqa: S608  (only names of columns are interpolated)

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.base import ModelState

from chat.quotas import rules_version
from chat.quotas.models import Meter
from chat.quotas.payer import EVERYONE
from chat.quotas.units import window_start

IDLE_AT_ONCE = 500

FIELDS = [field.name for field in Meter._meta.fields]
TIMES = ["minute", "day", "month", "used_at"]
NUMBERS = [name for name in FIELDS if name not in {"key", *TIMES}]
COLUMNS = ["key", *NUMBERS, *TIMES]
TABLE = Meter._meta.db_table
NOW = {
    "sqlite": "STRFTIME('%%Y-%%m-%%d %%H:%%M:%%f', 'NOW')",
    "postgresql": "STATEMENT_TIMESTAMP()",
}
LOCK = f"SELECT 1 FROM {TABLE} WHERE key = '{EVERYONE}' FOR UPDATE"
SET = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS[1:])


@dataclass(frozen=True, slots=True)
class MeterReading:
    """The meters of some keys at the database's time `now`, and the version of the rules then."""

    now: datetime
    meters: dict[str, Meter]
    rules_version: int | None


def lock() -> None:
    """Lock all meters until the end of the transaction. On SQLite its beginning did that."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(LOCK)
        if not cursor.fetchone():
            cursor.execute(*_upsert([Meter(key=EVERYONE)], otherwise="NOTHING"))
            cursor.execute(LOCK)


def locked(keys: Iterable[str]) -> MeterReading:
    """Lock and return the meters of `keys`, for `write`. Call it inside a transaction."""
    lock()
    return read(keys)  # afterwards, because its time must not precede the wait


def read(keys: Iterable[str]) -> MeterReading:
    """Return the meters of `keys` without locking. Unused ones are empty."""
    wanted = {EVERYONE, *keys}
    found: dict[str, Meter] = {}
    places = ", ".join(["%s"] * len(wanted))
    with connection.cursor() as cursor:
        # The left side always has a row, and with it the time.
        cursor.execute(
            f"SELECT {NOW[connection.vendor]}, ({rules_version.SELECT}), {', '.join(COLUMNS)}"
            f" FROM (SELECT 1) AS one LEFT JOIN {TABLE} ON key IN ({places})",
            list(wanted),
        )
        rows = cursor.fetchall()
    now = _time(rows[0][0])
    for _now, _version, key, *values in rows:
        if key is not None:
            found[key] = _meter(key, values)
    for key in wanted:
        found.setdefault(key, Meter(key=key))
    for meter in found.values():
        meter.advance(now)
    return MeterReading(now, found, rows[0][1])


def write(meters: dict[str, Meter]) -> None:
    """Store meters that `locked` returned. Call it in the same transaction."""
    with connection.cursor() as cursor:
        cursor.execute(*_upsert([meters[key] for key in sorted(meters)], f"UPDATE SET {SET}"))


@transaction.atomic
def remove_idle() -> int:
    """Remove unused meters of addresses, visitors and API keys; return how many.

    Members keep theirs, which records when they were last active.
    """
    now = locked(()).now
    passing = Q()
    for prefix in ("address:", "site_address:", "visitor:", "api_key:"):
        passing |= Q(key__startswith=prefix)
    idle = Meter.objects.filter(passing, running=0, used_at__lt=window_start("month", now))
    keys = list(idle.values_list("pk", flat=True)[:IDLE_AT_ONCE])
    return Meter.objects.filter(pk__in=keys).delete()[0] if keys else 0


def _upsert(meters: list[Meter], otherwise: str) -> tuple[str, list[Any]]:
    row = f"({', '.join(['%s'] * len(COLUMNS))})"
    statement = (
        f"INSERT INTO {TABLE} ({', '.join(COLUMNS)}) VALUES {', '.join([row] * len(meters))}"
        f" ON CONFLICT (key) DO {otherwise}"
    )
    adapt = connection.ops.adapt_datetimefield_value
    values: list[Any] = []
    for meter in meters:
        own = meter.__dict__
        values += [own["key"], *(own[name] for name in NUMBERS)]
        values += [adapt(own[name]) for name in TIMES]
    return statement, values


def _meter(key: str, values: list[Any]) -> Meter:
    split = len(NUMBERS)
    meter = Meter.__new__(Meter)  # its `__init__` took longer than the statement
    own = meter.__dict__
    own["_state"] = ModelState()
    own["key"] = key
    own.update(zip(NUMBERS, values[:split], strict=True))
    own.update(zip(TIMES, map(_time, values[split:]), strict=True))
    return meter


def _time(value: Any) -> Any:
    """Return a database value as a time with its zone.

    SQLite stores times as text in UTC, and Django's decoder omits the zone.
    """
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)
