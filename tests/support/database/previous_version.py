"""Work with the site's database as the code of a released version does.

Of that version only the migrations are left, but they say which tables and columns it knows, and
what it deletes together.
"""

from typing import Any

from django.core.management import call_command
from django.db import connection, models, transaction
from django.db.migrations.loader import MigrationLoader

from chat.backup import postgres_copy
from chat.database_copy.table_copy import copied_models
from chat.review import triggers
from tests.support.database.every_model import add_rows, in_order, plain
from tests.support.database.releases import migrations_of
from tests.support.database.schema import schema

Migrations = list[tuple[str, str]]
Description = dict[str, str]
#: Values by the names of a model, a key and a column.
Rows = dict[str, dict[str, dict[str, Any]]]
#: So that rows added after the upgrade are others than those of before.
LATER_ROWS = 100


def known_migrations() -> Migrations:
    """Return app and name of each migration of this version, sorted."""
    return sorted(MigrationLoader(None).disk_migrations)


def apply(migrations: Migrations) -> None:
    """Apply exactly these migrations to an empty database, and nothing that follows them."""
    by_app: dict[str, list[str]] = {}
    for app, name in migrations:
        by_app.setdefault(app, []).append(name)
    postgres_copy._migrate_to(by_app)


def migrate() -> None:
    """Upgrade the database to this version, as a site does."""
    call_command("migrate", verbosity=0)


def described() -> Description:
    """Return the schema, as JSON can have it."""
    with connection.cursor() as cursor:
        return {" ".join(key): sql for key, sql in schema(cursor).items()}


def add(release: str, first: int = 0) -> None:
    """Insert rows of every model that the release has, with the columns that it knows."""
    with transaction.atomic():
        add_rows(_models(release), first)


def add_newer_rows() -> None:
    """Insert rows of this version's models, which refer to those of `add`."""
    with transaction.atomic():
        add_rows(copied_models())


def rows(release: str) -> Rows:
    """Return the rows of the release's models by model and key, with the columns that are left."""
    found = {}
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        for model in _models(release):
            if (table := model._meta.db_table) in tables:
                description = connection.introspection.get_table_description(cursor, table)
                left = {column.name for column in description}
                found[model._meta.label] = _rows_of(model, left)
    return found


def delete(release: str) -> None:
    """Delete all rows that the release knows, except those that nobody can delete."""
    for model in reversed(in_order(_models(release))):
        if model._meta.db_table not in triggers.APPEND_ONLY:
            model._base_manager.all().delete()


def _models(release: str) -> list[type[models.Model]]:
    loader = MigrationLoader(None)
    recorded = migrations_of(release)
    apps: Any = loader.project_state(recorded).apps
    found = apps.get_models(include_auto_created=True)
    return sorted((each for each in found if not each._meta.proxy), key=lambda m: m._meta.db_table)


def _rows_of(model: type[models.Model], columns: set[str]) -> dict[str, dict[str, Any]]:
    names = [field.attname for field in model._meta.concrete_fields if field.column in columns]
    return {
        str(row["pk"]): {name: plain(row[name]) for name in names}
        for row in model._base_manager.values("pk", *names)
    }
