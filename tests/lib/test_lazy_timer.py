"""One timer serves many deadlines: the function is called at the last one, and never earlier."""

import asyncio

import pytest

from chat.lib.timers.lazy_timer import LazyTimer
from tests.support.timers import Timers


async def test_it_calls_at_each_deadline() -> None:
    called = asyncio.Event()
    timer, now = LazyTimer(called.set), asyncio.get_running_loop().time
    for seconds in (0.01, -1.0, 0.02):
        called.clear()
        timer.set(now() + seconds)
        await called.wait()
    timer.close()


async def test_a_later_deadline_replaces_an_earlier_one() -> None:
    called: list[None] = []
    timer, now = LazyTimer(lambda: called.append(None)), asyncio.get_running_loop().time
    timer.set(now() + 0.01)
    timer.set(now() + 3600)
    await asyncio.sleep(0.05)
    timer.close()
    assert called == []


async def test_an_earlier_deadline_replaces_a_later_one() -> None:
    called = asyncio.Event()
    timer, now = LazyTimer(called.set), asyncio.get_running_loop().time
    timer.set(now() + 3600)
    timer.set(now() + 0.01)
    await called.wait()
    timer.close()


@pytest.mark.parametrize("how", ["clear", "close"])
async def test_without_a_deadline_it_does_not_call(how: str) -> None:
    called: list[None] = []
    timer = LazyTimer(lambda: called.append(None))
    timer.set(asyncio.get_running_loop().time() + 0.01)
    getattr(timer, how)()
    await asyncio.sleep(0.05)
    timer.close()
    assert called == []


async def test_many_deadlines_share_one_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    timers = Timers(monkeypatch)
    timer, now = LazyTimer(lambda: None), asyncio.get_running_loop().time
    for _ in range(100):
        timer.set(now() + 60)
        await asyncio.sleep(0)
        timer.clear()
    timer.close()
    assert timers.count == 1
