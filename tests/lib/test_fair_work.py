"""Long calculations of one person hold up neither the event loop nor other people's."""

import asyncio
import time
from collections.abc import Generator

from chat.lib.fair_work import in_steps
from chat.lib.worker_thread import STEP_SECONDS, finished, off_loop
from tests.support.patience import Stopwatch


def _steps(count: int, seconds: float = STEP_SECONDS) -> Generator[None, None, int]:
    for _number in range(count):
        time.sleep(seconds)
        yield
    return count


async def test_others_have_their_turn_between_steps() -> None:
    ended: list[str] = []

    async def work(name: str, key: str, count: int) -> None:
        assert await in_steps(key, _steps(count)) == count
        ended.append(name)

    long = [asyncio.create_task(work(f"long {each}", "mallory", 10)) for each in range(3)]
    await asyncio.sleep(STEP_SECONDS)
    await work("short", "bob", 2)
    await off_loop(ended.append, "a call")
    assert ended == ["short", "a call"]
    await asyncio.gather(*long)
    assert ended[2:] == ["long 0", "long 1", "long 2"]


async def test_quick_steps_are_taken_together() -> None:
    calls = 0

    def quick() -> Generator[None, None, None]:
        nonlocal calls
        for _number in range(1000):
            calls += 1
            yield

    took = Stopwatch()
    await in_steps("bob", quick())
    assert calls == 1000
    assert took.seconds < 1


async def test_errors_come_back_and_leave_the_queue_free() -> None:
    def failing() -> Generator[None, None, None]:
        yield
        raise LookupError

    for _time in range(2):
        try:
            await in_steps("bob", failing())
        except LookupError:
            continue
        raise AssertionError
    assert finished(_steps(3, 0)) == 3
