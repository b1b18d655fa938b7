"""Read and write the rows of charges: each answer adds one and settles it."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db import connection

from chat.database.model_rows import ModelRows, adapted
from chat.quotas.models import Charge

SETTLE = (
    f"UPDATE {Charge._meta.db_table} SET settled_at = %s, tokens = %s, millineurons = %s,"  # noqa: S608
    " microdollars = %s WHERE id = %s"
)
AT_ONCE = 500

_charges = ModelRows(Charge)


def add(charge: Charge) -> None:
    _charges.insert(charge)


def open_charges(charge_ids: Collection[UUID]) -> list[Charge]:
    """Return the charges that are not settled yet."""
    return _found(charge_ids, "settled_at IS NULL")


def settled_charges(charge_ids: Collection[UUID]) -> list[Charge]:
    """Return the charges that are settled."""
    return _found(charge_ids, "settled_at IS NOT NULL")


def _found(charge_ids: Collection[UUID], condition: str) -> list[Charge]:
    ids = list(charge_ids)
    found: list[Charge] = []
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        places = ", ".join(["%s"] * len(some))
        found += _charges.select(f"{condition} AND id IN ({places})", *some)
    return found


def store_settled(charges: Iterable[Charge]) -> None:
    """Store the settlement of these charges."""
    rows = [
        adapted([each.settled_at, each.tokens, each.millineurons, each.microdollars, each.pk])
        for each in charges
    ]
    with connection.cursor() as cursor:
        cursor.executemany(SETTLE, rows)
