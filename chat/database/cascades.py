"""Give foreign keys their `ON DELETE` clause in the database too, not only in Django.

Django deletes dependent rows itself, so it only knows those of models that this version has. After
a roll-back the previous version would not be able to delete a member or a chat to which a row of a
newer table refers. So the database does what `on_delete` says. Django still does it first, where it
knows the table.

This runs after all migrations, because Django writes no such clause, and on SQLite it recreates
whole tables from its models.
"""

import logging
import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from django.apps import AppConfig, apps
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, models, transaction
from django.db.models.signals import post_migrate

log = logging.getLogger(__name__)

#: What the databases call what Django does.
CLAUSES: dict[Any, str] = {models.CASCADE: "CASCADE", models.SET_NULL: "SET NULL"}
POSTGRES_ACTIONS = {"c": "CASCADE", "n": "SET NULL"}
#: The constraint of each column that refers to another table, its action, and if it is validated.
POSTGRES_KEYS = """
SELECT child.relname, attribute.attname, key.conname, key.confdeltype::text, key.convalidated
FROM pg_constraint key
JOIN pg_class child ON child.oid = key.conrelid
JOIN pg_attribute attribute
    ON attribute.attrelid = key.conrelid AND attribute.attnum = key.conkey[1]
WHERE key.contype = 'f' AND cardinality(key.conkey) = 1
AND key.connamespace = current_schema()::regnamespace
"""


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """A column that refers to another table, and what a deletion there does to its rows."""

    table: str
    column: str
    parent: str
    parent_column: str
    clause: str


def connect_signals(app: AppConfig) -> None:
    """Connect the signal. Call it once, when the app is ready."""
    post_migrate.connect(after_migrations, sender=app)


def after_migrations(using: str, plan: list[Any] | None = None, **_: Any) -> None:
    """Mend what migrations have created, also at every start, in case it failed before."""
    if plan is None:
        return
    try:
        # A restore does all in one transaction, which must survive a failure.
        with transaction.atomic(using) if connections[using].in_atomic_block else nullcontext():
            mend(using)
    except DatabaseError:  # only a roll-back needs it
        log.warning("foreign keys were left without ON DELETE; the next start tries again")


def mend(using: str = DEFAULT_DB_ALIAS) -> None:
    """Add the missing clauses."""
    if connections[using].vendor == "sqlite":
        _mend_sqlite(using)
    else:
        _mend_postgres(using)


def expected_keys() -> Iterator[ForeignKey]:
    """Return the foreign keys of all models that have a clause.

    A table's keys to itself have none: each version that knows the table deletes its rows in order,
    and on SQLite a long chain would exceed the depth of nested deletions.
    """
    for model in apps.get_models(include_auto_created=True):
        if model._meta.proxy or not model._meta.managed:
            continue
        fields: list[Any] = [
            each for each in model._meta.local_fields if isinstance(each, models.ForeignKey)
        ]
        for field in fields:
            clause = CLAUSES.get(field.remote_field.on_delete)
            table, parent = model._meta.db_table, field.remote_field.model._meta.db_table
            if clause and field.db_constraint and table != parent:
                yield ForeignKey(table, field.column, parent, field.target_field.column, clause)


def missing_keys(using: str = DEFAULT_DB_ALIAS) -> list[ForeignKey]:
    """Return the foreign keys that the database has, but without their clause."""
    with connections[using].cursor() as cursor:
        if connections[using].vendor == "sqlite":
            clauses = _sqlite_clauses(cursor, using)
        else:
            clauses = {
                key: clause for key, (_name, clause, _valid) in _postgres_keys(cursor).items()
            }
    return [
        each
        for each in expected_keys()
        if clauses.get((each.table, each.column), each.clause) != each.clause
    ]


def _sqlite_clauses(cursor: Any, using: str) -> dict[tuple[str, str], str]:
    clauses = {}
    for table in connections[using].introspection.table_names(cursor):
        cursor.execute(f"PRAGMA foreign_key_list({connections[using].ops.quote_name(table)})")
        for row in cursor.fetchall():  # id, seq, table, from, to, on_update, on_delete, match
            clauses[table, row[3]] = row[6]
    return clauses


def _mend_sqlite(using: str) -> None:
    """Change the texts of the tables, as SQLite documents it for changes that touch no row.

    Recreating tables would take their triggers and indexes along, and minutes on a large site.
    """
    missing = missing_keys(using)
    if not missing:
        return
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        cursor.execute("PRAGMA schema_version")
        version = cursor.fetchone()[0]
        cursor.execute("PRAGMA writable_schema=ON")
        try:
            for each in missing:
                cursor.execute(
                    "SELECT sql FROM sqlite_master WHERE type='table' AND name=%s", [each.table]
                )
                text = with_clause(cursor.fetchone()[0], each)
                cursor.execute(
                    "UPDATE sqlite_master SET sql=%s WHERE type='table' AND name=%s",
                    [text, each.table],
                )
            cursor.execute(f"PRAGMA schema_version={version + 1}")
        finally:
            cursor.execute("PRAGMA writable_schema=OFF")
        if missing_keys(using):  # also fails if SQLite can't read what was written
            raise DatabaseError("SQLite did not take the new texts of its tables")


def with_clause(text: str, key: ForeignKey) -> str:
    """Return the text of a `CREATE TABLE` with the clause of this key."""
    quoted = f'REFERENCES "{key.parent}" ("{key.parent_column}")'
    column = re.compile(rf'("{key.column}" [^,"]*?{re.escape(quoted)}) (?=DEFERRABLE)')
    changed, count = column.subn(rf"\1 ON DELETE {key.clause} ", text)
    if count != 1:
        raise DatabaseError(f"{key.table}.{key.column} is not written as Django writes it")
    return changed


def _postgres_keys(cursor: Any) -> dict[tuple[str, str], tuple[str, str, bool]]:
    cursor.execute(POSTGRES_KEYS)
    return {
        (table, column): (name, POSTGRES_ACTIONS.get(action, ""), valid)
        for table, column, name, action, valid in cursor.fetchall()
    }


def _mend_postgres(using: str) -> None:
    """Replace constraints one by one, and check the rows afterwards, which blocks nobody."""
    quote = connections[using].ops.quote_name
    with connections[using].cursor() as cursor:
        for key in missing_keys(using):
            name, _clause, _valid = _postgres_keys(cursor)[key.table, key.column]
            cursor.execute(
                f"ALTER TABLE {quote(key.table)} DROP CONSTRAINT {quote(name)},"
                f" ADD CONSTRAINT {quote(name)} FOREIGN KEY ({quote(key.column)})"
                f" REFERENCES {quote(key.parent)} ({quote(key.parent_column)})"
                f" ON DELETE {key.clause} DEFERRABLE INITIALLY DEFERRED NOT VALID"
            )
        for (table, _column), (name, _clause, is_valid) in _postgres_keys(cursor).items():
            if not is_valid:
                cursor.execute(f"ALTER TABLE {quote(table)} VALIDATE CONSTRAINT {quote(name)}")
