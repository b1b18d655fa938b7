"""Let one process at a time prepare the site; the others wait for it.

On one machine a lock on a file in DATA_DIR decides; between machines, an advisory lock of
PostgreSQL. The system releases both if the process ends.
"""

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

FILE_NAME = "start.lock"
#: Any number, the same in all versions: "runnel" in ASCII.
ADVISORY_KEY = int.from_bytes(b"runnel")
TRY_AGAIN_SECONDS = 0.5


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
    with (settings.DATA_DIR / FILE_NAME).open("a") as file:

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

    def take() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [ADVISORY_KEY])
            return bool(cursor.fetchone()[0])

    _wait_for(take, tell)
    try:
        yield
    finally:
        # The connection goes back to a pool, and would keep the lock.
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [ADVISORY_KEY])
        connection.close()


def _wait_for(take: Callable[[], bool], tell: Callable[[str], object]) -> None:
    if take():
        return
    tell("Waiting for another process that is preparing the site.")
    while not take():
        time.sleep(TRY_AGAIN_SECONDS)
