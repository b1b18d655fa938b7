"""Recreate triggers that migrations on SQLite drop with their tables. PostgreSQL keeps them."""

from typing import Any

from django.apps import AppConfig
from django.db import connections, transaction
from django.db.models.signals import post_migrate, pre_migrate

from chat.review import triggers
from chat.review.case_models import Flag
from chat.review.models import ConversationStats


def connect_signals(app: AppConfig) -> None:
    """Connect the signals. Call once, when the app is ready."""
    pre_migrate.connect(before_migrations, sender=app)
    post_migrate.connect(after_migrations, sender=app)


def before_migrations(using: str, plan: list[Any] | None = None, **_: Any) -> None:
    if plan and connections[using].vendor == "sqlite":
        with connections[using].cursor() as cursor:
            triggers.drop(cursor, "sqlite")
            triggers.drop_for_cases(cursor, "sqlite")


def after_migrations(using: str, plan: list[Any] | None = None, **_: Any) -> None:
    """Create triggers at every start too, because a failed migration may have left none."""
    connection = connections[using]
    if plan is None or connection.vendor != "sqlite":
        return
    with transaction.atomic(using=using), connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        if ConversationStats._meta.db_table in tables:
            triggers.fill(cursor, "sqlite")
            triggers.make(
                cursor, "sqlite", [each for each in triggers.APPEND_ONLY if each in tables]
            )
        if Flag._meta.db_table in tables:
            triggers.make_for_cases(cursor, "sqlite")
