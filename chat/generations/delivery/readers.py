"""Read an answer's log: complete frames from a cursor to the end; empty bytes while it is idle.

The first bytes come at once, because they carry the response headers. There are two sources with
the same interface: the memory of the process that writes the answer, or the database. A stream that
ends without `[DONE]` (the process shuts down, access was revoked) tells the client to resume.
"""

import asyncio
from collections.abc import AsyncGenerator
from uuid import UUID

from chat.database import threads
from chat.generations.log.frames import MAX_SEND_BYTES
from chat.generations.process.subscribers import Subscriber
from chat.generations.storage.stored_stream import StoredRead, read_after
from chat.generations.task import registry
from chat.generations.task.task import GenerationTask
from chat.lib.lazy_timeout import LazyTimeout

POLL_SECONDS = 0.25
WATCH_SECONDS = 1.0


async def follow_memory(
    generation: GenerationTask, after: int, heartbeat_seconds: float, viewer: Subscriber
) -> AsyncGenerator[bytes]:
    """Yield frames after number `after`, and empty bytes when a heartbeat is due.

    A cursor ahead of the log gets the terminal frames only.
    """
    log = generation.log
    claimed = after
    subscription = registry.subscribe(generation)
    viewer.wake = log.wake
    timeout = LazyTimeout()
    try:
        if not log.closed and len(log) <= after:
            yield b""
        while not viewer.left:
            if log.closed and claimed > log.terminal_at:
                after = claimed = log.terminal_at
            chunk, after = log.read(after)
            if chunk:
                yield chunk
            elif log.closed:
                generation.was_read = True
                return
            else:
                await log.wait(after, heartbeat_seconds, timeout)
                if len(log) <= after and not log.closed and not viewer.left:
                    yield b""
    finally:
        timeout.close()
        subscription.close()


async def watch_memory(
    generation: GenerationTask, after: int, heartbeat_seconds: float, viewer: Subscriber
) -> AsyncGenerator[bytes]:
    """Yield frames for watching staff, once every `WATCH_SECONDS`.

    Tokens do not wake this reader, so it adds almost no load for the writing process; and it does
    not keep an abandoned answer alive.
    """
    log = generation.log
    clock = asyncio.get_running_loop().time
    claimed, heartbeat_at = after, clock()
    while not viewer.left:
        if log.closed and claimed > log.terminal_at:
            after = claimed = log.terminal_at
        chunk, after = log.read(after)
        if chunk or clock() >= heartbeat_at:
            heartbeat_at = clock() + heartbeat_seconds
            yield chunk
        elif log.closed:
            return
        else:
            await asyncio.sleep(WATCH_SECONDS)


async def follow_stored(
    generation_id: UUID, after: int, heartbeat_seconds: float, viewer: Subscriber
) -> AsyncGenerator[bytes]:
    """Yield frames from the database, for a generation that another process runs or ran."""
    clock = asyncio.get_running_loop().time
    heartbeat_at = clock()
    while not viewer.left:
        read: StoredRead = await threads.readers.run(read_after, generation_id, after)
        after = read.after
        for chunk in split_into_sends(read.frames):
            yield chunk
        if read.is_end:
            return
        if read.frames:
            heartbeat_at = clock() + heartbeat_seconds
        elif clock() >= heartbeat_at:
            heartbeat_at = clock() + heartbeat_seconds
            yield b""
        await asyncio.sleep(WATCH_SECONDS if viewer.watching else POLL_SECONDS)


def split_into_sends(frames: bytes) -> list[bytes]:
    """Split `frames` into sends of complete frames; an oversized frame is sent by itself."""
    if len(frames) <= MAX_SEND_BYTES:
        return [frames] if frames else []
    pieces: list[bytes] = []
    start = 0
    while len(frames) - start > MAX_SEND_BYTES:
        end = frames.rfind(b"\n\n", start, start + MAX_SEND_BYTES)
        if end < 0 and (end := frames.find(b"\n\n", start)) < 0:
            break
        pieces.append(frames[start : end + 2])
        start = end + 2
    return [*pieces, frames[start:]] if start < len(frames) else pieces
