"""Long requests and answers of programs hold the event loop for moments only."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import AsyncClient

from tests.support.api.api_client import MODEL, ApiClient
from tests.support.loop_hold import measured_loop
from tests.support.upstream.raw_upstream import always, plain
from tests.support.upstream.upstream_override import site_with

BGE = "@cf/baai/bge-m3"
VECTOR = [number / 1000 for number in range(1024)]
#: What a provider answers for a hundred texts.
HUNDRED = {"data": [{"embedding": VECTOR, "index": index} for index in range(100)]}
CHAT: dict[str, Any] = {"model": MODEL}
#: How much longer the longest step may be for twenty times the input; without steps it is about 20.
MAX_RATIO = 10.0
ATTEMPTS = 4


async def held_seconds(program: ApiClient, path: str, body: Any) -> float:
    """Return the longest step of the event loop during a request."""
    text, headers = json.dumps(body), {"Authorization": f"Bearer {program.text}"}
    with measured_loop() as hold:
        await AsyncClient().generic("POST", path, text, "application/json", headers=headers)
    return hold.seconds


async def assert_short_steps(
    program: ApiClient, path: str, make: Callable[[int], Any], most: int
) -> None:
    await held_seconds(program, path, make(1))  # the first request loads modules
    ratios = []
    for _ in range(ATTEMPTS):
        small = await held_seconds(program, path, make(most // 20))
        ratios.append(await held_seconds(program, path, make(most)) / small)
        if ratios[-1] < MAX_RATIO:
            return
    pytest.fail(f"the longest step grew by {ratios}")


@pytest.mark.parametrize("encoding", ["float", "base64"])
async def test_embeddings_of_many_texts(program: ApiClient, encoding: str) -> None:
    def make(count: int) -> Any:
        return {"model": BGE, "input": ["a b"] * (100 * count), "encoding_format": encoding}

    answer = plain(200, json.dumps(HUNDRED).encode())
    async with site_with(always(answer), UPSTREAM_PROTOCOL="openai"):
        await assert_short_steps(program, "/v1/embeddings", make, 20)


async def test_embeddings_in_cloudflares_format(program: ApiClient) -> None:
    answer = plain(200, json.dumps(HUNDRED).encode())
    async with site_with(always(answer), UPSTREAM_PROTOCOL="openai"):
        await assert_short_steps(
            program,
            f"/client/v4/accounts/x/ai/run/{BGE}",
            lambda count: {"text": ["a b"] * (100 * count)},
            20,
        )


REQUESTS: dict[str, tuple[str, Callable[[int], Any], int]] = {
    "parts": (
        "/v1/chat/completions",
        lambda n: {**CHAT, "messages": [{"role": "user", "content": [{"text": "a"}] * n}]},
        200_000,
    ),
    "input parts": (
        "/v1/responses",
        lambda n: {**CHAT, "input": [{"content": [{"text": "a"}] * n}]},
        200_000,
    ),
    "tool calls": (
        "/v1/chat/completions",
        lambda n: {
            **CHAT,
            "messages": [
                {"role": "user", "content": "a"},
                {"role": "assistant", "tool_calls": [{"function": {"name": "f"}}] * n},
                {"role": "user", "content": "a"},
            ],
        },
        80_000,
    ),
    "items": ("/v1/responses", lambda n: {**CHAT, "input": [{"content": "a"}] * n}, 120_000),
    "stop": (
        "/v1/chat/completions",
        lambda n: {**CHAT, "messages": [{"role": "user", "content": "a"}], "stop": ["a" * n] * 3},
        1_000_000,
    ),
}


@pytest.mark.parametrize("name", REQUESTS)
async def test_a_long_request(program: ApiClient, name: str) -> None:
    await assert_short_steps(program, *REQUESTS[name])
