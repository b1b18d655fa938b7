"""Charges as rows: each answer adds one and settles it, so the statements are written here."""
# ruff: noqa: S608  (what is put into the statements are names of columns)

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django.db import connection

from chat.quotas.models import Charge

TABLE = "chat_charge"
FIELDS = Charge._meta.concrete_fields
COLUMNS = ", ".join(str(field.column) for field in FIELDS)
INSERT = f"INSERT INTO {TABLE} ({COLUMNS}) VALUES ({', '.join(['%s'] * len(FIELDS))})"
SETTLED = [
    field
    for field in FIELDS
    if field.name in {"settled_at", "tokens", "millineurons", "microdollars"}
]
ID = Charge._meta.pk
SETTLE = f"UPDATE {TABLE} SET {', '.join(f'{f.column} = %s' for f in SETTLED)} WHERE id = %s"
AT_ONCE = 500


def add(charge: Charge) -> None:
    with connection.cursor() as cursor:
        cursor.execute(INSERT, _values(charge, FIELDS))


def open_of(charge_ids: Collection[UUID]) -> list[Charge]:
    """Those of `charge_ids` that are not settled yet."""
    ids = list(charge_ids)
    found: list[Charge] = []
    for start in range(0, len(ids), AT_ONCE):
        found += Charge.objects.filter(id__in=ids[start : start + AT_ONCE], settled_at=None)
    return found


def store_settled(charges: Iterable[Charge]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(SETTLE, [_values(charge, [*SETTLED, ID]) for charge in charges])


def _values(charge: Charge, fields: Iterable[Any]) -> list[Any]:
    own = charge.__dict__
    return [field.get_db_prep_save(own[field.attname], connection) for field in fields]
