"""Lend threads to the synchronous parts of requests, instead of creating one per request.

asgiref creates a thread for each request that calls synchronous code, and with it a database
connection; a stream would hold both until it ends. These threads persist, with their connections. A
request borrows one when it first needs it and returns it at its end, or before it begins to stream.
"""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from asgiref.sync import SyncToAsync
from django.core.cache import caches
from django.db import connections

MAX_THREADS = 16

_Call = tuple["Future[Any]", Callable[[], Any]]


class RequestThreads:
    """At most `most` threads, started as needed. If none is free, borrowers wait in line."""

    def __init__(self, most: int) -> None:
        self._most, self._started = most, 0
        self._free: list[ThreadPoolExecutor] = []
        self._waiting: deque[RequestThread] = deque()
        self._lock = threading.Lock()

    def borrow(self, borrower: "RequestThread") -> ThreadPoolExecutor | None:
        """Return a thread; or None, and call the borrower's `lend` with one later."""
        with self._lock:
            if self._free:
                return self._free.pop()
            if self._started < self._most:
                self._started += 1
                return ThreadPoolExecutor(1, thread_name_prefix="runnel-request")
            self._waiting.append(borrower)
            return None

    def give_back(self, thread: ThreadPoolExecutor) -> None:
        """Take `thread` back once it has finished its work."""
        thread.submit(_tidy_connections).add_done_callback(lambda _: self._pass_on(thread))

    def _pass_on(self, thread: ThreadPoolExecutor) -> None:
        with self._lock:
            borrower = self._waiting.popleft() if self._waiting else None
            if borrower is None:
                self._free.append(thread)
        if borrower:
            borrower.lend(thread)

    def close(self) -> None:
        """End the idle threads and their connections."""
        with self._lock:
            closing, self._free = self._free, []
            self._started -= len(closing)
        for thread in closing:
            with suppress(RuntimeError):  # the interpreter ends, and has ended the thread
                thread.submit(connections.close_all)
            thread.shutdown(wait=True)


class RequestThread(Executor):
    """One request's thread for asgiref's `ThreadSensitiveContext`, borrowed on first use."""

    def __init__(self, threads: RequestThreads) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._thread: ThreadPoolExecutor | None = None
        self._is_waiting = self._is_over = False
        self._calls: deque[_Call] = deque()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        with self._lock:
            if self._thread is None and not self._is_waiting:
                self._thread = self._threads.borrow(self)
                self._is_waiting = self._thread is None
            if self._thread:
                return self._thread.submit(fn, *args, **kwargs)
            future: Future[Any] = Future()
            self._calls.append((future, lambda: fn(*args, **kwargs)))
            return future

    def lend(self, thread: ThreadPoolExecutor) -> None:
        """Run the waiting calls on `thread`, which has become free."""
        with self._lock:
            self._thread, self._is_waiting = thread, False
            calls = list(self._calls)
            self._calls.clear()
            for future, call in calls:
                thread.submit(_run, future, call)
            is_over = self._is_over
        if is_over or not calls:
            self.release()

    def release(self) -> None:
        """Return the thread; the next call borrows one again."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread:
            self._threads.give_back(thread)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Return the thread for good, once it has finished its work."""
        with self._lock:
            self._is_over = True
        self.release()


def _run(future: "Future[Any]", call: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = call()
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)


def _tidy_connections() -> None:
    """Keep SQLite's connection, return PostgreSQL's to the pool, and close broken ones."""
    caches.close_all()
    for connection in connections.all(initialized_only=True):
        is_sound = not (connection.errors_occurred or connection.in_atomic_block)
        if connection.vendor != "sqlite" or not is_sound:
            connection.close()


request_threads = RequestThreads(MAX_THREADS)


def release_request_thread() -> None:
    """Return the thread of the current request, because a long stream needs none.

    Synchronous code that the request runs later gets another thread.
    """
    request = SyncToAsync.thread_sensitive_context.get(None)
    executor = SyncToAsync.context_to_thread_executor.get(request) if request else None
    if isinstance(executor, RequestThread):
        executor.release()
    elif executor and request:  # under Django's own handler it is asgiref's
        del SyncToAsync.context_to_thread_executor[request]
        executor.submit(connections.close_all)
        executor.shutdown(wait=False)
