"""The emulator over real HTTP."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from tests.emulator.exchange import LLAMA, question
from tests.emulator.server import failing_emulator, running_emulator
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.xdist_group("the emulator")

RUN = f"accounts/a/ai/run/{LLAMA.replace('/', '%2F')}"


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with running_emulator("--tokens-per-second", "0") as url:
        yield url


@pytest.fixture
async def client(base_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{base_url}/", timeout=PATIENCE_SECONDS) as client:
        yield client


async def test_a_stream_arrives_complete(client: httpx.AsyncClient) -> None:
    response = await client.post(RUN, json=question("Hello"))
    assert response.headers["content-type"] == "text/event-stream"
    assert response.text.endswith("data: [DONE]\n\n")


async def test_a_stream_arrives_while_it_is_generated(client: httpx.AsyncClient) -> None:
    async with client.stream("POST", RUN, json=question("/stall 3")) as response:
        lines = response.aiter_lines()
        heard = [await anext(lines) for _ in range(6)]
    assert [line.startswith("data: ") for line in heard] == [True, False] * 3


async def test_the_headers_arrive_before_the_first_token(client: httpx.AsyncClient) -> None:
    async with client.stream("POST", RUN, json=question("/stall 0")) as response:
        assert response.status_code == 200


async def test_text_survives_any_split_of_the_bytes(client: httpx.AsyncClient) -> None:
    response = await client.post(RUN, json=question("/bytes"))
    assert "川" in response.text
    assert response.text.endswith("data: [DONE]\n\n")


async def test_a_reset_breaks_the_connection(client: httpx.AsyncClient) -> None:
    with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
        await client.post(RUN, json=question("/reset 3"))
    assert (await client.post(RUN, json=question("Hello"))).is_success


async def test_a_cut_ends_the_response_normally(client: httpx.AsyncClient) -> None:
    response = await client.post(RUN, json=question("/cut 3"))
    assert response.text.count("data: ") == 3


async def test_concurrent_clients_are_served(client: httpx.AsyncClient) -> None:
    requests = (client.post(RUN, json=question(f"Hello {number}")) for number in range(20))
    assert all("[DONE]" in response.text for response in await asyncio.gather(*requests))


async def test_errors_have_their_http_status(client: httpx.AsyncClient) -> None:
    assert (await client.post(RUN, json=question("/error 5021"))).status_code == 413
    response = await client.post(RUN, json=question("/error 502"))
    assert response.status_code == 502
    assert response.headers["content-type"].startswith("text/html")


def test_a_port_in_use_is_reported(base_url: str) -> None:
    port = base_url.split(":")[2].split("/")[0]
    status, complaint = failing_emulator("--port", port)
    assert status == 1
    assert f"Can't listen on 127.0.0.1:{port}" in complaint


async def test_a_token_can_be_required() -> None:
    with running_emulator("--api-token", "secret") as url:
        async with httpx.AsyncClient() as client:
            verify = f"{url}/user/tokens/verify"
            assert (await client.get(verify)).status_code == 400
            allowed = await client.get(verify, headers={"authorization": "Bearer secret"})
            assert allowed.is_success
