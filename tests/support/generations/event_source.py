"""Helpers for the tests of EventSource."""

import asyncio

from tests.support.upstream.raw_upstream import EVENT_STREAM, chunk

WELL = chunk(b'data: {"response":"Well"}\n\n')


async def begins_and_waits(request: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(EVENT_STREAM + WELL)
    await asyncio.Event().wait()


def last_id(sent: bytes) -> str:
    """Return the last event ID of an EventSource that received these bytes."""
    return sent.split(b"id: ")[-1].split(b"\n")[0].decode()
