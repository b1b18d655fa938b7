"""Helpers for the tests of lost access."""

import asyncio
from typing import Any

from chat.lib.sse import SseDecoder
from tests.support.generations.stream_reader import Stream
from tests.support.patience import PATIENCE_SECONDS


async def ended(reader: Any) -> Stream:
    """Return all that arrives until the server ends the stream."""
    stream, decoder = Stream(), SseDecoder()
    async with asyncio.timeout(PATIENCE_SECONDS):
        async for chunk in reader:
            stream.feed(decoder, chunk)
    return stream
