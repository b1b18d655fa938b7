"""Frames that go past the task arrive in order, and whatever cannot go that way wakes the task."""

import asyncio
from typing import Any

import pytest

from chat.generations.delivery.direct_send import MAX_DIRECT_BYTES, DirectSend
from chat.generations.delivery.encoders.workers_ai import WorkersAIEncoder
from chat.generations.delivery.readers import MemoryReader
from chat.generations.log.frames import frames_of
from chat.generations.process.subscribers import Subscriber
from chat.generations.task.task import GenerationTask
from chat.upstream.events import Text

VIEWER: Any = None  # nothing asks who it is


class Client:
    """A connection that takes what is written, unless it is `blocked` or `broken`."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        self.free = asyncio.Event()
        self.free.set()
        self.is_broken = False

    async def write(self, body: bytes) -> None:
        await self.free.wait()
        if self.is_broken:
            raise ConnectionError
        self.got.append(body)


class Site:
    """An answer, its reader, and what the reader's task got."""

    def __init__(self) -> None:
        self.client, self.direct = Client(), DirectSend(WorkersAIEncoder())
        self.direct.write = self.client.write
        self.generation = GenerationTask("user:1", 1_000)
        self.viewer = Subscriber(VIEWER, None)
        self.reader = MemoryReader(self.generation, 0, 60, self.viewer, self.direct)
        self.by_task: list[bytes] = []
        self.task: asyncio.Task[None] | None = None

    async def read(self) -> None:
        while (frames := await self.reader.next()) is not None:
            self.by_task.append(frames)
            if frames:
                await self.client.write(frames)

    def add(self, text: str, is_alone: bool = True) -> bytes:
        frames = frames_of(Text(text), len(self.generation.log) + 1)
        self.generation.log.append(frames, is_alone)
        return b"".join(frames)


@pytest.fixture
async def site() -> Any:
    site = Site()
    site.task = asyncio.create_task(site.read())
    await asyncio.sleep(0)
    assert site.by_task == [b""]  # the first heartbeat carries the headers
    yield site
    site.task.cancel()
    await asyncio.gather(site.task, return_exceptions=True)
    site.reader.close()


async def test_a_waiting_reader_gets_them_without_its_task(site: Site) -> None:
    written = [site.add("one"), site.add("two")]
    assert site.client.got == written  # at once
    await asyncio.sleep(0)
    assert site.by_task == [b""]


async def test_frames_that_come_together_are_sent_together(site: Site) -> None:
    written = [site.add("one", is_alone=False), site.add("two", is_alone=False)]
    assert site.client.got == []
    await asyncio.sleep(0)
    assert site.client.got == [b"".join(written)]


async def test_a_blocked_write_is_finished_by_the_task_and_the_rest_follows(site: Site) -> None:
    site.client.free.clear()
    written = [site.add("one"), site.add("two"), site.add("three")]
    await asyncio.sleep(0.01)
    assert site.client.got == []
    site.client.free.set()
    await asyncio.sleep(0.01)
    assert b"".join(site.client.got) == b"".join(written)
    assert site.add("four") == site.client.got[-1]
    assert site.by_task == [b"", b"".join(written[1:])]


async def test_a_write_that_fails_ends_the_task(site: Site) -> None:
    site.client.is_broken = True
    site.add("one")
    assert site.task
    with pytest.raises(ConnectionError):
        await site.task


async def test_a_long_frame_is_left_to_the_task(site: Site) -> None:
    written = site.add("x" * MAX_DIRECT_BYTES)
    assert site.client.got == []
    await asyncio.sleep(0)
    assert b"".join(site.by_task) == written


async def test_a_task_that_ends_in_the_middle_of_a_write_leaves_nothing(site: Site) -> None:
    site.client.free.clear()
    site.add("one")
    site.reader.close = lambda: None  # type: ignore[method-assign]
    MemoryReader.close(site.reader)
    assert not site.direct.needs_task
    site.viewer.disconnect()
    assert site.task
    await site.task


async def test_who_loses_the_right_to_read_gets_no_more(site: Site) -> None:
    site.viewer.disconnect()
    site.add("secret")
    assert site.task
    await site.task
    assert site.client.got == []
