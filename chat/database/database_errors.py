"""Map failures of the database to errors with status 503, which clients may retry.

Other database errors are bugs or invalid data and remain server errors.
"""

import re

from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils.translation import gettext_lazy as _

from chat.errors import ChatError
from chat.lib import disk

#: SQLite's messages, as Django passes no codes on; PostgreSQL's codes are in `sqlstate`.
FULL = re.compile(r"disk is full|disk I/O error|readonly database|No space left on device", re.I)
FULL_STATES = frozenset({"53100"})
LOCKED = re.compile(r"database (table )?is locked", re.I)
CONTESTED = re.compile(r"lock timeout|statement timeout|deadlock detected", re.I)


class DatabaseUnavailable(ChatError):
    """The database cannot be reached, or cannot do its work."""

    code, status = "database_unavailable", 503
    retryable = True
    text = _("This site can't reach its database right now. Try again. Your draft is saved.")


class DatabaseBusy(DatabaseUnavailable):
    """A lock was not released in time, or a deadlock was detected."""

    code = "database_busy"
    text = _("This site's database is busy right now. Try again. Your draft is saved.")


class DiskFull(DatabaseUnavailable):
    """The database has no room to write."""

    code = "disk_full"
    text = _(
        "This site is out of storage space. Your draft is saved. Try again later, or "
        "contact the site administrator."
    )


RETRY_SECONDS = {DiskFull: 60.0, DatabaseBusy: 5.0, DatabaseUnavailable: 2.0}


def error_for(error: BaseException | None) -> ChatError | None:
    """Return the error to respond with if the database is unavailable; None for other errors."""
    if not isinstance(error, OperationalError | InterfaceError):
        return None
    kind = _kind_of(error)
    if kind is DiskFull:
        disk.note_full()
    detail = f"{type(error).__name__}: {error}".partition("\n")[0]
    return kind(detail=detail, retry_after_seconds=RETRY_SECONDS[kind])


def is_locked(error: BaseException) -> bool:
    """Return whether a wait for SQLite's write lock timed out. PostgreSQL locks rows."""
    return isinstance(error, OperationalError) and bool(LOCKED.search(str(error)))


def is_full(error: BaseException) -> bool:
    """Return whether the disk was full."""
    if not isinstance(error, OperationalError):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    return bool(FULL.search(str(error))) or state in FULL_STATES


def _kind_of(error: DatabaseError | InterfaceError) -> type[DatabaseUnavailable]:
    if is_full(error):
        return DiskFull
    is_busy = is_locked(error) or CONTESTED.search(str(error))
    return DatabaseBusy if is_busy else DatabaseUnavailable
