import time
from uuid import UUID

import pytest

from chat.emulator import Emulator
from tests.emulator.exchange import Reply, question, send

GATEWAY = {"cf-aig-gateway-id": "default"}
CACHED = {**GATEWAY, "cf-aig-cache-ttl": "60"}


async def through(emulator: Emulator, headers: dict[str, str], text: str = "Hello") -> Reply:
    return await send(emulator, question(text, stream=False), headers=headers)


async def statuses(emulator: Emulator, *requests: dict[str, str]) -> list[str]:
    replies = [await through(emulator, headers) for headers in requests]
    return [reply.headers["cf-aig-cache-status"] for reply in replies]


async def test_without_a_gateway_there_are_no_gateway_headers(emulator: Emulator) -> None:
    reply = await through(emulator, {"cf-aig-cache-ttl": "60"})
    assert not [name for name in reply.headers if name.startswith("cf-aig")]


async def test_a_gateway_logs_the_request(emulator: Emulator) -> None:
    first, second = [(await through(emulator, GATEWAY)).headers for _ in range(2)]
    assert UUID(first["cf-aig-log-id"]).version == 7
    assert first["cf-aig-log-id"] != second["cf-aig-log-id"]


async def test_nothing_is_cached_unless_requested(emulator: Emulator) -> None:
    assert await statuses(emulator, GATEWAY, GATEWAY) == ["MISS", "MISS"]


async def test_repeating_a_request_is_a_cache_hit(emulator: Emulator) -> None:
    assert await statuses(emulator, CACHED, CACHED) == ["MISS", "HIT"]
    assert (await through(emulator, CACHED, "Other")).headers["cf-aig-cache-status"] == "MISS"


async def test_skipping_the_cache_counts_as_a_miss(emulator: Emulator) -> None:
    skipping = {**CACHED, "cf-aig-skip-cache": "true"}
    assert await statuses(emulator, CACHED, skipping, CACHED) == ["MISS", "MISS", "HIT"]


async def test_each_gateway_has_its_own_cache(emulator: Emulator) -> None:
    other = {**CACHED, "cf-aig-gateway-id": "other"}
    assert await statuses(emulator, CACHED, other) == ["MISS", "MISS"]


async def test_a_named_key_is_cached_without_a_ttl(emulator: Emulator) -> None:
    named = {**GATEWAY, "cf-aig-cache-key": "greeting"}
    assert await statuses(emulator, named, named) == ["MISS", "HIT"]


async def test_cache_entries_expire_after_the_ttl(
    emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    await through(emulator, CACHED)
    later = time.monotonic() + 61
    monkeypatch.setattr("chat.emulator.gateway.time.monotonic", lambda: later)
    assert await statuses(emulator, CACHED) == ["MISS"]
