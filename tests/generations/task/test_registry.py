"""The registry counts running answers and keeps finished ones for a while, the newest longest."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

import pytest

from chat.generations.task import registry
from chat.generations.task.task import GenerationTask
from chat.upstream.events import AnswerOpened, Event, Finished, Text


@pytest.fixture(autouse=True)
async def _empty() -> AsyncIterator[None]:
    registry.clear()
    yield
    registry.clear()


async def said(text: str, go_on: asyncio.Event) -> AsyncGenerator[Event]:
    yield AnswerOpened(model="m")
    await go_on.wait()
    yield Text(text)
    yield Finished(complete=True)


def start(text: str, go_on: asyncio.Event) -> GenerationTask:
    return registry.start(GenerationTask("user:1", 10_000), said(text, go_on), 0)


async def ended(task: GenerationTask) -> None:
    await task.done()
    await asyncio.sleep(0)  # what is called when the task has ended


async def test_the_running_ones_are_counted() -> None:
    go_on = asyncio.Event()
    tasks = [start("Hello", go_on) for _ in range(3)]
    assert registry.running_count() == 3
    assert registry.running() == tasks
    go_on.set()
    await asyncio.gather(*map(ended, tasks))
    assert registry.running_count() == 0
    assert registry.running() == []
    assert [registry.find(task.id) for task in tasks] == tasks


async def test_the_oldest_finished_ones_are_dropped_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go_on = asyncio.Event()
    go_on.set()
    tasks = []
    for _ in range(4):
        tasks.append(start("x" * 1000, go_on))
        await ended(tasks[-1])
    monkeypatch.setattr(registry, "KEPT_BYTES", 3 * tasks[0].log.size_bytes)
    running = start("y", asyncio.Event())
    tasks.append(start("x" * 1000, go_on))
    await ended(tasks[-1])
    kept = [registry.find(task.id) is not None for task in tasks]
    assert kept == [False, False, True, True, True]
    assert registry.find(running.id) is running
    running.stop()
    await ended(running)
