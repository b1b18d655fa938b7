"""With Redis, notifications reach pages served by other processes."""

import asyncio
import json
from contextlib import closing
from pathlib import Path

import aiohttp
import httpx
import pytest

from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.servers.server import signed_up, two_processes


@pytest.mark.long
async def test_a_notification_reaches_another_process(redis_url: str, tmp_path: Path) -> None:
    with (
        two_processes(tmp_path, REDIS_URL=redis_url) as (here, there),
        closing(signed_up(here)) as client,
    ):
        cookies = {cookie.name: cookie.value or "" for cookie in client.cookies.jar}
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        async with aiohttp.ClientSession(headers=headers) as web:
            async with web.ws_connect(
                f"{there.url}/chat/notifications", origin=there.url
            ) as socket:
                await asyncio.to_thread(_send, client, cookies["csrftoken"])
                told = [json.loads((await socket.receive(10)).data) for _ in range(2)]
    assert [each["kind"] for each in told] == ["turn", "answer"]


def _send(client: httpx.Client, token: str) -> None:
    body = {"key": "0123456789abcdef", "text": "Hello"}
    headers = {**SAME_ORIGIN, "X-CSRFToken": token}
    assert client.post("/chat/messages", json=body, headers=headers).status_code == 200
