"""Check that a backup may be restored here: nothing is lost, and nobody uses the database."""

import fcntl
import sqlite3
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import Max
from django.db.models.functions import Now

from chat.backup.errors import BackupError
from chat.backup.manifest import Manifest
from chat.generations.models import Worker
from chat.generations.process.workers import DEAD_AFTER_SECONDS

#: A database with rows in one of these is in use. Migrations insert into others.
TELLING_TABLES = ("chat_user", "chat_accesslogentry", "chat_auditseal")
#: The byte of the `-shm` file that each connection to a SQLite database in WAL mode locks.
LOCK_OF_OPEN_DATABASE = 128


def is_empty() -> bool:
    """Return whether the database has neither people nor an audit log."""
    with connection.cursor() as cursor:
        present = set(connection.introspection.table_names(cursor))
        for table in TELLING_TABLES:
            if table in present:
                cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {table})")  # noqa: S608
                if cursor.fetchone()[0]:
                    return False
    return True


def require_free(replace: bool) -> None:
    """Raise `BackupError` if data would be replaced unasked, or a process uses the database.

    A SQLite database that can't be read may have people.
    """
    try:
        require_stopped()
        if not replace and not is_empty():
            raise BackupError(
                "There are people in this database. To replace all data, add --replace."
            )
    except DatabaseError as error:
        if not _is_damaged(error):
            raise BackupError(f"The database can't be used: {error}.") from error
        if not replace:
            raise BackupError(
                f"The database can't be read: {error}. To replace it, add --replace."
            ) from error
        connection.close()
        _require_closed(Path(connection.settings_dict["NAME"]).resolve())


def _is_damaged(error: DatabaseError) -> bool:
    """Return whether it tells that a SQLite file can't be read, not that it is in use."""
    code: int = getattr(error.__cause__, "sqlite_errorcode", 0)
    return code & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOTADB}


def _require_closed(database: Path) -> None:
    """Raise `BackupError` if a process has this SQLite database open, as its lock tells."""
    with suppress(FileNotFoundError), open(f"{database}-shm", "r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, LOCK_OF_OPEN_DATABASE)
        except BlockingIOError as error:
            raise BackupError("A process uses the database. Stop the site.") from error


def require_stopped() -> None:
    """Raise `BackupError` if a process of the site uses the database."""
    if Worker._meta.db_table not in connection.introspection.table_names():
        return
    since = Now() - timedelta(seconds=DEAD_AFTER_SECONDS)
    living = Worker.objects.filter(heartbeat_at__gte=since)
    count, last = living.count(), living.aggregate(last=Max("heartbeat_at"))["last"]
    if count:
        raise BackupError(
            f"The site is running ({count} processes, last heard of at {last:%H:%M:%S} UTC). Stop"
            f" it, and wait {DEAD_AFTER_SECONDS:.0f} seconds if a process was killed."
        )


def keep_stopped() -> None:
    """Let no process of the site start to use the database until the transaction ends."""
    table = Worker._meta.db_table
    with connection.cursor() as cursor:
        if table in connection.introspection.table_names(cursor):
            cursor.execute(f"LOCK TABLE {connection.ops.quote_name(table)}")


def require_compatible(manifest: Manifest) -> None:
    """Raise `BackupError` if this code and database can't take that backup."""
    kind = manifest.database.kind
    if kind != connection.vendor:
        names = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
        raise BackupError(
            f"This is a backup of {names.get(kind, kind)}, but DATABASE_URL names"
            f" {names[connection.vendor]}. Restore it where DATABASE_URL names {names.get(kind)}."
        )
    known = MigrationLoader(None).disk_migrations
    applied = {(app, name) for app, names in manifest.database.migrations.items() for name in names}
    unknown = applied - set(known)
    if unknown:
        app, name = min(unknown)
        raise BackupError(
            f"This backup was made by a newer version ({manifest.version}), with the migration"
            f" {app}.{name}. Install that version."
        )
