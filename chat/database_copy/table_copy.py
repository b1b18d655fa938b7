"""Copy the rows of one table after another, and read them back."""

import re
from collections.abc import Iterator
from typing import Any

import psycopg
from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, models
from psycopg import sql

from chat.database_copy.errors import CopyRefused
from chat.database_copy.row_digest import RowDigest
from chat.database_copy.row_repair import RowRepair

Model = type[models.Model]
Row = tuple[Any, ...]

#: Rows in memory at once. A message may have two megabytes.
ROWS_AT_ONCE = 100
#: Tables without a model. Migrations describe the database itself, the search index is made anew,
#: and a cache may be lost.
NOT_COPIED = frozenset({"django_migrations", "chat_search", "chat_cache"})

#: Errors of a row that can't be read, such as broken JSON, or absurdly deep one.
UNREADABLE = (ValueError, RecursionError)
NOTHING_COPIED = "Nothing was copied."
REPAIR = (
    "With --repair, the copy gets corrected rows: texts are cleaned and cut, and rows that refer"
    " to nothing are left out. The SQLite database stays as it is."
)


def copied_models() -> list[Model]:
    """Return the models of all tables, also those of many-to-many relations."""
    all_models = apps.get_models(include_auto_created=True)
    return sorted(
        (each for each in all_models if not each._meta.proxy), key=lambda each: each._meta.db_table
    )


def copy_rows(model: Model, source: str, repair: RowRepair | None = None) -> RowDigest:
    """Copy all rows of a table from `source`, corrected by `repair`; return what was copied."""
    digest = RowDigest()
    connection = connections[DEFAULT_DB_ALIAS]
    fields = model._meta.local_concrete_fields
    columns = [sql.Identifier(str(field.column)) for field in fields]
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(model._meta.db_table), sql.SQL(", ").join(columns)
    )
    try:
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            for source_row in rows(model, source):
                row = repair.repaired(source_row) if repair else source_row
                digest.add(row)
                copy.write_row(
                    [
                        field.get_db_prep_save(value, connection)
                        for field, value in zip(fields, row, strict=True)
                    ]
                )
    except (psycopg.DataError, psycopg.IntegrityError, DatabaseError) as error:
        raise CopyRefused(_refusal(model, source, error, digest.count, repair)) from error
    except UNREADABLE as error:
        raise CopyRefused(_refusal(model, source, error, digest.count + 1, repair)) from error
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


def _refusal(
    model: Model, source: str, error: BaseException, sent: int, repair: RowRepair | None
) -> str:
    """Name the row, by its key, that PostgreSQL does not take, without its text."""
    diagnosis = getattr(error, "diag", None)
    line = re.search(r"COPY [^,]+, line (\d+)", getattr(diagnosis, "context", None) or "")
    number = int(line[1]) if line else sent
    keys = model._base_manager.using(source).order_by("pk").values_list("pk", flat=True)
    key = next(iter(keys[max(0, number - 1) :][:1]), "?")
    is_value = isinstance(error, UNREADABLE)
    reason = getattr(diagnosis, "message_primary", None) or (
        f"a value can't be read ({type(error).__name__})" if is_value else str(error)
    )
    advice = _deletion(model, source, key) if repair or is_value else f"{REPAIR} {NOTHING_COPIED}"
    return f"PostgreSQL doesn't accept row {key} of {model._meta.db_table}: {reason}. {advice}"


def _deletion(model: Model, source: str, key: Any) -> str:
    """Return the command that deletes a row from the SQLite database."""
    path = connections[source].settings_dict["NAME"]
    return (
        f"{NOTHING_COPIED} To do without this row, delete it and what belongs to it, and try again:"
        f"\nDATABASE_URL=sqlite:///{path} .venv/bin/python manage.py shell --command"
        f' "from django.apps import apps;'
        f" apps.get_model('{model._meta.label}')._base_manager.filter(pk='{key}').delete()\""
    )
