"""Empty tables after each test.

Django's own flush recreates all permissions each time, half of a test's duration.
"""

from collections.abc import Iterable
from typing import Any

from django.db import connections, transaction
from django.test import TransactionTestCase

from chat.review import triggers

#: The same for every test, and not changed by any.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}


def empty_quickly() -> None:
    """Replace the cleanup of tests that wrote to the database."""

    def empty_all(_case: TransactionTestCase) -> None:
        for name in _case._databases_names(include_mirrors=False):
            empty(connections[name])

    TransactionTestCase._fixture_teardown = empty_all


def empty(connection: Any) -> None:
    tables = set(connection.introspection.django_table_names(only_existing=True)) - KEPT
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = replica")  # disables triggers
            _delete(connection, cursor, {*tables, "chat_search"})
            cursor.execute("SET session_replication_role = origin")
            return
        with connection.constraint_checks_disabled(), transaction.atomic(using=connection.alias):
            filled = _with_rows(cursor, tables)
            kept = filled & set(triggers.APPEND_ONLY)
            triggers.drop_append_only(cursor, connection.vendor, kept)
            _delete(connection, cursor, filled)
            triggers.make_append_only(cursor, connection.vendor, kept)


def _with_rows(cursor: Any, tables: Iterable[str]) -> set[str]:
    """Return the tables that have rows: one query is much faster than a DELETE for each."""
    each = (f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in sorted(tables))
    cursor.execute(" UNION ALL ".join(each))
    return {table for (table,) in cursor.fetchall()}


def _delete(connection: Any, cursor: Any, tables: Iterable[str]) -> None:
    for table in tables:
        cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
