"""Restrict the site's files to its own account, even in a folder that others can open."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from project.config.env import stop

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
            path.touch(mode=0o600)
            others += (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm")))
    for path in others:
        for each in _within(path):
            _close(each)


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
