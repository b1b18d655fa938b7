"""Back up a site while it runs."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from chat.backup import archive, postgres_copy, site_files, sqlite_copy
from chat.backup.encrypted_file import require_passphrase
from chat.backup.errors import BackupError, file_error
from chat.backup.manifest import DatabaseFacts, Manifest
from chat.backup.restorable import require_restorable
from chat.lib.staging_folders import staging_folder
from chat.version import VERSION


def back_up(target: Path, passphrase: str | None) -> Manifest:
    """Write a backup to the new file `target`, encrypted if there is a passphrase.

    Raise `BackupError` if it can't be written; then there is no file.
    """
    archive.require_new(target)
    if passphrase is not None:
        require_passphrase(passphrase)
    with _telling_errors(), staging_folder() as folder:
        # First the seals, then the database: a seal only in the file would look like a removed one.
        site_files.dump(folder)
        database = _dump_database(folder)
        manifest = Manifest(
            version=VERSION,
            made_at=timezone.now(),
            site_url=settings.SITE_URL,
            secret_key_digest=site_files.key_digest(),
            database=database,
            parts=archive.parts_in(folder),
        )
        require_restorable(manifest)
        archive.write(target, folder, manifest, passphrase)
    return manifest


def _dump_database(folder: Path) -> DatabaseFacts:
    if connection.vendor != "postgresql":
        return sqlite_copy.dump(Path(connection.settings_dict["NAME"]), folder)
    return postgres_copy.dump(folder)


@contextmanager
def _telling_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:  # full disks too, on which the copy is made
        raise BackupError(
            f"The database can't be copied to {settings.DATA_DIR}: {error}."
        ) from error
    except DatabaseError as error:
        raise BackupError(f"The database can't be read: {error}.") from error
    except OSError as error:
        raise file_error(error) from error
