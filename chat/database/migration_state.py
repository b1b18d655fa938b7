"""Compare the migrations that a database has with those of this version."""

import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from chat.lib.release_files import read_at_start

Names = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class MigrationState:
    """Migrations by name, such as `chat.0001_initial`.

    `missing` are to be applied; `unknown` ones were applied by a newer version.
    """

    applied: list[str]
    missing: list[str]
    unknown: list[str]


def migration_state(alias: str = DEFAULT_DB_ALIAS) -> MigrationState:
    """Return the state of the database called `alias`."""
    ours = _of_this_version()
    applied = MigrationRecorder(connections[alias]).applied_migrations().keys()
    return MigrationState(_named(applied), _named(ours - applied), _named(applied - ours))


@read_at_start
@cache
def _of_this_version() -> Names:
    """Return app and name of each migration.

    Reading only their names spares a process that never migrates the import of a hundred modules.
    """
    migrations = set()
    for config in apps.get_app_configs():
        package, _is_explicit = MigrationLoader.migrations_module(config.label)
        if not package or config.models_module is None:
            continue
        try:
            module = import_module(package)
        except ModuleNotFoundError:
            continue  # an app without migrations
        for each in pkgutil.iter_modules(module.__path__):
            if not each.ispkg and each.name[0] not in "_~":
                migrations.add((config.label, each.name))
    return frozenset(migrations)


def _named(migrations: Iterable[tuple[str, str]]) -> list[str]:
    return sorted(map(".".join, migrations))
