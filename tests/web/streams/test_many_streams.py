"""The number of streams for one person is limited; the oldest is closed and may reconnect."""

from typing import Any

from django.test import AsyncClient
from pytest_django import Settings

from chat.generations.process import server_process
from tests.support.generations.follow import endless
from tests.support.generations.send import send
from tests.support.generations.stream_end import ended
from tests.support.upstream.upstream_override import site_with


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
        assert not (await ended(first)).done  # to a client that means: come back
        assert len(server_process.current().subscribers) == 3  # bob's, and two of hers
        again: Any = (await alice_client.get(path)).streaming_content
        await anext(again)
        await ended(second)
        await alice_client.post(path.replace("/stream", "/cancellation"))
        assert (await ended(third)).done
        assert (await ended(again)).done
        await his.aclose()
