"""One timer for many waits: each ends at its deadline, and none earlier."""

import asyncio

import pytest

from chat.lib.alarm import Alarm
from tests.support.timers import Timers


async def test_a_wait_ends_at_its_deadline() -> None:
    alarm, loop = Alarm(), asyncio.get_running_loop()
    for seconds in (0.01, -1.0, 0.02):
        waiting = loop.create_future()
        alarm.watch(waiting, loop.time() + seconds)
        await waiting
    alarm.close()


async def test_a_deadline_that_moved_away_is_waited_for() -> None:
    alarm, loop = Alarm(), asyncio.get_running_loop()
    first, second = loop.create_future(), loop.create_future()
    alarm.watch(first, loop.time() + 0.01)
    first.set_result(None)
    alarm.watch(second, loop.time() + 3600)
    await asyncio.sleep(0.05)
    assert not second.done()
    alarm.close()


async def test_a_deadline_that_came_nearer_counts() -> None:
    alarm, loop = Alarm(), asyncio.get_running_loop()
    first, second = loop.create_future(), loop.create_future()
    alarm.watch(first, loop.time() + 3600)
    alarm.watch(second, loop.time() + 0.01)
    await second
    assert not first.done()
    alarm.close()


async def test_many_waits_share_one_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    timers = Timers(monkeypatch)
    alarm, loop = Alarm(), asyncio.get_running_loop()
    for _ in range(100):
        waiting = loop.create_future()
        alarm.watch(waiting, loop.time() + 60)
        loop.call_soon(waiting.set_result, None)
        await waiting
    alarm.close()
    assert timers.count == 1


async def test_who_has_stopped_waiting_is_not_woken() -> None:
    alarm, loop = Alarm(), asyncio.get_running_loop()
    waiting = loop.create_future()
    alarm.watch(waiting, loop.time() + 0.01)
    waiting.cancel()
    await asyncio.sleep(0.03)
    alarm.close()
    assert waiting.cancelled()
