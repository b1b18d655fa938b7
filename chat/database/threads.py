"""Run database work in dedicated threads, outside any request.

A request's thread ends with it, and a thread per query would open a connection each. These threads
keep theirs: one writes (so SQLite never waits for itself), a few read, one searches and one
prepares downloads. The last two may take seconds, and nothing else should wait for them. Some wait
for the mail server, without connections to the database.
"""

import asyncio
import atexit
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from django.db import OperationalError, close_old_connections, connections

from chat.database.errors import error_for, is_locked
from chat.database.request_threads import request_threads

#: How long to wait for threads to end, which may be in the middle of their work.
CLOSE_SECONDS = 2.0

P = ParamSpec("P")
T = TypeVar("T")

#: Who waits for the result, the work, and when it was queued (monotonic time).
_Job = tuple["asyncio.Future[Any]", Callable[[], Any], float]


class DatabaseThreads:
    """`count` threads with a persistent connection each. A broken connection is replaced.

    An executor of the standard library takes several times as long to hand over a job, which every
    request does several times.
    """

    def __init__(self, name: str, count: int) -> None:
        self._name, self._count = name, count
        self._locked_at = 0.0
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._starting = threading.Lock()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` in a thread and return its result.

        Cancelling the caller does not interrupt it, once it has begun.
        """
        if not self._threads:
            self._start()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put((future, partial(work, *args, **kwargs), time.monotonic()))
        return await future

    def close(self) -> None:
        """End the threads and their connections. The object can be used again.

        A thread that hangs ends with the process, or when its database answers.
        """
        with self._starting:
            closing, self._threads = self._threads, []
            jobs, self._jobs = self._jobs, SimpleQueue()
        for _ in closing:
            jobs.put(None)
        until = time.monotonic() + CLOSE_SECONDS
        for thread in closing:
            thread.join(max(0.0, until - time.monotonic()))

    def _start(self) -> None:
        with self._starting:
            if self._threads:
                return
            for number in range(self._count):
                name = f"{self._name}_{number}"
                # Daemons, as idle ones must not delay the end of a command: `close` ends them.
                self._threads.append(
                    threading.Thread(target=self._serve, args=[self._jobs], name=name, daemon=True)
                )
            for thread in self._threads:
                thread.start()

    def _serve(self, jobs: "SimpleQueue[_Job | None]") -> None:
        while job := jobs.get():
            future, work, queued_at = job
            if not future.cancelled():
                error, result = None, None
                try:
                    result = self._done(work, queued_at)
                except BaseException as raised:
                    error = raised
                with suppress(RuntimeError):  # the loop has ended, and with it the caller
                    future.get_loop().call_soon_threadsafe(_tell, future, result, error)
                del error, result
            del job, future, work  # they hold rows and tracebacks
        connections.close_all()

    def _done(self, work: Callable[[], T], queued_at: float) -> T:
        if self._locked_at > queued_at:
            # The lock timed out while this was queued, so waiting again would be futile.
            raise OperationalError("database is locked")
        try:
            return work()
        except Exception as error:
            # Only for a single thread: another reader may not meet the same lock.
            if self._count == 1 and is_locked(error):
                self._locked_at = time.monotonic()
            error_for(error)  # counts it, and notes a full disk
            close_old_connections()
            raise


def _tell(future: "asyncio.Future[Any]", result: Any, error: BaseException | None) -> None:
    if future.cancelled():
        return
    if error:
        future.set_exception(error)
    else:
        future.set_result(result)


writer = DatabaseThreads("runnel-writer", 1)
readers = DatabaseThreads("runnel-reader", 2)
searchers = DatabaseThreads("runnel-search", 1)
downloaders = DatabaseThreads("runnel-download", 1)
mailers = DatabaseThreads("runnel-mail", 12)
ALL = (writer, readers, searchers, downloaders, mailers)


def close_all() -> None:
    """End all database threads and their connections, and the idle threads of requests."""
    for each in ALL:
        each.close()
    request_threads.close()


atexit.register(close_all)
