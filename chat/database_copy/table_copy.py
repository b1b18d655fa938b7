"""Copy the rows of one table after another, and read them back."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import psycopg
from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, models
from psycopg import sql

from chat.database_copy.copy_errors import CopyRefused
from chat.database_copy.row_digest import RowDigest

Model = type[models.Model]
Row = tuple[Any, ...]

#: Rows in memory at once. A message may have two megabytes.
ROWS_AT_ONCE = 100
#: Tables without a model. Migrations describe the database itself, the search index is made anew,
#: and a cache may be lost.
NOT_COPIED = frozenset({"django_migrations", "chat_search", "chat_cache"})


def copied_models() -> list[Model]:
    """Return the models of all tables, also those of many-to-many relations."""
    found = apps.get_models(include_auto_created=True)
    return sorted(
        (each for each in found if not each._meta.proxy), key=lambda each: each._meta.db_table
    )


def copy_rows(model: Model, source: str) -> RowDigest:
    """Copy all rows of a table from `source`; return what was copied."""
    digest = RowDigest()
    connection = connections[DEFAULT_DB_ALIAS]
    fields = model._meta.local_concrete_fields
    columns = [sql.Identifier(str(field.column)) for field in fields]
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(model._meta.db_table), sql.SQL(", ").join(columns)
    )
    try:
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows(model, source):
                digest.add(row)
                copy.write_row(
                    [
                        field.get_db_prep_save(value, connection)
                        for field, value in zip(fields, row, strict=True)
                    ]
                )
    except (psycopg.DataError, psycopg.IntegrityError, DatabaseError) as error:
        raise CopyRefused(_refusal(model, source, error, digest.count)) from error
    return digest


def digest_of_table(model: Model, alias: str) -> RowDigest:
    """Read a table; return what is in it."""
    digest = RowDigest()
    for row in rows(model, alias):
        digest.add(row)
    return digest


def rows(model: Model, alias: str) -> Iterator[Row]:
    """Yield the values of all rows, in the order of their keys, a few at a time."""
    names = [field.attname for field in model._meta.local_concrete_fields]
    every = model._base_manager.using(alias).order_by("pk")
    return every.values_list(*names).iterator(chunk_size=ROWS_AT_ONCE)


def _refusal(model: Model, source: str, error: BaseException, sent: int) -> str:
    """Name the row, by its key, that PostgreSQL does not take, without its text."""
    diagnosis = getattr(error, "diag", None)
    line = re.search(r"COPY [^,]+, line (\d+)", getattr(diagnosis, "context", None) or "")
    number = int(line[1]) if line else sent
    row: Sequence[Any] = next(islice(rows(model, source), max(0, number - 1), None), ())
    keys = [field.primary_key for field in model._meta.local_concrete_fields]
    key = next((value for value, is_key in zip(row, keys, strict=False) if is_key), "?")
    said = getattr(diagnosis, "message_primary", None) or str(error)
    return (
        f"PostgreSQL doesn't accept row {key} of {model._meta.db_table}: {said}."
        " Correct or delete it in the SQLite database, and try again. Nothing was copied."
    )
