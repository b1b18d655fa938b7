"""Run database work in dedicated threads, outside any request.

A request's thread ends with it, and a thread per query would open a connection each. These threads
keep theirs: one writes (so SQLite never waits for itself), a few read, one searches and one
prepares downloads. The last two may take seconds, and nothing else should wait for them.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import OperationalError, close_old_connections, connections

from chat.database.database_errors import is_full, is_locked
from chat.database.request_threads import request_threads
from chat.lib import disk

P = ParamSpec("P")
T = TypeVar("T")


class DatabaseThreads:
    """`count` threads with a persistent connection each. A broken connection is replaced."""

    def __init__(self, name: str, count: int) -> None:
        self._name, self._count = name, count
        self._locked_at = 0.0
        self._executor = self._make()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` in a thread and return its result.

        Cancelling the caller does not interrupt it.
        """

        queued_at = time.monotonic()

        def clean() -> T:
            if self._locked_at > queued_at:
                # The lock timed out while this was queued, so waiting again would be futile.
                raise OperationalError("database is locked")
            try:
                return work(*args, **kwargs)
            except Exception as error:
                # Only for a single thread: another reader may not meet the same lock.
                if self._count == 1 and is_locked(error):
                    self._locked_at = time.monotonic()
                if is_full(error):
                    disk.note_full()  # the readiness check reports it
                close_old_connections()
                raise

        return await asyncio.get_running_loop().run_in_executor(self._executor, clean)

    def close(self) -> None:
        """End the threads and their connections. The object can be used again."""
        # Makes sure that each thread takes one of the jobs.
        meeting = threading.Barrier(self._count)

        def leave() -> None:
            meeting.wait(timeout=30)
            connections.close_all()

        closing, self._executor = self._executor, self._make()
        for _ in range(self._count):
            closing.submit(leave)
        closing.shutdown(wait=True)

    def _make(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._count, thread_name_prefix=self._name)


writer = DatabaseThreads("runnel-writer", 1)
readers = DatabaseThreads("runnel-reader", 2)
searchers = DatabaseThreads("runnel-search", 1)
downloaders = DatabaseThreads("runnel-download", 1)
ALL = (writer, readers, searchers, downloaders)


def close_all() -> None:
    """End all database threads and their connections, and the idle threads of requests."""
    for each in ALL:
        each.close()
    request_threads.close()
