"""A reader of an answer in memory gets each frame once, in order, as soon as it is written."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest

from chat.generations.delivery.readers import MemoryReader
from chat.generations.log.frames import frames_of
from chat.generations.process.subscribers import Subscriber
from chat.generations.task.task import GenerationTask
from chat.upstream.events import Text

NOBODY: Any = None  # nothing asks who it is


class Reading:
    """An answer, and a client that reads it; `may_write` is cleared while it is slow."""

    def __init__(self) -> None:
        self.answer, self.viewer = GenerationTask("user:1", 1_000), Subscriber(NOBODY, None)
        self.reader = MemoryReader(self.answer, 0, 60, self.viewer)
        self.sends: list[bytes] = []
        self.may_write = asyncio.Event()
        self.may_write.set()
        self.task = asyncio.create_task(self._read())

    def write(self, *texts: str) -> list[bytes]:
        """Append a frame for each text, and return them."""
        frames = [
            frame
            for number, text in enumerate(texts, len(self.answer.log) + 1)
            for frame in frames_of(Text(text), number)
        ]
        for frame in frames:
            self.answer.log.append([frame])
        return frames

    async def _read(self) -> None:
        while (frames := await self.reader.next()) is not None:
            await self.may_write.wait()
            self.sends.append(frames)


@pytest.fixture
async def reading() -> AsyncIterator[Reading]:
    reading = Reading()
    await asyncio.sleep(0)
    assert reading.sends == [b""]  # the first heartbeat carries the headers
    reading.sends.clear()
    yield reading
    reading.task.cancel()
    with suppress(asyncio.CancelledError):
        await reading.task
    reading.reader.close()
    assert reading.answer.log._listeners == []


async def test_a_frame_is_sent_in_the_next_turn_of_the_event_loop(reading: Reading) -> None:
    written = []
    for text in ("one", "two"):
        written += reading.write(text)
        await asyncio.sleep(0)
        assert reading.sends == written


async def test_frames_that_come_together_are_sent_together(reading: Reading) -> None:
    written = reading.write("one", "two")
    await asyncio.sleep(0)
    assert reading.sends == [b"".join(written)]


async def test_a_slow_client_gets_what_it_missed_in_one_send(reading: Reading) -> None:
    reading.may_write.clear()
    written = []
    for text in ("one", "two", "three"):
        written += reading.write(text)
        await asyncio.sleep(0)
    assert reading.sends == []
    reading.may_write.set()
    await asyncio.sleep(0)
    assert reading.sends == [written[0], b"".join(written[1:])]


async def test_who_loses_the_right_to_read_gets_no_more(reading: Reading) -> None:
    reading.viewer.disconnect()
    reading.write("secret")
    await reading.task
    assert reading.sends == []
