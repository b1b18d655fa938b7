"""Random cancellations must not leak connections, as they do with httpx's own transport."""

import asyncio
import contextlib
import os
import random

import pytest

from chat.errors import ChatError
from chat.upstream.client import Timeouts
from tests.support.upstream.raw_upstream import EVENT_STREAM, chunk, raw_upstream
from tests.support.upstream.upstream_requests import hear, upstream_at
from tests.support.wait_for import until

POOL = 10
WORKERS = 30
TOKEN = chunk(b'data: {"response":"word "}\n\n')


async def drip(request: bytes, writer: asyncio.StreamWriter) -> None:
    """Send twenty tokens slowly."""
    await asyncio.sleep(0.001)
    writer.write(EVENT_STREAM)
    for _ in range(20):
        writer.write(TOKEN)
        await writer.drain()
        await asyncio.sleep(0.0005)
    writer.write(chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n")


@pytest.mark.parametrize("cancellations", [1500, pytest.param(7000, marks=pytest.mark.long)])
async def test_a_pool_of_ten_survives_random_cancellations(cancellations: int) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    async with (
        raw_upstream(drip) as raw,
        upstream_at(raw.url, Timeouts(), connections=POOL) as upstream,
    ):
        before = len(os.listdir("/proc/self/fd")), raw.open
        left = cancellations

        async def worker() -> None:
            nonlocal left
            while left > 0:
                left -= 1
                task = asyncio.create_task(hear(upstream, retries=0))
                await asyncio.sleep(chance.uniform(0, 0.012))
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, ChatError):
                    await task

        await asyncio.gather(*(worker() for _ in range(WORKERS)))
        answers = await asyncio.gather(*(hear(upstream, retries=0) for _ in range(100)))
        assert all(heard.text == "word " * 20 for heard in answers)
        assert raw.open <= POOL
    await until(lambda: raw.open == before[1])
    await until(lambda: len(os.listdir("/proc/self/fd")) <= before[0])
