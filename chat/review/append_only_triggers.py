"""Create triggers for append-only tables, which refuse everything but inserts.

SQLite's `INSERT OR REPLACE` deletes a row without firing its delete triggers, so inserting an
existing key is refused before the insert. PostgreSQL behaves the same.
"""
# ruff: noqa: S608  (what is put into the statements are constants)

from collections.abc import Iterable
from typing import Any

#: Unique columns by table: the access log, staff actions, the seals of both, and ratings.
TABLES = {
    "chat_accesslogentry": ("id",),
    "chat_staffaction": ("id",),
    "chat_auditseal": ("id", "day"),
    "chat_staffrating": ("id",),
}


def protect(cursor: Any, vendor: str, tables: Iterable[str] = tuple(TABLES)) -> None:
    """Create the missing triggers of these tables."""
    make = _protect_on_sqlite if vendor == "sqlite" else _protect_on_postgres
    for table in tables:
        make(cursor, table)


def unprotect(cursor: Any, vendor: str, tables: Iterable[str] = tuple(TABLES)) -> None:
    """Drop the triggers, for migrations that remove or rebuild a table, and for tests."""
    for table in tables:
        for event in ("insert", "update", "delete", "truncate"):
            name = f"{table}_{event}"
            if vendor == "sqlite":
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
            else:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
                cursor.execute(f"DROP FUNCTION IF EXISTS {name}")


def _protect_on_sqlite(cursor: Any, table: str) -> None:
    # Before an insert, SQLite reports an ID that it will assign as -1.
    known = _is_known(table, {"id": "new.id <> -1 AND id = new.id"})
    conditions = {"INSERT": f"WHEN {known}", "UPDATE": "", "DELETE": ""}
    for event, condition in conditions.items():
        cursor.execute(f"""
            CREATE TRIGGER IF NOT EXISTS {table}_{event.lower()} BEFORE {event} ON {table}
            {condition} BEGIN SELECT RAISE(ABORT, '{_words(table)}'); END
        """)


def _protect_on_postgres(cursor: Any, table: str) -> None:
    refusal = f"RAISE EXCEPTION '{_words(table)}'"
    bodies = {
        "INSERT": f"IF {_is_known(table, {})} THEN {refusal}; END IF; RETURN new;",
        "UPDATE": f"{refusal};",
        "DELETE": f"{refusal};",
        "TRUNCATE": f"{refusal};",
    }
    for event, body in bodies.items():
        name, each = f"{table}_{event.lower()}", "STATEMENT" if event == "TRUNCATE" else "ROW"
        cursor.execute(f"""
            CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN {body} END $$;
            CREATE OR REPLACE TRIGGER {name} BEFORE {event} ON {table}
                FOR EACH {each} EXECUTE FUNCTION {name}();
        """)


def _is_known(table: str, conditions: dict[str, str]) -> str:
    keys = (conditions.get(key, f"{key} = new.{key}") for key in TABLES[table])
    return f"EXISTS (SELECT 1 FROM {table} WHERE {' OR '.join(f'({each})' for each in keys)})"


def _words(table: str) -> str:
    return f"rows of {table} stay as they are"
