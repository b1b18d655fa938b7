"""The SQL statements of a flush, which runs several times a second.

Building the instances and compiling the statement with the ORM takes ten times as long as running
it. Here the text of a statement depends neither on the values nor, on SQLite, on their number, so
it is compiled once.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Model
from django.utils import timezone

from chat.database.model_rows import execute
from chat.generations.models import Generation, LogPage

#: The generation, the numbers of its first and last frame, and the encoded frames.
Page = tuple[UUID, int, int, bytes]


def insert_pages(pages: Iterable[Page]) -> None:
    """Store `pages`. Call it inside a transaction.

    A connection that breaks during a commit leaves open whether it succeeded. So a page may have
    been stored already, with fewer frames: it is replaced.
    """
    written_at = _as_stored(timezone.now())
    as_id = _id_as_stored()
    rows: list[tuple[Any, ...]] = [
        (as_id(generation_id), first, last, frames, written_at)
        for generation_id, first, last, frames in pages
    ]
    if not rows:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.executemany(_insert(1), rows)
        else:
            cursor.execute(_insert(len(rows)), [value for row in rows for value in row])


def requested_stops(generation_ids: Iterable[UUID]) -> dict[UUID, tuple[bool, int | None]]:
    """Return, for each existing generation, whether a stop was requested, and its cause."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            by_hex = {each.hex: each for each in generation_ids}
            cursor.execute(_select("IN (SELECT value FROM json_each(%s))"), [json.dumps([*by_hex])])
            return {by_hex[pk]: (bool(asked), cause) for pk, asked, cause in cursor.fetchall()}
        cursor.execute(_select("= ANY(%s)"), [list(generation_ids)])
        return {pk: (asked, cause) for pk, asked, cause in cursor.fetchall()}


def update_generation(
    generation_id: UUID, columns: Mapping[str, Any], *, only_running: bool = False
) -> bool:
    """Set columns of a generation; return False if it does not exist, or is not running."""
    table, (pk, state, *names) = _names(Generation, "id", "state", *columns)
    statement = f"UPDATE {table} SET {', '.join(f'{name} = %s' for name in names)} WHERE {pk} = %s"  # noqa: S608
    if only_running:
        running = Generation.State.RUNNING.value
        return bool(
            execute(f"{statement} AND {state} = %s", *columns.values(), generation_id, running)
        )
    return bool(execute(statement, *columns.values(), generation_id))


def _id_as_stored() -> Callable[[UUID], UUID | str]:
    """Return a function that converts an id to the database's type."""
    return (lambda pk: pk) if connection.features.has_native_uuid_field else (lambda pk: pk.hex)


def _as_stored(moment: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(moment)


def _insert(rows: int) -> str:
    table, columns = _names(LogPage, "generation", "first_seq", "last_seq", "frames", "written_at")
    row = f"({', '.join(['%s'] * len(columns))})"
    values = ", ".join([row] * rows)
    key, update = ", ".join(columns[:2]), ", ".join(f"{c} = excluded.{c}" for c in columns[2:])
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES {values}"  # noqa: S608
        f" ON CONFLICT ({key}) DO UPDATE SET {update}"
    )


def _select(condition: str) -> str:
    table, columns = _names(Generation, "id", "stop_requested", "stop_cause")
    return f"SELECT {', '.join(columns)} FROM {table} WHERE {columns[0]} {condition}"  # noqa: S608


@cache
def _names(model: type[Model], *fields: str) -> tuple[str, list[str]]:
    """Return the quoted table name of `model` and the quoted column names of `fields`."""
    columns = {field.name: field.column for field in model._meta.concrete_fields}
    quoted = connection.ops.quote_name
    return quoted(model._meta.db_table), [quoted(columns[name] or name) for name in fields]
