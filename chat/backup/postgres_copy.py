"""Copy the tables of a PostgreSQL database with COPY, and load them again.

One transaction reads everything from one snapshot, as pg_dump does, but needs no program of the
server's version. The schema is not copied: migrations create it, up to those that were applied.
"""

import os
from collections.abc import Container
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from psycopg import sql

from chat.backup.errors import BackupError
from chat.backup.manifest import DatabaseFacts, Manifest

FOLDER = "tables"
BLOCK_BYTES = 1024 * 1024
TABLES = """
SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
GROUP BY c.relname ORDER BY c.relname
"""
#: Of the columns of those tables.
SEQUENCES = """
SELECT DISTINCT s.relname, t.relname FROM pg_class s
JOIN pg_depend d ON d.objid = s.oid AND d.classid = 'pg_class'::regclass
JOIN pg_class t ON t.oid = d.refobjid AND d.refclassid = 'pg_class'::regclass
WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace
"""
MIGRATIONS = """
SELECT app, array_agg(name::text ORDER BY name) FROM django_migrations GROUP BY app
"""
FUNCTIONS = """
SELECT oid::regprocedure::text FROM pg_proc
WHERE pronamespace = current_schema()::regnamespace AND starts_with(proname, 'chat_')
"""


def tables() -> dict[str, list[str]]:
    """Return the columns of the site's tables, without generated ones.

    Somebody else's tables in the same schema are left alone.
    """
    labels = ["django", *(each.label for each in apps.get_app_configs())]
    starts = tuple(f"{label}_" for label in labels)
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        return {name: columns for name, columns in cursor.fetchall() if name.startswith(starts)}


def dump(folder: Path) -> DatabaseFacts:
    """Copy each table to a file in `folder`."""
    (folder / FOLDER).mkdir(mode=0o700)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SHOW server_version")
        version = str(cursor.fetchone()[0])
        columns = tables()
        rows = {name: _copy_out(cursor, name, columns[name], folder) for name in columns}
        cursor.execute(MIGRATIONS)
        migrations = dict(cursor.fetchall())
        sequences = _sequences(cursor, columns)
    return DatabaseFacts("postgresql", version, migrations, rows, columns, sequences)


def _copy_out(cursor: Any, table: str, columns: list[str], folder: Path) -> int:
    """Copy a table to a file in `folder`; return the number of rows."""
    command = sql.SQL("COPY {} ({}) TO STDOUT").format(*_names(table, columns))
    path = folder / FOLDER / table
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file, cursor.copy(command) as copy:
        for block in copy:
            file.write(block)
    return int(cursor.rowcount)


def _sequences(cursor: Any, copied: Container[str]) -> dict[str, tuple[int, bool]]:
    cursor.execute(SEQUENCES)
    states = {}
    for name, table in cursor.fetchall():
        if table in copied:
            select = sql.SQL("SELECT last_value, is_called FROM {}").format(sql.Identifier(name))
            cursor.execute(select)
            states[name] = cursor.fetchone()
    return states


def load(folder: Path, manifest: Manifest) -> None:
    """Replace the site's tables by those of a backup. Call it inside a transaction."""
    with connection.cursor() as cursor:
        # With deferred checks of what migrations insert, later ones could not change those tables.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        _drop(cursor)
    _migrate_to(manifest.database.migrations)
    with connection.cursor() as cursor:
        _require_ours(cursor, manifest.database)
        names = sorted(manifest.database.columns)
        identifiers = [sql.Identifier(each) for each in names]
        for each in identifiers:
            cursor.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(each))
        cursor.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(identifiers)))
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")  # tables refer to each other in circles
        for name in names:
            count = _copy_in(cursor, name, manifest.database.columns[name], folder)
            if count != manifest.database.rows.get(name):
                raise BackupError(
                    f"The backup is damaged: {name} has other rows than its manifest."
                )
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for each in identifiers:
            cursor.execute(sql.SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(each))
        for name, (value, is_called) in manifest.database.sequences.items():
            cursor.execute("SELECT setval(%s::regclass, %s, %s)", [f'"{name}"', value, is_called])


def _require_ours(cursor: Any, facts: DatabaseFacts) -> None:
    """Raise `BackupError` if the manifest names tables or sequences that are not the site's."""
    present = tables()
    others = (facts.columns.keys() - present) | (
        facts.sequences.keys() - _sequences(cursor, present)
    )
    if others:
        raise BackupError(f"The backup names a table that is not of this site: {min(others)!r}")


def _drop(cursor: Any) -> None:
    """Drop the site's tables and functions."""
    ours = [sql.Identifier(name) for name in tables()]
    if ours:
        cursor.execute(sql.SQL("DROP TABLE {} CASCADE").format(sql.SQL(", ").join(ours)))
    cursor.execute(FUNCTIONS)
    for (signature,) in cursor.fetchall():
        cursor.execute(f"DROP FUNCTION {signature} CASCADE")


def _migrate_to(migrations: dict[str, list[str]]) -> None:
    """Apply exactly these migrations to an empty schema."""
    executor = MigrationExecutor(connection)
    recorded = {(app, name) for app, names in migrations.items() for name in names}
    nodes = executor.loader.graph.node_map
    last = [
        key
        for key in recorded
        if not any(
            child.key in recorded and child.key[0] == key[0] for child in nodes[key].children
        )
    ]
    executor.migrate(sorted(last))


def _copy_in(cursor: Any, table: str, columns: list[str], folder: Path) -> int:
    """Load a table from a file in `folder`; return the number of rows."""
    command = sql.SQL("COPY {} ({}) FROM STDIN").format(*_names(table, columns))
    with (folder / FOLDER / table).open("rb") as file, cursor.copy(command) as copy:
        while block := file.read(BLOCK_BYTES):
            copy.write(block)
    return int(cursor.rowcount)


def _names(table: str, columns: list[str]) -> tuple[sql.Identifier, sql.Composable]:
    return sql.Identifier(table), sql.SQL(", ").join(sql.Identifier(each) for each in columns)
