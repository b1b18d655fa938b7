"""A client that waits for the first word counts as a reader, however long that takes.

The two clocks of it are shortened here; tests/live/test_slow_first_tokens.py has the real ones.
"""

import asyncio
import gc
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from chat.generations.delivery import responses
from chat.generations.task import abandonment, registry
from chat.widget_sites.models import WidgetSite
from tests.support.patience import PATIENCE_SECONDS
from tests.support.upstream.raw_upstream import EVENT_STREAM, Handler, chunk
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.wait_for import until
from tests.support.web.front_end import HELLO, FrontEnd, body_of
from tests.support.widget.visitor_client import Visiting

#: Scaled-down times instead of the real seconds.
SCALE = 0.1
SECONDS = [0.5, 2.0, 2.5, 10.0]

Endpoint = Callable[[AsyncClient, WidgetSite, Visiting], Awaitable[Any]]


def sends(path: str) -> Endpoint:
    async def endpoint(alice_client: AsyncClient, shop: WidgetSite, vera: Visiting) -> Any:
        body = {"key": uuid.uuid4().hex, "text": "Hello"}
        return await alice_client.post(path, body, content_type="application/json")

    return endpoint


def posts(path: str, **more: Any) -> Endpoint:
    async def endpoint(alice_client: AsyncClient, shop: WidgetSite, vera: Visiting) -> Any:
        return await FrontEnd(shop).post(path, {**HELLO, **more})

    return endpoint


def gets(path: str) -> Endpoint:
    async def endpoint(alice_client: AsyncClient, shop: WidgetSite, vera: Visiting) -> Any:
        return await FrontEnd(shop).get(path, prompt="Hello")

    return endpoint


async def relays(alice_client: AsyncClient, shop: WidgetSite, vera: Visiting) -> Any:
    return await ask(alice_client, HELLO)


async def visits(alice_client: AsyncClient, shop: WidgetSite, vera: Visiting) -> Any:
    return await vera.send("Hello")


async def visits_relay(alice_client: AsyncClient, shop: WidgetSite, vera: Visiting) -> Any:
    return await vera.post("chat", HELLO, Origin="https://www.shop.example")


ENDPOINTS: dict[str, Endpoint] = {
    "POST /chat/stream": relays,
    "POST /chat/messages": sends("/chat/messages"),
    "POST messages": visits,
    "POST chat": posts("chat"),
    "POST chat as a visitor": visits_relay,
    "GET chat": gets("chat"),
    "POST chat/text": posts("chat/text"),
    "GET chat/text": gets("chat/text"),
    "GET chat/html": gets("chat/html"),
    "POST chat/ui": posts("chat/ui"),
    "POST v1/chat/completions": posts("v1/chat/completions"),
    "POST v1/chat/completions, streamed": posts("v1/chat/completions", stream=True),
}


@pytest.fixture(autouse=True)
def _short_clocks(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    monkeypatch.setattr(responses, "STATUS_WAIT_SECONDS", 2.0 * SCALE)
    monkeypatch.setattr("chat.web.front_ends.views.FAILURE_WAIT_SECONDS", 2.0 * SCALE)
    monkeypatch.setattr(abandonment, "GONE_SECONDS", 2.0 * SCALE)
    monkeypatch.setattr(abandonment, "RESUMABLE_SECONDS", 2.0 * SCALE)
    settings.STREAM_REAUTH_SECONDS = 0.1  # how long a reader in another process is assumed to stay
    settings.ABANDONED_AFTER_SECONDS = 2.0 * SCALE
    settings.VISITOR_ABANDONED_AFTER_SECONDS = 2.0 * SCALE
    settings.MEMBER_ABANDONED_AFTER_SECONDS = 2.0 * SCALE


def begins_after(seconds: float) -> Handler:
    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(seconds)
        writer.write(EVENT_STREAM + chunk(b'data: {"response":"At last"}\n\ndata: [DONE]\n\n'))
        writer.write(b"0\r\n\r\n")

    return handler


async def test_a_slow_first_word_arrives(
    alice_client: AsyncClient, shop: WidgetSite, vera: Visiting
) -> None:
    async def asks(endpoint: Endpoint) -> bytes:
        response = await endpoint(alice_client, shop, vera)
        assert response.status_code == 200
        return await body_of(response) if response.streaming else bytes(response.content)

    for seconds in SECONDS:
        async with site_with(begins_after(seconds * SCALE)):
            bodies = await asyncio.gather(*map(asks, ENDPOINTS.values()))
        late = [
            endpoint
            for endpoint, body in zip(ENDPOINTS, bodies, strict=True)
            if b"At last" not in body
        ]
        assert late == [], seconds


async def test_the_idle_timeout_starts_when_the_client_disconnects(
    alice_client: AsyncClient, shop: WidgetSite, vera: Visiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        responses, "STATUS_WAIT_SECONDS", 60.0
    )  # so that all of them are still waiting
    monkeypatch.setattr("chat.web.front_ends.views.FAILURE_WAIT_SECONDS", 60.0)

    async def waits(endpoint: Endpoint) -> None:
        await endpoint(alice_client, shop, vera)

    async with site_with(begins_after(60)) as raw:
        asking = [asyncio.create_task(waits(endpoint)) for endpoint in ENDPOINTS.values()]
        await until(lambda: len(raw.requests) == len(ENDPOINTS))
        for each in asking:
            each.cancel()
        assert await ends_of_all() == {"stopped"}


async def test_an_unread_response_ends_with_its_connection(
    alice_client: AsyncClient, shop: WidgetSite, vera: Visiting
) -> None:
    endpoints = [
        endpoint for name, endpoint in ENDPOINTS.items() if name != "POST v1/chat/completions"
    ]
    async with site_with(begins_after(60)):
        responses = await asyncio.gather(
            *(endpoint(alice_client, shop, vera) for endpoint in endpoints)
        )
        await asyncio.sleep(2 * 2.0 * SCALE)
        assert len(registry.running()) == len(endpoints)
        responses.clear()
        gc.collect()  # the test client holds them in a reference cycle
        assert await ends_of_all() == {"stopped"}


async def ends_of_all() -> set[str]:
    every = registry.running()
    assert every
    async with asyncio.timeout(PATIENCE_SECONDS):
        for live in every:
            await live.done()
    return {live.state for live in every}
