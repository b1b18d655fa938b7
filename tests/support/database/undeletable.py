"""Make single rows impossible to delete, by a trigger."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.models import Model

ON_SQLITE = """
CREATE TRIGGER {name} BEFORE DELETE ON {table} WHEN OLD.{column} = {key}
BEGIN SELECT RAISE(ABORT, 'this row stays'); END
"""
ON_POSTGRES = """
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'this row stays'; END $$;
CREATE TRIGGER {name} BEFORE DELETE ON {table} FOR EACH ROW WHEN (OLD.{column} = {key})
EXECUTE FUNCTION {name}();
"""
UNDO = {"sqlite": "DROP TRIGGER {name}", "postgresql": "DROP FUNCTION {name} CASCADE"}


@contextmanager
def undeletable(*rows: Model) -> Iterator[None]:
    """Let the database refuse to delete these rows."""
    named = [(f"stays_{number}", row) for number, row in enumerate(rows)]
    make = ON_SQLITE if connection.vendor == "sqlite" else ON_POSTGRES
    for name, row in named:
        _run(make.format(name=name, table=row._meta.db_table, **_key_of(row)))
    try:
        yield
    finally:
        for name, _row in named:
            _run(UNDO[connection.vendor].format(name=name))


def _key_of(row: Model) -> dict[str, Any]:
    field = row._meta.pk
    assert field
    key = field.get_db_prep_value(row.pk, connection)
    return {"column": field.column, "key": key if isinstance(key, int) else f"'{key}'"}


def _run(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)
