"""At shutdown, each client is told about its answer in its own format."""

import asyncio
import json
from typing import Any

import pytest

from chat.generations.process import server_process
from chat.generations.task import registry
from chat.widget_sites.models import WidgetSite
from tests.support.generations.event_source import WELL, begins_and_waits
from tests.support.upstream.raw_upstream import EVENT_STREAM, chunk
from tests.support.upstream.upstream_failures import writes
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.wait_for import until
from tests.support.web.front_end import HELLO, FrontEnd, body_of

ENDPOINTS = ["chat", "chat/text", "chat/ui", "v1/chat/completions"]


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_an_answer_that_has_not_begun_gets_503_with_retry_after(
    endpoint: str, shop: WidgetSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.generations.delivery.responses.STATUS_WAIT_SECONDS", 60.0)
    async with site_with(writes()) as raw:
        asking = asyncio.create_task(FrontEnd(shop).post(endpoint, {**HELLO, "stream": True}))
        await until(lambda: raw.requests)
        await server_process.current().begin_shutdown()
        refused = await asking
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "shutting_down")
    assert refused["Retry-After"] == "2"
    assert refused["Access-Control-Allow-Origin"] == "https://www.shop.example"


async def begun(shop: WidgetSite, endpoint: str, body: Any) -> Any:
    """Shut the process down during an answer, and return the rest of its stream."""
    async with site_with(begins_and_waits):
        response = await FrontEnd(shop).post(endpoint, body)
        (live,) = registry.running()
        await until(lambda: live.text)
        reading = asyncio.create_task(body_of(response))
        await until(lambda: live.subscribers)
        await server_process.current().begin_shutdown()
        return await reading


@pytest.mark.parametrize("endpoint", ["chat/ui", "v1/chat/completions"])
async def test_clients_that_cannot_resume_get_an_error(endpoint: str, shop: WidgetSite) -> None:
    sent = await begun(shop, endpoint, {**HELLO, "stream": True})
    *_, last, end = sent.split(b"\n\n")
    assert (b"Well" in sent, end) == (True, b"")
    assert "The answer was interrupted." in json.dumps(json.loads(last.removeprefix(b"data: ")))
    assert b"[DONE]" not in sent


async def test_clients_that_can_resume_get_no_error(shop: WidgetSite) -> None:
    sent = await begun(shop, "chat", HELLO)
    assert b"Well" in sent
    assert b"error" not in sent
    assert b"[DONE]" not in sent


async def test_a_client_disconnected_at_once_has_an_id_to_resume_from(shop: WidgetSite) -> None:
    async with site_with(begins_and_waits):
        response = await FrontEnd(shop).post("chat")
        server_process.current().subscribers.disconnect()
        sent = await body_of(response)
        assert sent.count(b"id: ") == 1
        assert sent.endswith(b'.0\ndata: {"response":""}\n\n')


THOUGHT = chunk(b'data: {"choices":[{"index":0,"delta":{"reasoning_content":"Hm."}}]}\n\n')


@pytest.mark.parametrize("endpoint", ["chat/html", "chat/text"])
async def test_reasoning_that_a_format_omits_keeps_its_connection_open(
    endpoint: str, shop: WidgetSite, settings: Any
) -> None:
    settings.HEARTBEAT_SECONDS = 0.1
    thinks = writes(EVENT_STREAM, *[THOUGHT] * 60, WELL, every=0.01)
    async with site_with(thinks):
        reading = asyncio.create_task(body_of(await FrontEnd(shop).get(endpoint, prompt="Hello")))
        await until(lambda: any(live.text for live in registry.running()))
        registry.running()[0].stop()
        sent = await reading
    if endpoint == "chat/text":
        assert sent == b"Well"
    else:
        assert b":\n\n" in sent[: sent.index(b"Well")].partition(b"\n\n")[2]


async def test_our_own_pages_get_503_for_a_temporary_answer(
    alice_client: Any, stop_server_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.generations.delivery.responses.STATUS_WAIT_SECONDS", 60.0)
    async with site_with(writes()) as raw:
        asking = asyncio.create_task(ask(alice_client, HELLO))
        await until(lambda: raw.requests)
        await server_process.current().begin_shutdown()
        refused = await asking
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "shutting_down")
