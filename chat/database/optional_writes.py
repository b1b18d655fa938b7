"""Skip non-essential writes when the database can't accept them."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, InterfaceError, connection

from chat.database.errors import error_for

#: How long such a write waits for SQLite's lock. Usually it is held for milliseconds.
WAIT_SECONDS = 0.5

log = logging.getLogger(__name__)


@contextmanager
def optional_write() -> Iterator[None]:
    """Let the block's write fail if the database takes none. Use it outside a transaction."""
    with go_on_without(), short_wait():
        yield


@contextmanager
def go_on_without() -> Iterator[None]:
    """Leave the block, and go on after it, if the database is unavailable."""
    try:
        yield
    except (DatabaseError, InterfaceError) as error:
        if (told := error_for(error)) is None:
            raise
        log.warning("going on without a write: %s %s", told.code, told.detail)


@contextmanager
def short_wait() -> Iterator[None]:
    """Give up waiting for SQLite's lock after `WAIT_SECONDS`.

    PostgreSQL locks rows, and briefly.
    """
    if connection.vendor != "sqlite":
        yield
        return
    usual = connection.settings_dict["OPTIONS"]["timeout"]
    _set_timeout(min(usual, WAIT_SECONDS))
    try:
        yield
    finally:
        _set_timeout(usual)


def _set_timeout(seconds: float) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
