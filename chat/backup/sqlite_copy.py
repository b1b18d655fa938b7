"""Copy an SQLite database as it is at one moment, while others write to it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from chat.backup.errors import BackupError
from chat.backup.manifest import DatabaseFacts

NAME = "database.sqlite3"
#: SQLite's own and the search index's inner tables.
INNER = ("sqlite_", "chat_search_")


def dump(source: Path, folder: Path) -> DatabaseFacts:
    """Copy the database to `folder`. Raise `BackupError` if the copy is damaged.

    All pages are copied in one step, which reads one snapshot: in steps, the copy would begin anew
    whenever another process writes.
    """
    target = folder / NAME
    target.touch(mode=0o600)
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as original,
        closing(sqlite3.connect(target)) as copy,
    ):
        original.backup(copy, pages=-1)
        copy.execute("PRAGMA journal_mode = DELETE")  # all in one file
    return examine(target)


def examine(path: Path) -> DatabaseFacts:
    """Return facts about a database file. Raise `BackupError` if it is damaged."""
    try:
        with closing(sqlite3.connect(path)) as copy:
            problem = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
            if problem != "ok":
                raise BackupError(f"The database is damaged: {problem}.")
            return DatabaseFacts(
                kind="sqlite",
                version=sqlite3.sqlite_version,
                migrations=_migrations(copy),
                rows={each: _count(copy, each) for each in _tables(copy)},
            )
    except sqlite3.DatabaseError as error:
        raise BackupError(f"The database can't be read: {error}.") from error


def _tables(copy: sqlite3.Connection) -> list[str]:
    names = copy.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [name for (name,) in names if not name.startswith(INNER)]


def _count(copy: sqlite3.Connection, table: str) -> int:
    return int(copy.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])  # noqa: S608


def _migrations(copy: sqlite3.Connection) -> dict[str, list[str]]:
    applied: dict[str, list[str]] = {}
    for app, name in copy.execute("SELECT app, name FROM django_migrations ORDER BY app, name"):
        applied.setdefault(app, []).append(name)
    return applied
