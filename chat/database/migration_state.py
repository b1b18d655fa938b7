"""Compare the migrations that a database has with those of this version."""

from dataclasses import dataclass

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor


@dataclass(frozen=True, slots=True)
class MigrationState:
    """Migrations by name, such as `chat.0001_initial`.

    `missing` are to be applied, in this order; `unknown` ones were applied by a newer version.
    """

    applied: list[str]
    missing: list[str]
    unknown: list[str]


def migration_state(alias: str = DEFAULT_DB_ALIAS) -> MigrationState:
    """Return the state of the database called `alias`."""
    executor = MigrationExecutor(connections[alias])
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    applied = executor.loader.applied_migrations.keys()
    unknown = applied - executor.loader.disk_migrations.keys()
    return MigrationState(
        applied=sorted(map(".".join, applied)),
        missing=[f"{each.app_label}.{each.name}" for each, _ in plan],
        unknown=sorted(map(".".join, unknown)),
    )
