"""What tests of lost rights share with others."""

import asyncio
from typing import Any

from chat.lib.sse import SseDecoder
from tests.support.streams import Stream


async def ended(reader: Any) -> Stream:
    """All that comes until the server ends it."""
    stream, decoder = Stream(), SseDecoder()
    async with asyncio.timeout(30):
        async for chunk in reader:
            stream.feed(decoder, chunk)
    return stream
