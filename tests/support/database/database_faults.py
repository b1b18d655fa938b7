"""Let the database refuse writes: a full disk, a lock held by others, a database that is read-only.

Open connections are closed before and after, because each fault is set on new ones.
"""

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, closing, contextmanager
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection, connections
from django.db.backends.signals import connection_created

from chat.database import threads
from tests.support.variants import later

ON_SQLITE = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
REFUSE = """
CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER no_room BEFORE INSERT ON chat_message EXECUTE FUNCTION no_room();
"""


def close_connections() -> None:
    threads.close_all()
    connections.close_all()
    if not ON_SQLITE:
        connection.close_pool()  # type: ignore[attr-defined]


@contextmanager
def full_disk() -> Iterator[None]:
    """Let the database run out of disk space; PostgreSQL is made to raise the error."""
    if ON_SQLITE:
        close_connections()
        with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
            other.execute("VACUUM")  # of pages that other tests have left free
        # No fewer pages than there are, and no more.
        with _on_connecting("PRAGMA max_page_count = 1"):
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute(REFUSE)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION no_room CASCADE")


@contextmanager
def read_only() -> Iterator[None]:
    """Let every write fail at once, as on a standby or a file system mounted read-only."""
    statement = "SET default_transaction_read_only = on"
    with _on_connecting("PRAGMA query_only = on" if ON_SQLITE else statement):
        yield


@contextmanager
def locked(seconds: float = 0.05) -> Iterator[None]:
    """Hold SQLite's write lock with another connection; give up waiting after `seconds`."""
    options = connections.settings["default"]["OPTIONS"]
    before = options["timeout"]
    options["timeout"] = connection.settings_dict["OPTIONS"]["timeout"] = seconds
    close_connections()
    path = connection.settings_dict["NAME"]
    with closing(sqlite3.connect(path, check_same_thread=False, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
            options["timeout"] = connection.settings_dict["OPTIONS"]["timeout"] = before
            close_connections()


@contextmanager
def _on_connecting(statement: str) -> Iterator[None]:
    """Run `statement` on each new connection."""

    def set_up(connection: Any, **_: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    close_connections()
    connection_created.connect(set_up)
    try:
        yield
    finally:
        connection_created.disconnect(set_up)
        close_connections()


@asynccontextmanager
async def during(fault: AbstractContextManager[None]) -> AsyncIterator[None]:
    """Enter a fault of this module in asynchronous tests."""
    await sync_to_async(fault.__enter__)()
    try:
        yield
    finally:
        await sync_to_async(fault.__exit__)(None, None, None)


#: Ways in which no write is possible at all.
NO_WRITES: dict[str, Callable[[], AbstractContextManager[None]]] = {"read-only": read_only}
if ON_SQLITE:
    NO_WRITES["locked"] = locked
#: Names of these for `parametrize`: `make test` tries the last, `make test-long` all.
*_others, _last = NO_WRITES
HOW = [*later(*_others), _last]
