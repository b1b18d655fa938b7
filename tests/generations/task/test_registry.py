"""The registry counts running answers and keeps finished ones for a while, the newest longest."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import pytest
from pytest_django import Settings

from chat.errors import ChatError, Overloaded
from chat.generations.task import errors, finished_answers, registry
from chat.generations.task.task import GenerationTask
from chat.upstream.events import AnswerOpened, Event, Finished, Text
from tests.support.wait_for import until


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
    size = tasks[0].log.size_bytes + finished_answers.ANSWER_BYTES
    # Three, of which a slow one is longer by a few digits of its time.
    monkeypatch.setattr(finished_answers, "KEPT_BYTES", 3 * size + size // 2)
    running = start("y", asyncio.Event())
    tasks.append(start("x" * 1000, go_on))
    await ended(tasks[-1])
    kept = [registry.find(task.id) is not None for task in tasks]
    assert kept == [False, False, True, True, True]
    assert registry.find(running.id) is running
    running.stop()
    await ended(running)


async def test_a_stored_answer_is_kept_for_a_shorter_time_than_a_temporary_one(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.LOG_KEEP_SECONDS = 600
    monkeypatch.setattr(finished_answers, "STORED_SECONDS", 0.01)
    go_on = asyncio.Event()
    go_on.set()
    stored = GenerationTask("user:1", 10_000, uuid.uuid4())
    registry.start(stored, said("Hello", go_on), 0)
    temporary = start("Hello", go_on)
    await asyncio.gather(ended(stored), ended(temporary))
    await until(lambda: registry.find(stored.id) is None)
    assert registry.find(temporary.id) is temporary


async def test_a_finished_answer_holds_no_task_and_no_timer() -> None:
    go_on = asyncio.Event()
    go_on.set()
    before = timers()
    tasks = [start("Hello", go_on) for _ in range(50)]
    await asyncio.gather(*map(ended, tasks))
    assert timers() <= before + 1
    assert all(registry.find(each.id) is each and each._task is None for each in tasks)


def timers() -> int:
    loop: Any = asyncio.get_running_loop()
    return sum(not each.cancelled() for each in loop._scheduled)


async def test_each_reader_that_leaves_is_counted_once() -> None:
    task = start("Hello", asyncio.Event())
    readers = [registry.subscribe(task) for _ in range(3)]
    readers[0].close()
    readers[0].close()
    assert task.subscribers == 2
    for reader in readers:
        reader.close()
    assert task.subscribers == 0
    task.stop()
    await ended(task)


@pytest.mark.parametrize("error", errors.TEXTS)
def test_an_answer_that_never_began_promises_no_saved_text(error: type[ChatError]) -> None:
    shown = errors.for_empty_answer(error(detail="reset by peer"))
    assert type(shown) is error
    assert shown.public == str(errors.TEXTS[error])
    assert shown.detail == "reset by peer"


def test_other_errors_are_the_same_for_an_empty_answer() -> None:
    error = Overloaded()
    assert errors.for_empty_answer(error) is error
