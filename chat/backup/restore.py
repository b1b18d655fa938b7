"""Restore a site from a backup: verify everything beside the present data, then exchange them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.utils import timezone

from chat.backup import archive, postgres_copy, site_files, sqlite_copy
from chat.backup.errors import BackupError, file_error
from chat.backup.file_exchange import FileExchange, undone_on_error
from chat.backup.manifest import Manifest
from chat.backup.restorable import require_restorable
from chat.backup.restore_target import is_empty, keep_stopped, require_compatible, require_free
from chat.generations.models import Worker
from chat.generations.process import workers
from chat.lib import new_files
from chat.lib.staging_folders import staging_folder

REPLACED = "replaced-{:%Y%m%d-%H%M%S}"
COMPANIONS = ("", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored. `kept` has folders and files with what was replaced."""

    manifest: Manifest
    interrupted_answers: int
    has_other_key: bool
    kept: list[Path]


def restore(source: Path, passphrase: str, replace: bool) -> Restored:
    """Restore the backup `source`. Raise `BackupError` if that is impossible; nothing changes then.

    Data that is present is kept unless `replace` is True.
    """
    require_free(replace)
    try:
        with staging_folder() as folder:
            return _restore(source, passphrase, replace, folder)
    except OSError as error:
        raise file_error(error) from error


def _restore(source: Path, passphrase: str, replace: bool, folder: Path) -> Restored:
    manifest = archive.read(source, folder, passphrase)
    require_compatible(manifest)
    require_restorable(manifest)
    has_other_key = manifest.secret_key_digest != site_files.key_digest(
        site_files.key_after_restore(folder)
    )
    disposable = _made_here()
    aside = Path(settings.DATA_DIR) / REPLACED.format(timezone.now())
    with undone_on_error(aside) as files:
        site_files.prepare(folder, files)
        if connection.vendor == "postgresql":
            interrupted = _exchange_postgres(folder, manifest, files, replace)
        else:
            interrupted = _exchange_sqlite(folder, manifest, files, replace)
    return Restored(manifest, interrupted, has_other_key, files.finish(disposable))


def _exchange_postgres(folder: Path, manifest: Manifest, files: FileExchange, replace: bool) -> int:
    """Replace the tables in one transaction; return how many answers were interrupted."""
    try:
        with transaction.atomic():
            keep_stopped()
            require_free(replace)  # meanwhile it might have been started
            postgres_copy.load(folder, manifest)
            interrupted = _bring_up_to_date()
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
            site_files.exchange(files)
    except DatabaseError as error:
        raise BackupError(f"The backup can't be loaded: {error}.") from error
    return interrupted


def _exchange_sqlite(folder: Path, manifest: Manifest, files: FileExchange, replace: bool) -> int:
    """Prepare the copy, then exchange the files; return how many answers were interrupted."""
    copy = folder / sqlite_copy.NAME
    found = sqlite_copy.examine(copy)
    if found.rows != manifest.database.rows:
        raise BackupError("The backup is damaged: its database has other rows than its manifest.")
    if found.migrations != manifest.database.migrations:
        raise BackupError("The backup is damaged: its manifest names other migrations.")
    try:
        with _using(copy):
            interrupted = _bring_up_to_date()
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except (DatabaseError, InconsistentMigrationHistory) as error:
        raise BackupError(f"The backup can't be brought up to date: {error}.") from error
    present = Path(connection.settings_dict["NAME"]).resolve()
    files.prepare(copy, present)
    require_free(replace)  # meanwhile it might have been started
    connection.close()
    for end in COMPANIONS:
        files.exchange(present.with_name(present.name + end), present.name + end)
    site_files.exchange(files)
    return interrupted


@contextmanager
def _using(path: Path) -> Iterator[None]:
    """Use the SQLite database `path` instead of the site's."""
    connection.close()
    before = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = path
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before


def _bring_up_to_date() -> int:
    """Apply newer migrations, and end what the original's processes were doing."""
    call_command("migrate", interactive=False, verbosity=0)
    Worker.objects.all().delete()  # they are the original's, wherever they run
    return workers.close_orphans()


def _made_here() -> set[str]:
    """Return the names of those present files that only this command has made, by starting."""
    names = {name for name, place in site_files.places().items() if new_files.is_new(place)}
    if connection.vendor == "sqlite":
        present = Path(connection.settings_dict["NAME"])
        if new_files.is_new(present) and is_empty():  # meanwhile the site might have been started
            names |= {present.name + end for end in COMPANIONS}
    return names
