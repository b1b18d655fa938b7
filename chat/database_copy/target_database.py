"""Prepare the PostgreSQL database that a copy goes into, and make it ready for use afterwards.

That is: its triggers, the next ids, and the search index.
"""

from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import sql

from chat.conversations.search import postgres_index
from chat.database_copy.errors import CopyRefused
from chat.database_copy.schema_version import require_current_schema
from chat.database_copy.table_copy import Model
from chat.quotas.models import ConfigVersion, Limit

#: Tables that have rows after the migrations. The rows of the source replace these.
FILLED_BY_MIGRATIONS: frozenset[Model] = frozenset(
    {ContentType, Group, Group.permissions.through, Limit, Permission, ConfigVersion}
)


def require_empty_target(copied: list[Model]) -> None:
    """Raise `CopyRefused` unless the site's database is PostgreSQL, migrated and empty."""
    if connections[DEFAULT_DB_ALIAS].vendor != "postgresql":
        raise CopyRefused(
            "DATABASE_URL must name the PostgreSQL database to copy to:"
            " DATABASE_URL=postgresql://user@host/name"
        )
    require_current_schema(DEFAULT_DB_ALIAS, "The PostgreSQL database")
    _require_no_rows(copied)


def _require_no_rows(copied: list[Model]) -> None:
    for model in copied:
        if model not in FILLED_BY_MIGRATIONS and model._base_manager.exists():
            raise CopyRefused(
                f"The PostgreSQL database isn't empty: {model._meta.db_table} has rows. Create"
                " another one, run `manage.py migrate`, and copy before the site is started."
            )


def suspend_triggers(copied: list[Model]) -> None:
    """Disable the triggers, which would count everything twice, and empty the tables.

    Until the transaction ends, this also keeps everybody else from writing. Raise `CopyRefused` if
    somebody did before: the site was started meanwhile.
    """
    _for_each(copied, "ALTER TABLE {} DISABLE TRIGGER USER")
    _require_no_rows(copied)
    _for_each(copied, "DELETE FROM {}")


def restore_triggers(copied: list[Model]) -> None:
    """Check all foreign keys, and enable the triggers. Raise `IntegrityError`."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    _for_each(copied, "ALTER TABLE {} ENABLE TRIGGER USER")


def reset_sequences(copied: list[Model], source: str) -> None:
    """Let new rows have ids that no row ever had.

    SQLite remembers the ids of deleted rows, to which the access log may still refer.
    """
    target = connections[DEFAULT_DB_ALIAS]
    with target.cursor() as cursor:
        for statement in target.ops.sequence_reset_sql(no_style(), copied):
            cursor.execute(statement)
        for table, column, last in _last_ids(copied, source):
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [f'"{table}"', column, last]
            )


def _last_ids(copied: list[Model], source: str) -> list[tuple[str, str, int]]:
    """Return table, key column and the highest id ever given, as SQLite knows them."""
    columns = {each._meta.db_table: str(each._meta.pk.column) for each in copied}
    with connections[source].cursor() as cursor:
        cursor.execute("SELECT name, seq FROM sqlite_sequence WHERE seq > 0")
        return [(name, columns[name], seq) for name, seq in cursor.fetchall() if name in columns]


def rebuild_search() -> None:
    """Index all messages."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        postgres_index.refill(cursor)


def analyze() -> None:
    """Tell the query planner what the tables contain."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("ANALYZE")


def _for_each(copied: list[Model], statement: str) -> None:
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        for model in copied:
            cursor.execute(sql.SQL(statement).format(sql.Identifier(model._meta.db_table)))
