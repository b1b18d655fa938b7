"""Check that a database has the schema of this version."""

from chat.database.migration_state import migration_state
from chat.database_copy.errors import CopyRefused


def require_current_schema(alias: str, name: str) -> None:
    """Raise `CopyRefused` unless exactly the migrations of this version have been applied."""
    state = migration_state(alias)
    if state.missing:
        raise CopyRefused(
            f"{name} isn't migrated to this version. Run `manage.py migrate` with its DATABASE_URL."
        )
    if state.unknown:
        raise CopyRefused(f"{name} is of a newer version of Runnel: it has {state.unknown[0]}.")
