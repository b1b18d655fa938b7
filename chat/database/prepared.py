"""Compile statements of the ORM once, and run them with other values each time.

Django takes several times as long to build and compile a QuerySet as the database takes to run it.
No signals are sent. docs/design/prepared_queries.md says where this is used, and what it gains.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar, cast
from uuid import UUID

from django.db import connection, models
from django.db.models import BooleanField, Expression, Func, Model, QuerySet
from django.db.models.constants import OnConflict
from django.db.models.query import FlatValuesListIterable, ModelIterable, ValuesListIterable
from django.db.models.sql import UpdateQuery

#: Fields whose values any driver takes as they are, and those for which `_adapted` is enough.
PLAIN_FIELDS = {
    models.BigAutoField, models.BigIntegerField, models.BinaryField, models.BooleanField,
    models.CharField, models.FloatField, models.PositiveBigIntegerField,
    models.PositiveIntegerField, models.SmallIntegerField, models.TextField,
}  # fmt: skip
ADAPTED_FIELDS = {models.DateTimeField, models.ForeignKey, models.UUIDField}

M = TypeVar("M", bound=Model)
R = TypeVar("R")


class Parameter(Expression):
    """Stands for a value while a statement is compiled."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", [self]


class AnyOf(Func):
    """Whether a column has one of the values in a list, which is one parameter for any length."""

    arity = 2
    output_field = BooleanField()
    template = "%(expressions)s)"
    arg_joiner = " = ANY("

    def as_sqlite(self, compiler: Any, connection: Any, **more: Any) -> tuple[str, Any]:
        more |= {"template": "%(expressions)s))", "arg_joiner": " IN (SELECT value FROM json_each("}
        return self.as_sql(compiler, connection, **more)


class PreparedQuery(Generic[R]):
    """The results of the QuerySet that `build` returns: instances, or rows of `values_list`.

    `build` is called with a `Parameter` in place of each argument.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, R]]) -> None:
        self._results = _Statement[R](build, _select)
        self._count = _Statement[int](build, _count)

    def all(self, *arguments: Any) -> list[R]:
        return self._results.fetch(arguments)

    def first(self, *arguments: Any) -> R | None:
        """Return the first result; the QuerySet should be limited to it."""
        results = self._results.fetch(arguments)
        return results[0] if results else None

    def count(self, *arguments: Any) -> int:
        return self._count.fetch(arguments)[0]


class PreparedUpdate(Generic[R]):
    """An update of the rows in a QuerySet; `build` returns it and the new values by field."""

    def __init__(self, build: Callable[..., tuple[QuerySet[Any, R], dict[str, Any]]]) -> None:
        self._update = _Statement[R](build, _update)
        self._returning = _Statement[R](build, _update_returning)

    def run(self, *arguments: Any) -> int:
        """Return how many rows were changed."""
        return self._update.run(arguments)

    def run_many(self, rows: Iterable[Sequence[Any]]) -> None:
        """Run it once with the arguments in each of `rows`."""
        self._update.run_many(rows)

    def returning(self, *arguments: Any) -> list[R]:
        """Return the QuerySet's results as they are then, locked until the transaction ends."""
        return self._returning.fetch(arguments)


class PreparedInsert(Generic[M]):
    """Inserts of rows of one model, with values for `fields`; without names, for all.

    A row replaces one that has the same values in the fields `unique`.
    """

    def __init__(
        self, model: type[M], fields: Sequence[str] = (), *, unique: Sequence[str] = ()
    ) -> None:
        self._meta = meta = cast(Any, model._meta)
        self._fields = [meta.get_field(each) for each in fields] or meta.concrete_fields
        self._unique = [meta.get_field(each).column for each in unique]
        self._ready: dict[tuple[str, bool], _Insert] = {}

    def one(self, instance: M) -> M:
        """Store a new row. The database assigns its primary key, unless it has one."""
        has_key = instance.pk is not None
        insert = self._ready_for(has_key=has_key)
        (values,) = insert.converted([[getattr(instance, name) for name in insert.names]])
        with connection.cursor() as cursor:
            cursor.execute(insert.text(), values)
            if not has_key:
                instance.pk = cursor.fetchone()[0]
        instance._state.adding = False
        instance._state.db = connection.alias
        return instance

    def many(self, rows: Iterable[Sequence[Any]]) -> None:
        """Store rows with these values, in the order of `fields`."""
        values = list(rows)
        if not values:
            return
        insert = self._ready_for(has_key=True)
        stored = insert.converted(values)
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":  # which is quicker with one text than many values
                cursor.executemany(insert.text(), stored)
            else:
                cursor.execute(insert.text(len(stored)), [each for row in stored for each in row])

    def _ready_for(self, *, has_key: bool) -> "_Insert":
        key = connection.vendor, has_key
        if key not in self._ready:
            self._ready[key] = self._prepared(has_key=has_key)
        return self._ready[key]

    def _prepared(self, *, has_key: bool) -> "_Insert":
        ops: Any = connection.ops
        fields = [each for each in self._fields if has_key or not each.primary_key]
        columns = [each.column for each in fields]
        end = ""
        if self._unique:
            others = [each for each in columns if each not in self._unique]
            end += ops.on_conflict_suffix_sql(fields, OnConflict.UPDATE, others, self._unique)
        if not has_key:
            end += ops.return_insert_columns([self._meta.pk])[0]
        return _Insert(
            f"{ops.quote_name(self._meta.db_table)} ({', '.join(map(ops.quote_name, columns))})",
            f"({', '.join(['%s'] * len(fields))})",
            end,
            [each.attname for each in fields],
            [_converter(each) for each in fields],
        )


