"""Correct in the copy what SQLite stores and PostgreSQL does not accept."""

from collections import Counter
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models
from psycopg import sql

from chat.lib.text import clean, clean_json

Model = type[models.Model]
Row = tuple[Any, ...]


class RowRepair:
    """Correct rows of one table, and note the keys of those that were changed."""

    def __init__(self, model: Model) -> None:
        self.changed: list[Any] = []
        self._fields = model._meta.local_concrete_fields
        self._key = next(i for i, field in enumerate(self._fields) if field.primary_key)

    def repaired(self, row: Row) -> Row:
        """Return the row with texts that fit: without NUL, and no longer than their column."""
        repaired_row = tuple(map(_repaired, self._fields, row))
        if repaired_row != row:
            self.changed.append(row[self._key])
        return repaired_row


def _repaired(field: Any, value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)[: field.max_length]
    return clean_json(value) if isinstance(value, dict | list) else value


def remove_dangling_references(copied: list[Model]) -> Counter[str]:
    """Remove rows that refer to a row that is not there, or empty the reference if it may be.

    Return how many rows of which tables were changed. Call it in the copy's transaction.
    """
    changed: Counter[str] = Counter()
    keys = [
        (model._meta.db_table, field)
        for model in copied
        for field in model._meta.local_fields
        if isinstance(field, models.ForeignKey)
    ]
    before = -1
    while before < (before := changed.total()):  # what is removed may leave others behind
        for table, field in keys:
            changed[table] += _mend(table, field)
    return +changed


def _mend(table: str, field: Any) -> int:
    parent = field.remote_field.model._meta.db_table
    names = {
        "table": sql.Identifier(table),
        "column": sql.Identifier(field.column),
        "parent": sql.Identifier(parent),
        "key": sql.Identifier(field.target_field.column),
    }
    what = "UPDATE {table} SET {column} = NULL" if field.null else "DELETE FROM {table}"
    where = (
        " WHERE {column} IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM {parent} AS other WHERE other.{key} = {table}.{column})"
    )
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(sql.SQL(what + where).format(**names))
        return int(cursor.rowcount)
