"""Restrict the site's files to its own account, even in a folder that others can open."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from chat.lib import new_files
from project.config.env import require_file, stop

SQLITE = "django.db.backends.sqlite3"


def protect(databases: dict[str, dict[str, Any]], *others: Path) -> None:
    """Remove other users' permissions from the databases and from `others` with their contents.

    A missing SQLite database is created first: SQLite would use the permissions of the umask, and
    its two companion files copy those of the database. Abort startup if a file is open to others
    and cannot be changed.
    """
    for database in databases.values():
        if database["ENGINE"] == SQLITE and str(database["NAME"]).startswith(os.sep):
            path = Path(database["NAME"])
            require_file("DATABASE_URL", path)
            _make_missing(path)
            others += (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm")))
    for path in others:
        for each in _within(path):
            _close(each)


def _make_missing(path: Path) -> None:
    if not path.exists():
        try:
            path.touch(mode=0o600)
        except OSError as error:
            stop("DATABASE_URL", f"names a file that can't be created ({error.strerror}): {path}")
        new_files.note(path)


def opener(path: str, flags: int) -> int:
    """Create files for their owner only, whatever the umask is: `open(…, opener=opener)`.

    One that an earlier version, or a script, has left open to others is closed to them.
    """
    descriptor = os.open(path, flags, 0o600)
    with suppress(PermissionError):  # somebody else's
        os.fchmod(descriptor, stat.S_IMODE(os.fstat(descriptor).st_mode) & 0o700)
    return descriptor


def _within(path: Path) -> Iterator[Path]:
    if path.exists():
        yield path
    if path.is_dir():
        yield from path.rglob("*")


def _close(path: Path) -> None:
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            path.chmod(mode & 0o700)
    except FileNotFoundError:
        return  # SQLite removed it meanwhile
    except PermissionError:
        stop("DATA_DIR", f"has a file that others can read; run: chmod go-rwx {path}")
