"""What the site writes is private to its account, also in a folder that others can open."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from project.config.env import stop

SQLITE = "django.db.backends.sqlite3"


def protect(databases: dict[str, dict[str, Any]], *others: Path) -> None:
    """Take rights of others off the databases and `others`, folders with what is in them.

    An SQLite database is made first where there is none: SQLite would give it the rights that the
    umask leaves, and its two companions get those of the database. Stops where a file is open to
    others and cannot be changed.
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
        return  # SQLite has removed it in between
    except PermissionError:
        stop("DATA_DIR", f"has a file that others can read; run: chmod go-rwx {path}")
