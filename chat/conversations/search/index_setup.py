"""Register the triggers' function on SQLite connections, and keep triggers across migrations.

On PostgreSQL nothing is needed.
"""

from typing import Any

from django.apps import AppConfig
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate

from chat.conversations.search import sqlite_index
from chat.conversations.sizes import triggers as size_triggers


def connect_signals(app: AppConfig) -> None:
    """Connect the signals. Call it once, when the app is ready."""
    connection_created.connect(_prepare)
    pre_migrate.connect(before_migrations, sender=app)
    post_migrate.connect(after_migrations, sender=app)


def _prepare(connection: BaseDatabaseWrapper, **_: Any) -> None:
    if connection.vendor == "sqlite":
        sqlite_index.prepare(connection)


def before_migrations(using: str, plan: list[Any] | None = None, **_: Any) -> None:
    if plan and connections[using].vendor == "sqlite":
        with connections[using].cursor() as cursor:
            sqlite_index.drop_triggers(cursor)
            size_triggers.drop_on_sqlite(cursor)


def after_migrations(using: str, plan: list[Any] | None = None, **_: Any) -> None:
    """Restore the triggers, also at every start: a failed migration may have left them dropped."""
    if plan is None or connections[using].vendor != "sqlite":
        return
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        if sqlite_index.exists(cursor) and not sqlite_index.has_triggers(cursor):
            sqlite_index.repair(cursor)
            sqlite_index.drop_triggers(cursor)
            sqlite_index.make_triggers(cursor)
        size_triggers.make_on_sqlite(cursor)
