"""Remove the words of deleted messages from the index on SQLite.

FTS5 only marks them as deleted, and removes them when it merges parts of the index, which on a
quiet site may take months. So after a deletion the parts are merged, step by step. PostgreSQL
removes deleted rows by itself, with autovacuum.
"""

import time
from typing import Any

from django.db import DatabaseError, connection

#: A merge writes the whole index again, so a site that deletes all the time does it once an hour.
PAUSE_SECONDS = 3600.0
#: Pages of the index, 4 KB each, written in one transaction.
PAGES_AT_ONCE = 250

_clock = time.monotonic
_wanted = False
_running = False
_next_at = 0.0


def merge_soon() -> None:
    """Note that this process has deleted messages."""
    global _wanted
    _wanted = True


def merge_next() -> bool:
    """Merge the next pages if it is time to; return whether there is more to do."""
    global _wanted, _running, _next_at
    if connection.vendor != "sqlite":
        return False
    if not _running:
        if not _wanted or _clock() < _next_at:
            return False
        _wanted = False  # before the merge, which may miss what is deleted meanwhile
        try:
            _running = _merge(-PAGES_AT_ONCE)  # negative: all parts are to become one
        except DatabaseError:
            _wanted = True
            raise
        _next_at = _clock() + PAUSE_SECONDS
    else:
        _running = _merge(PAGES_AT_ONCE)
    return _running


def _merge(pages: int) -> bool:
    """Return whether anything was left to merge, as FTS5 documents it for its `merge` command."""
    with connection.cursor() as cursor:
        before = _changed_rows(cursor)
        cursor.execute("INSERT INTO chat_search (chat_search, rank) VALUES ('merge', %s)", [pages])
        return _changed_rows(cursor) - before >= 2


def _changed_rows(cursor: Any) -> int:
    cursor.execute("SELECT total_changes()")
    count: int = cursor.fetchone()[0]
    return count
