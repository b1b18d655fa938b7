"""Version the rules: limits, groups and their members, pauses, allowed models.

Each process caches the rules and reads the version in the same statement as the meters. Triggers
change it, so no way of writing a rule, not even by hand, can bypass it. The version is random, so
one that was rolled back is never reused.
"""
# ruff: noqa: S608  (only constants are interpolated)

from typing import Any

from django.apps import AppConfig
from django.db import connection, connections, transaction
from django.db.models import Model
from django.db.models.signals import post_migrate

TABLE = "chat_rulesversion"
TABLES: set[str] = set()  # tables of rules, whose models are registered by `connect_signals`
SELECT = f"SELECT version FROM {TABLE} WHERE id = 1"

CHANGE = {
    # Not `OR REPLACE`: in a trigger SQLite obeys the `OR IGNORE` of the statement that fired it.
    "sqlite": (f"DELETE FROM {TABLE}", f"INSERT INTO {TABLE} (id, version) VALUES (1, random())"),
    "postgresql": (
        f"INSERT INTO {TABLE} (id, version) VALUES (1, floor(random() * 9007199254740991))"
        " ON CONFLICT (id) DO UPDATE SET version = excluded.version",
    ),
}
ON_SQLITE = f"""
CREATE TRIGGER {{table}}_rules_{{event}} AFTER {{event}} ON {{table}}
BEGIN {"; ".join(CHANGE["sqlite"])}; END
"""
ON_POSTGRES = f"""
CREATE OR REPLACE FUNCTION chat_rules_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN {"; ".join(CHANGE["postgresql"])}; RETURN NULL; END $$;
"""
FOR_POSTGRES_TABLE = """
CREATE OR REPLACE TRIGGER {table}_rules AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION chat_rules_changed()
"""


def current() -> int | None:
    """Return the version; None if no rule was ever written, in which case nothing may be cached."""
    with connection.cursor() as cursor:
        cursor.execute(SELECT)
        row = cursor.fetchone()
    return row[0] if row else None


def connect_signals(app: AppConfig, *rules: type[Model]) -> None:
    """Create the triggers after each migration: on SQLite it may have recreated a table."""
    TABLES.update(each._meta.db_table for each in rules)
    post_migrate.connect(_after_migrations, sender=app)


def _after_migrations(using: str, **_: Any) -> None:
    chosen = connections[using]
    with transaction.atomic(using=using), chosen.cursor() as cursor:
        if set(chosen.introspection.table_names(cursor)) > TABLES:  # only once all of them exist
            make_triggers(cursor, chosen.vendor)
            for statement in CHANGE[chosen.vendor]:  # a migration may have changed rules as well
                cursor.execute(statement)


def make_triggers(cursor: Any, vendor: str) -> None:
    if vendor == "postgresql":
        cursor.execute(ON_POSTGRES)
        for table in TABLES:
            cursor.execute(FOR_POSTGRES_TABLE.format(table=table))
        return
    for table in TABLES:
        for event in ("insert", "update", "delete"):
            cursor.execute(f"DROP TRIGGER IF EXISTS {table}_rules_{event}")
            cursor.execute(ON_SQLITE.format(table=table, event=event))
