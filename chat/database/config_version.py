"""Version the configuration: limits, groups and members, pauses, models, settings of the site.

Each process caches what it needs of the configuration, as a `VersionedValue`. Triggers change the
version, so no way of writing, not even by hand, can bypass it. The version is random, so one that
was rolled back is never reused.
"""
# ruff: noqa: S608  (only constants are interpolated)

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.apps import AppConfig
from django.db import connection, connections, transaction
from django.db.models import Model
from django.db.models.signals import post_migrate

T = TypeVar("T")

TABLE = "chat_configversion"
TABLES: set[str] = set()  # tables of the configuration, registered by `connect_signals`
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
CREATE TRIGGER {{table}}_config_{{event}} AFTER {{event}} ON {{table}}
BEGIN {"; ".join(CHANGE["sqlite"])}; END
"""
ON_POSTGRES = f"""
CREATE OR REPLACE FUNCTION chat_config_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN {"; ".join(CHANGE["postgresql"])}; RETURN NULL; END $$;
"""
FOR_POSTGRES_TABLE = """
CREATE OR REPLACE TRIGGER {table}_config AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION chat_config_changed()
"""


class VersionedValue(Generic[T]):
    """A cached result of `read`, valid for one version of the configuration."""

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._known: tuple[int | None, T] | None = None  # replaced as one, for other threads

    def at(self, version: int | None) -> T:
        """Return the value for `version`; without a version it is read each time."""
        known = self._known
        if known and version is not None and known[0] == version:
            return known[1]
        value = self._read()
        self._known = (version, value)
        return value

    def last(self) -> T | None:
        """Return the value read last, which may be outdated."""
        return self._known[1] if self._known else None

    def refresh(self, version: int | None = None) -> bool:
        """Read the value again if it may be outdated; a background job of each process, too."""
        self.at(current() if version is None else version)
        return False

    def forget(self) -> None:
        """Forget what was read, for tests."""
        self._known = None


def current() -> int | None:
    """Return the version; None if nothing was ever written: then nothing may be cached."""
    with connection.cursor() as cursor:
        cursor.execute(SELECT)
        row = cursor.fetchone()
    return row[0] if row else None


def connect_signals(app: AppConfig, *configuration: type[Model]) -> None:
    """Create the triggers after each migration: on SQLite it may have recreated a table."""
    TABLES.update(each._meta.db_table for each in configuration)
    post_migrate.connect(_after_migrations, sender=app)


def _after_migrations(using: str, **_: Any) -> None:
    chosen = connections[using]
    with transaction.atomic(using=using), chosen.cursor() as cursor:
        if set(chosen.introspection.table_names(cursor)) > TABLES:  # only once all of them exist
            make_triggers(cursor, chosen.vendor)
            for statement in CHANGE[chosen.vendor]:  # a migration may have changed rows as well
                cursor.execute(statement)


def make_triggers(cursor: Any, vendor: str) -> None:
    if vendor == "postgresql":
        cursor.execute(ON_POSTGRES)
        for table in TABLES:
            cursor.execute(FOR_POSTGRES_TABLE.format(table=table))
        return
    for table in TABLES:
        for event in ("insert", "update", "delete"):
            cursor.execute(f"DROP TRIGGER IF EXISTS {table}_config_{event}")
            cursor.execute(ON_SQLITE.format(table=table, event=event))
