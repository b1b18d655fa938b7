"""Run the statements that every answer needs without compiling them each time.

Compiling a QuerySet takes Django ten times as long as SQLite takes to run it. Here the columns and
converters of each model are determined once. No signals are sent. Use it only in the few places
that run for each message; elsewhere a QuerySet is clearer.
"""
# ruff: noqa: S608  (only names of tables and columns are interpolated)

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import connection, models

M = TypeVar("M", bound=models.Model)

#: Fields whose values need no conversion besides `adapted`.
PLAIN_FIELDS = frozenset(
    {
        models.BigAutoField,
        models.BigIntegerField,
        models.BooleanField,
        models.CharField,
        models.DateTimeField,
        models.FloatField,
        models.ForeignKey,
        models.PositiveBigIntegerField,
        models.PositiveIntegerField,
        models.SmallIntegerField,
        models.TextField,
        models.UUIDField,
    }
)


def execute(statement: str, *values: Any) -> int:
    """Run `statement`; return how many rows it changed."""
    with connection.cursor() as cursor:
        cursor.execute(statement, adapted(values))
        return int(cursor.rowcount)


def fetch(statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return the rows as the driver delivers them: SQLite has neither times nor UUIDs."""
    with connection.cursor() as cursor:
        cursor.execute(statement, adapted(values))
        return list(cursor.fetchall())


def adapted(values: Iterable[Any]) -> list[Any]:
    """Convert values to types that the database's driver accepts."""
    found = list(values)
    for index, value in enumerate(found):
        if isinstance(value, datetime):
            found[index] = connection.ops.adapt_datetimefield_value(value)
        elif isinstance(value, UUID) and not connection.features.has_native_uuid_field:
            found[index] = value.hex
    return found


def _is_plain(field: Any) -> bool:
    is_computed = getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False)
    return type(field) in PLAIN_FIELDS and not is_computed


class ModelRows(Generic[M]):
    """The rows of one model."""

    def __init__(self, model: type[M]) -> None:
        self._model = model
        self._fields = list(model._meta.concrete_fields)
        self._names = [field.attname for field in self._fields]
        self._columns = ", ".join(str(field.column) for field in self._fields)
        self._table = model._meta.db_table

    def select(self, where: str, *values: Any, lock: bool = False) -> list[M]:
        """Return all rows for which `where` holds.

        `lock` locks them until the end of the transaction (on PostgreSQL).
        """
        statement = f"SELECT {self._columns} FROM {self._table} WHERE {where}"
        if lock and connection.vendor == "postgresql":
            statement += " FOR NO KEY UPDATE"
        return [self._instance(row) for row in fetch(statement, *values)]

    def first(self, where: str, *values: Any, lock: bool = False) -> M | None:
        found = self.select(where, *values, lock=lock)
        return found[0] if found else None

    def insert(self, instance: M) -> M:
        """Store a new row. The database assigns its primary key, unless it has one."""
        has_pk = instance.pk is not None
        statement, fields = self._inserting[has_pk]
        values = [
            getattr(instance, name)
            if field is None
            else field.get_db_prep_save(field.pre_save(instance, True), connection)
            for name, field in fields
        ]
        if has_pk:
            execute(statement, *values)
        else:
            instance.pk = fetch(statement, *values)[0][0]
        instance._state.adding = False
        instance._state.db = connection.alias
        return instance

    @cached_property
    def _inserting(self) -> dict[bool, tuple[str, list[tuple[str, Any]]]]:
        """The statement with and without a primary key, and the fields whose values it takes.

        Fields are None where drivers take the value as it is, or `adapted`.
        """
        pk: Any = self._model._meta.pk
        made = {}
        for has_pk in (True, False):
            fields: list[Any] = [each for each in self._fields if has_pk or each is not pk]
            statement = (
                f"INSERT INTO {self._table} ({', '.join(str(each.column) for each in fields)})"
                f" VALUES ({', '.join(['%s'] * len(fields))})"
            )
            statement += "" if has_pk else f" RETURNING {pk.column}"
            made[has_pk] = (
                statement,
                [(each.attname, None if _is_plain(each) else each) for each in fields],
            )
        return made

    def _instance(self, row: Sequence[Any]) -> M:
        values = list(row)
        for index, converters, column in self._converters:
            for convert in converters:
                values[index] = convert(values[index], column, connection)
        return self._model.from_db(connection.alias, self._names, values)

    @cached_property
    def _converters(self) -> list[tuple[int, list[Any], Any]]:
        found = []
        for index, field in enumerate(self._fields):
            column: Any = field.get_col(self._table)
            converters = [
                *connection.ops.get_db_converters(column),
                *field.get_db_converters(connection),
            ]
            if converters:
                found.append((index, converters, column))
        return found
