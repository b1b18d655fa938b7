"""LazyTimeout: one timer for many waits, without early or late timeouts or lost cancellations."""

import asyncio

import pytest

from chat.lib.timers.lazy_timeout import LazyTimeout
from tests.support.timers import Timers


async def test_a_wait_ends_at_its_deadline() -> None:
    timeout, loop = LazyTimeout(), asyncio.get_running_loop()
    with pytest.raises(TimeoutError):
        await timeout.wait(loop.create_future(), loop.time() + 0.01)
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
    with pytest.raises(TimeoutError):
        await timeout.wait(loop.create_future(), loop.time() - 1)
    timeout.close()


async def test_many_waits_share_one_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    timers = Timers(monkeypatch)
    timeout, loop = LazyTimeout(), asyncio.get_running_loop()
    for number in range(100):
        waiting = loop.create_future()
        loop.call_soon(waiting.set_result, number)
        assert await timeout.wait(waiting, loop.time() + 60) == number
    timeout.close()
    assert timers.count == 1


async def test_a_later_deadline_extends_the_wait() -> None:
    timeout, loop = LazyTimeout(), asyncio.get_running_loop()
    first = loop.create_future()
    loop.call_soon(first.set_result, None)
    await timeout.wait(first, loop.time() + 0.05)
    second = loop.create_future()
    loop.call_later(0.2, second.set_result, "late")
    assert await timeout.wait(second, loop.time() + 60) == "late"
    timeout.close()


async def test_an_earlier_deadline_applies() -> None:
    timeout, loop = LazyTimeout(), asyncio.get_running_loop()
    first = loop.create_future()
    loop.call_soon(first.set_result, None)
    await timeout.wait(first, loop.time() + 3600)
    with pytest.raises(TimeoutError):
        await timeout.wait(loop.create_future(), loop.time() + 0.01)
    timeout.close()


async def test_between_waits_nothing_is_cancelled() -> None:
    timeout, loop = LazyTimeout(), asyncio.get_running_loop()
    first = loop.create_future()
    loop.call_soon(first.set_result, None)
    await timeout.wait(first, loop.time() + 0.01)
    await asyncio.sleep(0.05)
    with pytest.raises(TimeoutError):
        await timeout.wait(loop.create_future(), loop.time() + 0.01)
    timeout.close()


async def test_an_outside_cancellation_is_not_turned_into_a_timeout() -> None:
    async def waiter() -> None:
        timeout = LazyTimeout()
        try:
            await timeout.wait(asyncio.get_running_loop().create_future(), now + 60)
        finally:
            timeout.close()

    now = asyncio.get_running_loop().time()
    task = asyncio.create_task(waiter())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_an_outside_cancellation_at_the_deadline_wins() -> None:
    async def waiter() -> None:
        timeout = LazyTimeout()
        loop.call_soon(cancel_both, timeout)
        await timeout.wait(loop.create_future(), loop.time())

    def cancel_both(timeout: LazyTimeout) -> None:
        timeout.close()
        timeout._cancel()
        task.cancel()

    loop = asyncio.get_running_loop()
    task = asyncio.create_task(waiter())
    with pytest.raises(asyncio.CancelledError):
        await task
