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
            kept = {table for table in triggers.RECORD if _has_rows(cursor, table)}
            triggers.drop_append_only(cursor, connection.vendor, kept)
            _delete(connection, cursor, tables)
            triggers.make_append_only(cursor, connection.vendor, kept)


def _has_rows(cursor: Any, table: str) -> bool:
    cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {table})")
    return bool(cursor.fetchone()[0])


def _delete(connection: Any, cursor: Any, tables: Iterable[str]) -> None:
    """Delete all rows; tables that are already empty take no time."""
    for table in tables:
        cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
