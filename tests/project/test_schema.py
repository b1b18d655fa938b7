"""Migrations create the schema that the code describes."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import connection, transaction
from pytest_django import Settings

from chat.conversations.search import postgres_index, sqlite_index
from chat.conversations.sizes import triggers as size_triggers
from chat.database import config_version
from chat.quotas.models import Limit
from chat.review import triggers
from project.config import initial_limits
from tests.support.database.schema import schema

pytestmark = pytest.mark.django_db
INDEXES = {"sqlite": sqlite_index, "postgresql": postgres_index}


def drop_all(cursor: Any) -> None:
    """Drop everything that migrations create besides the tables of models."""
    kind = "trigger" if connection.vendor == "sqlite" else "function"
    for found, name in schema(cursor):
        if found == kind:
            cursor.execute(f"DROP {kind} {name}" + (" CASCADE" if kind == "function" else ""))
    cursor.execute("DROP TABLE chat_search")


def make_all(cursor: Any) -> None:
    INDEXES[connection.vendor].make(cursor)  # type: ignore[attr-defined]
    size_triggers.make(cursor, connection.vendor)
    triggers.make(cursor, connection.vendor)
    triggers.make_for_cases(cursor, connection.vendor)
    config_version.make_triggers(cursor, connection.vendor)


def test_the_migrated_schema_matches_the_code() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        migrated = schema(cursor)
        drop_all(cursor)
        without = schema(cursor)
        assert not [name for kind, name in without if kind in ("trigger", "function")]
        make_all(cursor)
        made = schema(cursor)
        transaction.set_rollback(True)
    assert len(migrated) - len(without) > 30
    assert made == migrated


def test_every_change_of_a_model_has_a_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_migrations_can_be_reversed_and_applied_again() -> None:
    with connection.cursor() as cursor:
        before = schema(cursor)
    try:
        call_command("migrate", "chat", "0001", verbosity=0)
        with connection.cursor() as cursor:
            assert not [name for _, name in schema(cursor) if name.startswith("chat_search")]
    finally:
        call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        assert schema(cursor) == before


def test_a_new_database_has_the_limits_of_the_setting(settings: Settings) -> None:
    """Each scope and measure must fit its column."""
    settings.INITIAL_LIMITS = initial_limits.read(initial_limits.DEFAULT)
    migration: Any = import_module("chat.migrations.0003_defaults")
    migration.make_limits(apps, None)
    made = Limit.objects.values_list("scope", "measure", "amount")
    assert sorted(made) == sorted(settings.INITIAL_LIMITS)
    migration.remove_limits(apps, None)
    assert not Limit.objects.exists()


def test_a_new_database_has_the_review_groups() -> None:
    Group.objects.all().delete()  # other tests leave none
    migration: Any = import_module("chat.migrations.0003_defaults")
    migration.make_groups(apps, None)
    made = Group.objects.values_list("name", "permissions__codename")
    assert set(made) == {
        ("Reviewers", "review"),
        ("Lead reviewers", "lead_review"),
        ("Administrators", "administer_review"),
    }