class _Insert(NamedTuple):
    columns: str  # with the table
    row: str
    end: str
    names: list[str]
    #: What converts each value; None for those that the driver takes as they are.
    converters: list[Callable[[Any], Any] | None]

    def text(self, rows: int = 1) -> str:
        return f"INSERT INTO {self.columns} VALUES {', '.join([self.row] * rows)} {self.end}"  # noqa: S608

    def converted(self, rows: list[Sequence[Any]]) -> list[Sequence[Any]]:
        columns = zip(self.converters, zip(*rows, strict=True), strict=True)
        converted = (map(convert, column) if convert else column for convert, column in columns)
        return list(zip(*converted, strict=True))


def _converter(field: Any) -> Callable[[Any], Any] | None:
    if type(field) in PLAIN_FIELDS:
        return None
    if type(field) in ADAPTED_FIELDS:
        return _adapted
    return partial(field.get_db_prep_save, connection=connection)


class _Compiled(NamedTuple):
    """A statement, its parameters and constants, its columns, and what to make of a row."""

    sql: str
    params: Sequence[Any]
    columns: Sequence[Any] = ()
    converters: Mapping[int, tuple[list[Any], Any]] = {}  # by place in a row
    result: Callable[[Any], Any] = tuple

    def values(self, arguments: Sequence[Any]) -> list[Any]:
        return [
            _adapted(arguments[each.number]) if type(each) is Parameter else each
            for each in self.params
        ]


class _Statement(Generic[R]):
    """A statement that is compiled when it is first run on a kind of database."""

    def __init__(self, build: Callable[..., Any], compile_: Callable[[Any], _Compiled]) -> None:
        self._build, self._compile = build, compile_
        self._compiled: dict[tuple[str, int], _Compiled] = {}

    def run(self, arguments: Sequence[Any]) -> int:
        compiled = self._compiled_for(arguments)
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql, compiled.values(arguments))
            return int(cursor.rowcount)

    def run_many(self, rows: Iterable[Sequence[Any]]) -> None:
        values = list(rows)
        if values:
            compiled = self._compiled_for(values[0])
            with connection.cursor() as cursor:
                cursor.executemany(compiled.sql, [compiled.values(each) for each in values])

    def fetch(self, arguments: Sequence[Any]) -> list[R]:
        compiled = self._compiled_for(arguments)
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql, compiled.values(arguments))
            rows: list[Any] = cursor.fetchall()
        if compiled.converters:
            rows = [list(row) for row in rows]
        for index, (converters, column) in compiled.converters.items():
            for row in rows:
                for convert in converters:
                    row[index] = convert(row[index], column, connection)
        return [compiled.result(row) for row in rows]

    def _compiled_for(self, arguments: Sequence[Any]) -> _Compiled:
        count = len(arguments)
        key = connection.vendor, count
        if key not in self._compiled:
            compiled = self._compile(self._build(*map(Parameter, range(count))))
            used = {each.number for each in compiled.params if isinstance(each, Parameter)}
            if len(used) != count:
                raise ValueError("the statement does not contain all of its parameters")
            self._compiled[key] = compiled
        return self._compiled[key]


def _select(queryset: QuerySet[Any, Any]) -> _Compiled:
    compiler: Any = queryset.query.get_compiler(connection=connection)
    text, params = compiler.as_sql()
    columns = [each for each, *_ in compiler.select[: compiler.col_count]]
    result = _result_of(queryset, columns)
    return _Compiled(text, params, columns, compiler.get_converters(columns), result)


def _result_of(queryset: QuerySet[Any, Any], columns: Sequence[Any]) -> Callable[[Any], Any]:
    kind = queryset._iterable_class
    if kind is ValuesListIterable:
        return tuple
    if kind is FlatValuesListIterable:
        return itemgetter(0)
    if kind is not ModelIterable or queryset.query.select_related or queryset.query.annotations:
        raise TypeError("only rows of values_list, or instances with nothing besides")
    names = [each.target.attname for each in columns]
    return partial(queryset.model.from_db, connection.alias, names)


def _count(queryset: QuerySet[Any, Any]) -> _Compiled:
    text, params, *_ = _select(queryset.order_by().values_list("pk"))
    text = f"SELECT COUNT(*) FROM ({text}) AS counted"  # noqa: S608
    return _Compiled(text, params, result=itemgetter(0))


def _update(build: tuple[QuerySet[Any], dict[str, Any]]) -> _Compiled:
    queryset, values = build
    query: Any = queryset.query.chain(UpdateQuery)
    query.add_update_values(values)
    return _Compiled(*query.get_compiler(connection=connection).as_sql())


def _update_returning(build: tuple[QuerySet[Any, Any], dict[str, Any]]) -> _Compiled:
    text, params, *_ = _update(build)
    selected = _select(build[0])
    ops: Any = connection.ops
    returning, _ = ops.return_insert_columns([each.target for each in selected.columns])
    return selected._replace(sql=f"{text} {returning}", params=params)


def _adapted(value: Any) -> Any:
    """Convert a value to a type that the database's driver accepts."""
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, UUID) and not connection.features.has_native_uuid_field:
        return value.hex
    if isinstance(value, list):
        items = [_adapted(each) for each in value]
        return items if connection.vendor == "postgresql" else json.dumps(items)
    return value
