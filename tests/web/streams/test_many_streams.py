"""The number of streams for one person is limited; the oldest is closed and may reconnect."""

import asyncio
from typing import Any

from django.test import AsyncClient
from pytest_django import Settings

from chat.generations.process import server_process
from chat.lib.sse import SseDecoder
from tests.support.generations.follow import endless
from tests.support.generations.send import send
from tests.support.generations.stream_reader import Stream
from tests.support.patience import PATIENCE_SECONDS
from tests.support.upstream.upstream_override import site_with


async def ends(reader: Any) -> Stream:
    """Return the rest of a stream that ends by itself."""
    stream, decoder = Stream(), SseDecoder()
    async with asyncio.timeout(PATIENCE_SECONDS):
        async for chunk in reader:
            stream.feed(decoder, chunk)
    return stream


async def test_one_stream_too_many_closes_the_oldest(
    alice_client: AsyncClient, bob_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_STREAMS_PER_PERSON = 2
    async with site_with(endless()):
        his: Any = (await send(bob_client, text="Hello")).streaming_content
        await anext(his)
        sent: Any = await send(alice_client, text="Hello")
        first = sent.streaming_content
        await anext(first)
        path = f"/generations/{sent['X-Generation-Id']}/stream"
        second: Any = (await alice_client.get(path)).streaming_content
        await anext(second)
        third: Any = (await alice_client.get(path)).streaming_content
        await anext(third)
        assert not (await ends(first)).done  # to a client that means: come back
        assert len(server_process.current().subscribers) == 3  # bob's, and two of hers
        again: Any = (await alice_client.get(path)).streaming_content
        await anext(again)
        await ends(second)
        await alice_client.post(path.replace("/stream", "/cancellation"))
        assert (await ends(third)).done
        assert (await ends(again)).done
        await his.aclose()
