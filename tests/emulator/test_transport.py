"""An httpx client uses the embedded emulator as if over the network."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from chat.emulator import Emulator, EmulatorTransport
from tests.emulator.exchange import CHAT_COMPLETIONS, LLAMA, question, run_path
from tests.support.wait_for import until


@pytest.fixture
async def client(emulator: Emulator) -> AsyncIterator[httpx.AsyncClient]:
    transport = EmulatorTransport(emulator)
    async with httpx.AsyncClient(transport=transport, base_url="http://emulator") as client:
        yield client


async def test_a_document_arrives_complete(client: httpx.AsyncClient) -> None:
    response = await client.post(run_path(), json=question("Hello", stream=False))
    assert response.status_code == 200
    assert "emulator" in response.json()["result"]["response"]


async def test_an_encoded_path_and_query_arrive_as_sent(client: httpx.AsyncClient) -> None:
    path = run_path(LLAMA.replace("/", "%2F"))
    assert (await client.post(path, json=question("Hello"))).status_code == 200
    listed = await client.get(
        "/client/v4/accounts/a/ai/models/search", params={"search": "gemma 4"}
    )
    assert listed.json()["result_info"]["count"] == 1


async def test_header_names_ignore_case() -> None:
    transport = EmulatorTransport(Emulator(tokens_per_second=0, api_token="secret"))
    async with httpx.AsyncClient(transport=transport) as client:
        url = "http://emulator/client/v4/user/tokens/verify"
        assert (await client.get(url, headers={"AUTHORIZATION": "Bearer secret"})).is_success
        assert (await client.get(url)).status_code == 400


async def test_a_stream_is_read_while_it_is_generated(client: httpx.AsyncClient) -> None:
    async with client.stream("POST", run_path(), json=question("/stall 3")) as response:
        parts = response.aiter_raw()
        assert [(await anext(parts))[:6] for _ in range(3)] == [b"data: "] * 3


async def test_closing_the_response_ends_the_generation(
    client: httpx.AsyncClient, emulator: Emulator
) -> None:
    async with client.stream("POST", run_path(), json=question("/long")) as response:
        async for _ in response.aiter_raw():
            break
        assert emulator.open_bodies == 1
    assert emulator.open_bodies == 0


async def test_cancelling_a_silent_read_ends_the_generation(
    client: httpx.AsyncClient, emulator: Emulator
) -> None:
    async def read() -> None:
        async with client.stream("POST", run_path(), json=question("/stall 0")) as response:
            await response.aread()

    reading = asyncio.ensure_future(read())
    await until(lambda: emulator.open_bodies == 1)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert emulator.open_bodies == 0


async def test_another_task_may_close_a_silent_response(
    client: httpx.AsyncClient, emulator: Emulator
) -> None:
    async with client.stream("POST", run_path(), json=question("/stall 0")) as response:
        reading = asyncio.ensure_future(response.aread())
        await asyncio.sleep(0.01)
        await response.aclose()
        with pytest.raises(httpx.ReadError):
            await reading
    assert emulator.open_bodies == 0


async def test_a_reset_is_a_read_error(client: httpx.AsyncClient) -> None:
    async with client.stream("POST", run_path(), json=question("/reset 3")) as response:
        parts = response.aiter_raw()
        for _ in range(3):
            await anext(parts)
        with pytest.raises(httpx.ReadError):
            await anext(parts)


async def test_a_cut_ends_the_response_normally(client: httpx.AsyncClient) -> None:
    document = {"model": LLAMA, **question("/cut 3")}
    response = await client.post(CHAT_COMPLETIONS, json=document)
    assert b"[DONE]" not in response.content


async def test_errors_have_their_http_status(client: httpx.AsyncClient) -> None:
    response = await client.post(run_path(), json=question("/error 3040"))
    assert response.status_code == 429
    assert response.json()["errors"][0]["code"] == 3040
