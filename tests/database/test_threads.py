"""Database threads run what they are given, in order, and end when they are told to."""

import asyncio
import threading

import pytest

from chat.database.threads import DatabaseThreads


async def test_they_return_results_and_raise_errors() -> None:
    pool = DatabaseThreads("test", 2)

    def broken() -> None:
        raise LookupError("nothing there")

    assert await pool.run(max, 1, 2) == 2
    assert (await pool.run(threading.current_thread)).name.startswith("test_")
    with pytest.raises(LookupError, match="nothing there"):
        await pool.run(broken)
    await asyncio.to_thread(pool.close)


async def test_what_was_cancelled_before_its_turn_is_not_begun() -> None:
    pool, go_on, begun = DatabaseThreads("test", 1), threading.Event(), []
    first = asyncio.create_task(pool.run(go_on.wait, 20))
    second = asyncio.create_task(pool.run(begun.append, "second"))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    go_on.set()
    assert await first
    await pool.run(begun.append, "third")
    assert begun == ["third"]
    await asyncio.to_thread(pool.close)


async def test_what_was_begun_is_finished_though_its_caller_is_gone() -> None:
    pool, began, go_on = DatabaseThreads("test", 1), threading.Event(), threading.Event()
    done: list[bool] = []

    def work() -> None:
        began.set()
        done.append(go_on.wait(20))

    task = asyncio.create_task(pool.run(work))
    await asyncio.to_thread(began.wait, 20)
    task.cancel()
    go_on.set()
    assert await pool.run(len, done) == 1
    await asyncio.to_thread(pool.close)


async def test_they_end_and_begin_again() -> None:
    pool = DatabaseThreads("test-ends", 3)

    def alive() -> int:
        return sum(each.name.startswith("test-ends") for each in threading.enumerate())

    assert alive() == 0
    await pool.run(int)
    assert alive() == 3
    await asyncio.to_thread(pool.close)
    assert alive() == 0
    assert await pool.run(int) == 0
    await asyncio.to_thread(pool.close)
