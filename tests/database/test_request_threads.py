"""Requests borrow threads, and streams hold none."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.db import DatabaseError, connection

from chat.database.request_threads import RequestThread, RequestThreads, release_request_thread
from tests.support.patience import PATIENCE_SECONDS


@pytest.fixture
def threads() -> Iterator[RequestThreads]:
    made = RequestThreads(2)
    yield made
    made.close()


async def name_of_thread() -> str:
    return str(await sync_to_async(lambda: threading.current_thread().name)())


async def test_a_request_uses_one_thread_and_the_next_request_reuses_it(
    threads: RequestThreads,
) -> None:
    names = []
    for _ in range(3):
        thread = RequestThread(threads)
        async with ThreadSensitiveContext(executor=thread):
            names += [await name_of_thread(), await name_of_thread()]
        thread.shutdown()
        await asyncio.to_thread(_until_free, threads)
    assert len(set(names)) == 1


def _until_free(threads: RequestThreads) -> None:
    while not threads._free:
        threading.Event().wait(0.001)


async def test_a_request_waits_if_no_thread_is_free(threads: RequestThreads) -> None:
    borrowed = [RequestThread(threads) for _ in range(2)]
    for each in borrowed:
        each.submit(lambda: None).result(timeout=PATIENCE_SECONDS)
    late = RequestThread(threads)
    future = late.submit(threading.current_thread)
    assert not future.done()
    borrowed[0].shutdown()
    assert await asyncio.wrap_future(future)
    late.shutdown()
    borrowed[1].shutdown()


async def test_a_cancelled_wait_leaves_the_thread_to_others(threads: RequestThreads) -> None:
    borrowed = [RequestThread(threads) for _ in range(2)]
    for each in borrowed:
        each.submit(lambda: None).result(timeout=PATIENCE_SECONDS)
    gone, next_one = RequestThread(threads), RequestThread(threads)
    gone.submit(lambda: None).cancel()
    gone.shutdown()
    wanted = next_one.submit(lambda: "done")
    borrowed[0].shutdown()
    assert await asyncio.wrap_future(wanted) == "done"
    next_one.shutdown()
    borrowed[1].shutdown()


async def test_a_released_thread_is_free_while_the_request_continues(
    threads: RequestThreads,
) -> None:
    first = RequestThread(threads)
    async with ThreadSensitiveContext(executor=first):
        await name_of_thread()
        release_request_thread()
        await asyncio.to_thread(_until_free, threads)
        assert await name_of_thread()  # it borrows again
    first.shutdown()


async def test_an_error_reaches_the_caller(threads: RequestThreads) -> None:
    def broken() -> None:
        raise ValueError("broken")

    waiting = [RequestThread(threads) for _ in range(3)]
    for each in waiting[:2]:
        each.submit(lambda: None).result(timeout=PATIENCE_SECONDS)
    late = waiting[2].submit(broken)
    waiting[0].shutdown()
    with pytest.raises(ValueError, match="broken"):
        await asyncio.wrap_future(late)
    for each in waiting[1:]:
        each.shutdown()


async def test_threads_that_the_interpreter_has_ended_are_closed_quietly(
    threads: RequestThreads,
) -> None:
    thread = RequestThread(threads)
    async with ThreadSensitiveContext(executor=thread):
        await name_of_thread()
    thread.shutdown()
    await asyncio.to_thread(_until_free, threads)
    for executor in threads._free:
        executor.shutdown()  # as concurrent.futures does before atexit calls `close`
    threads.close()


def in_one_thread(threads: RequestThreads, *works: Callable[[], Any]) -> list[Any]:
    """Do each work in a request of its own; all borrow the same thread."""
    results = []
    for work in works:
        request = RequestThread(threads)
        try:
            results.append(request.submit(work).result(timeout=PATIENCE_SECONDS))
        finally:
            request.shutdown()
            _until_free(threads)
    return results


def own_connection() -> Any:
    connection.ensure_connection()
    return connection.connection


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's go back to the pool")
class TestConnectionOfSqlite:
    """One thread keeps its connection from request to request, unless it is broken."""

    pytestmark = pytest.mark.django_db(transaction=True)

    def test_a_sound_one_is_kept(self, threads: RequestThreads) -> None:
        first, second = in_one_thread(threads, own_connection, own_connection)
        assert first is second

    def test_one_with_an_error_is_replaced(self, threads: RequestThreads) -> None:
        def break_it() -> Any:
            with pytest.raises(DatabaseError), connection.cursor() as cursor:
                cursor.execute("SELECT * FROM no_such_table")
            assert connection.errors_occurred
            return connection.connection

        broken, fresh = in_one_thread(threads, break_it, own_connection)
        assert fresh is not broken
