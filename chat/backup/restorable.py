"""What makes a backup one that can be restored: a backup is held to it, too, before it is kept."""

from django.conf import settings

from chat.backup import postgres_copy, site_files, sqlite_copy
from chat.backup.errors import BackupError
from chat.backup.manifest import MAX_BYTES, Manifest, encode


def require_restorable(manifest: Manifest) -> None:
    """Raise `BackupError` if a restore refuses a backup with this manifest."""
    _require_known_parts(manifest)
    if len(encode(manifest)) > MAX_BYTES:
        raise BackupError(
            f"There are too many files ({len(manifest.parts)}). Remove old ones from"
            f" {settings.EMAIL_FILE_PATH}."
        )


def _require_known_parts(manifest: Manifest) -> None:
    """Raise `BackupError` for a part that no backup of such a database has."""
    is_postgres = manifest.database.kind == "postgresql"
    tables = {f"{postgres_copy.FOLDER}/{name}" for name in manifest.database.columns}
    expected = tables if is_postgres else {sqlite_copy.NAME}
    present = {part.name for part in manifest.parts}
    if missing := expected - present:
        raise BackupError(f"The backup is not complete: {min(missing)} is missing.")
    for name in present - expected:
        if not site_files.is_known(name):
            raise BackupError(f"The backup contains a file that it should not: {name!r}")
