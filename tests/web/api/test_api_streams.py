"""Streams of programs: they stop with the socket or the key, and idle ones stay open."""

import asyncio
from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from chat.api_keys.models import ApiKey
from chat.generations.process import server_process
from chat.generations.task import registry
from tests.support.api.api_client import HELLO, ApiClient
from tests.support.generations.event_source import begins_and_waits
from tests.support.generations.follow import endless
from tests.support.patience import PATIENCE_SECONDS, Stopwatch
from tests.support.upstream.upstream_failures import writes
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import until


async def rest_of(response: Any) -> str:
    async with asyncio.timeout(PATIENCE_SECONDS):
        return b"".join([chunk async for chunk in response.streaming_content]).decode()


async def test_closing_the_socket_stops_the_model(program: ApiClient) -> None:
    async with site_with(endless()) as raw:
        response = await program.complete(stream=True)
        (live,) = registry.running()
        body = aiter(response)
        await anext(body)
        took = Stopwatch()
        await body.aclose()
        await until(lambda: live.state == "stopped")
        await until(lambda: not raw.open)
        assert took.seconds < 2


@pytest.mark.parametrize("stream", [True, False])
async def test_a_client_that_leaves_before_the_first_word_stops_the_model(
    program: ApiClient, stream: bool
) -> None:
    async with site_with(writes()) as raw:
        asking = asyncio.create_task(program.complete(stream=stream))
        await until(lambda: raw.requests)
        (live,) = registry.running()
        asking.cancel()
        await until(lambda: live.state == "stopped")


async def test_revoking_a_key_ends_its_streams_at_once(
    program: ApiClient, alice_client: AsyncClient
) -> None:
    async with site_with(begins_and_waits):
        response = await program.complete(stream=True)
        (live,) = registry.running()
        reading = asyncio.create_task(rest_of(response))
        await until(lambda: live.subscribers and live.text)
        await alice_client.post(f"/settings/api/{program.key.pk}/revocation/")
        assert '"error"' in (await reading).split("\n\n")[-2]
        await until(lambda: live.state == "stopped")
    assert (await program.get("/v1/models")).status_code == 401


async def test_revoking_a_key_refuses_its_whole_call(
    program: ApiClient, alice_client: AsyncClient
) -> None:
    async with site_with(begins_and_waits):
        asking = asyncio.create_task(program.complete())
        await until(lambda: any(each.text for each in registry.running()))
        await alice_client.post(f"/settings/api/{program.key.pk}/revocation/")
        response = await asking
    assert (response.status_code, response.json()["error"]["code"]) == (401, "invalid_api_key")


async def test_other_processes_notice_a_revoked_key_with_the_regular_check(
    program: ApiClient, settings: Settings
) -> None:
    async with site_with(begins_and_waits):
        response = await program.complete(stream=True)
        (live,) = registry.running()
        reading = asyncio.create_task(rest_of(response))
        await until(lambda: live.subscribers and live.text)
        subscribers = server_process.current().subscribers
        await subscribers.recheck()
        assert not reading.done()
        await ApiKey.objects.all().adelete()
        await subscribers.recheck()
        assert "[DONE]" not in await reading


async def test_many_streams_of_one_key_do_not_close_each_other(
    program: ApiClient, settings: Settings
) -> None:
    settings.MAX_STREAMS_PER_PERSON = 1
    async with site_with(begins_and_waits):
        first = await program.complete(stream=True)
        second = await program.complete(stream=True)
        both = [asyncio.create_task(rest_of(each)) for each in (first, second)]
        await until(lambda: len(registry.running()) == 2)
        await until(lambda: all(live.text for live in registry.running()))
        for live in registry.running():
            live.stop()
        for sent in await asyncio.gather(*both):
            assert sent.endswith("data: [DONE]\n\n")


async def test_an_idle_stream_is_kept_open_by_comments(
    program: ApiClient, settings: Settings
) -> None:
    settings.HEARTBEAT_SECONDS = 0.05
    async with site_with(begins_and_waits):
        response = await program.complete(stream=True)
        body = aiter(response)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (chunk := await anext(body)) != b":\n\n":
                assert chunk.startswith(b"data: ")
        await body.aclose()


async def test_a_shutdown_before_the_first_word_is_retried_elsewhere(
    program: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site_with(writes()) as raw:
        asking = asyncio.create_task(program.complete(stream=True))
        await until(lambda: raw.requests)
        await server_process.current().begin_shutdown()
        refused = await asking
    assert (refused.status_code, refused["Retry-After"]) == (503, "2")
    assert refused.json()["error"]["type"] == "server_error"


async def test_answers_cannot_be_read_or_stopped_by_others(
    program: ApiClient, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    async with site_with(begins_and_waits):
        response = await program.complete(stream=True)
        path = f"/generations/{response['X-Generation-Id']}"
        for client in (alice_client, bob_client):
            assert (await client.get(f"{path}/stream")).status_code == 404
            assert (await client.post(f"{path}/cancellation")).status_code == 404
        for live in registry.running():
            live.stop()
        await rest_of(response)


async def test_calls_at_once_get_exactly_what_a_limit_leaves(program: ApiClient) -> None:
    from chat.quotas.models import Limit

    await Limit.objects.acreate(scope="member", measure="requests", amount=20)
    body = {**HELLO, "max_tokens": 5}
    calls = [program.post("/v1/chat/completions", body) for _ in range(60)]
    statuses = [response.status_code for response in await asyncio.gather(*calls)]
    assert statuses.count(200) == 20
    assert statuses.count(429) == 40
