"""Map failures of the database to errors with status 503, which clients may retry.

Other database errors are bugs or invalid data and remain server errors.
"""

import re

from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils.translation import gettext_lazy as _

from chat.errors import ChatError, ErrorReader
from chat.lib import disk, metrics

#: SQLite's messages, as Django passes no codes on; PostgreSQL's codes are in `sqlstate`.
FULL = re.compile(r"disk is full|disk I/O error|No space left on device", re.I)
FULL_STATES = frozenset({"53100"})
READ_ONLY = re.compile(r"readonly database", re.I)
#: PostgreSQL's, which Django raises as an `InternalError`: a standby, or a server set to read only.
READ_ONLY_STATES = frozenset({"25006"})
LOCKED = re.compile(r"database (table )?is locked", re.I)
#: SQLite's word for what is a mistake in a statement, or a migration that is missing.
MISTAKEN = re.compile(r"no such (table|column|function)|has no column", re.I)
CONTESTED = re.compile(r"lock timeout|statement timeout|deadlock detected", re.I)


_FOR_VISITORS = {ErrorReader.VISITOR: _("The chat isn't available right now. Try again later.")}


class DatabaseUnavailable(ChatError):
    """The database cannot be reached, or cannot do its work.

    Programs see one code, whatever the cause, because there is one thing to do: try again later.
    """

    code, status = "database_unavailable", 503
    retryable = True
    cause = "unreachable"  # in metrics
    text = _("This site can't reach its database right now. Try again.")
    others = _FOR_VISITORS
    keeps_draft = True


class DatabaseBusy(DatabaseUnavailable):
    """A lock was not released in time, or a deadlock was detected."""

    cause = "busy"
    text = _("This site's database is busy right now. Try again.")
    others = _FOR_VISITORS
    keeps_draft = True


class DatabaseReadOnly(DatabaseUnavailable):
    """The database can be read but not written."""

    cause = "read_only"
    text = _("This site can't save anything right now. Try again later.")
    others = _FOR_VISITORS
    keeps_draft = True


class DiskFull(DatabaseUnavailable):
    """The database has no room to write."""

    cause = "full"
    text = _(
        "This site is out of storage space. Try again later, or contact the site administrator."
    )
    others = _FOR_VISITORS
    keeps_draft = True


RETRY_SECONDS = {
    DiskFull: 60.0,
    DatabaseReadOnly: 30.0,
    DatabaseBusy: 5.0,
    DatabaseUnavailable: 2.0,
}
_COUNTED = "_is_counted"  # set on exceptions that the metric has


def error_for(error: BaseException | None) -> DatabaseUnavailable | None:
    """Return the error to respond with if the database is unavailable; None for other errors."""
    if not isinstance(error, OperationalError | InterfaceError) and not is_read_only(error):
        return None
    if MISTAKEN.search(str(error)):
        return None
    kind = _kind_of(error)
    if kind is DiskFull:
        disk.note_full()  # the readiness check reports it
    if not hasattr(error, _COUNTED):
        setattr(error, _COUNTED, True)
        metrics.record_database_error(kind.cause)
    detail = f"{type(error).__name__}: {error}".partition("\n")[0]
    return kind(detail=detail, retry_after_seconds=RETRY_SECONDS[kind])


def is_locked(error: BaseException) -> bool:
    """Return whether a wait for SQLite's write lock timed out. PostgreSQL locks rows."""
    return isinstance(error, OperationalError) and bool(LOCKED.search(str(error)))


def is_full(error: BaseException) -> bool:
    """Return whether the disk was full."""
    if not isinstance(error, OperationalError):
        return False
    return bool(FULL.search(str(error))) or _state(error) in FULL_STATES


def is_read_only(error: BaseException | None) -> bool:
    """Return whether the database refused to write, though it can be read."""
    if isinstance(error, OperationalError) and READ_ONLY.search(str(error)):
        return True
    return isinstance(error, DatabaseError) and _state(error) in READ_ONLY_STATES


def _state(error: BaseException) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)


def _kind_of(error: BaseException | None) -> type[DatabaseUnavailable]:
    if is_read_only(error):
        return DatabaseReadOnly
    if error is not None and is_full(error):
        return DiskFull
    is_busy = (error is not None and is_locked(error)) or CONTESTED.search(str(error))
    return DatabaseBusy if is_busy else DatabaseUnavailable
