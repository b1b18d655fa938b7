"""Let one process at a time prepare the site; the others wait for it.

On one machine a lock on a file in DATA_DIR decides; between machines, an advisory lock of
PostgreSQL. The system releases both if the process ends. The lock is that of a transaction, because
behind PgBouncer that of a session would stay with a connection that other clients use.
"""

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from project import private_files

FILE_NAME = "start.lock"
#: Any number, the same in all versions: "runnel" in ASCII.
ADVISORY_KEY = int.from_bytes(b"runnel")
TRY_AGAIN_SECONDS = 0.5
#: After this time of waiting, say who holds the lock.
LONG_SECONDS = 30.0
HOLDER = """
    SELECT pid, coalesce(host(client_addr), 'this machine'), state
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND classid = %s AND objid = %s
    LIMIT 1
"""
HELD = (
    "Still waiting. PostgreSQL's process {0}, connected from {1}, holds the lock ({2}). If nothing"
    " prepares the site, end it: SELECT pg_terminate_backend({0});"
)


@contextmanager
def start_lock(tell: Callable[[str], object]) -> Iterator[None]:
    """Hold the lock during the block. `tell` gets a line if it has to wait."""
    with _file_lock(tell):
        if connections[DEFAULT_DB_ALIAS].vendor == "postgresql":
            with _advisory_lock(tell):
                yield
        else:
            yield


@contextmanager
def _file_lock(tell: Callable[[str], object]) -> Iterator[None]:
    with open(settings.DATA_DIR / FILE_NAME, "a", opener=private_files.opener) as file:

        def take() -> bool:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        _wait_for(take, tell)
        yield


@contextmanager
def _advisory_lock(tell: Callable[[str], object]) -> Iterator[None]:
    """Use a connection of its own: commands close theirs, which would release the lock."""
    connection = connections.create_connection(DEFAULT_DB_ALIAS)
    connection.set_autocommit(False)

    def take() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [ADVISORY_KEY])
            if cursor.fetchone()[0]:
                return True
        connection.rollback()
        return False

    def holder() -> str:
        with connection.cursor() as cursor:
            cursor.execute(HOLDER, [ADVISORY_KEY >> 32, ADVISORY_KEY & 0xFFFFFFFF])
            row = cursor.fetchone()
        connection.rollback()
        return HELD.format(*row) if row else ""

    try:
        _wait_for(take, tell, holder)
        yield
    finally:
        with suppress(DatabaseError):
            connection.rollback()
        connection.close()


def _wait_for(
    take: Callable[[], bool], tell: Callable[[str], object], holder: Callable[[], str] = str
) -> None:
    """Wait until `take` succeeds. After a while, tell once what `holder` knows."""
    if take():
        return
    tell("Waiting for another process that is preparing the site.")
    began, is_told = time.monotonic(), False
    while not take():
        if time.monotonic() - began > LONG_SECONDS and not is_told:
            is_told = True
            if words := holder():
                tell(words)
        time.sleep(TRY_AGAIN_SECONDS)
