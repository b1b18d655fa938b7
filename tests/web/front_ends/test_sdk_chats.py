"""`useChat` resumes by the chat id that its page has chosen."""

import asyncio
from typing import Any

import pytest

from chat.generations.task import abandonment, registry
from chat.widget_sites.models import WidgetSite
from tests.support.generations.event_source import begins_and_waits
from tests.support.upstream.raw_upstream import EVENT_STREAM, chunk
from tests.support.upstream.upstream_failures import writes
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import until
from tests.support.web.front_end import HELLO, FrontEnd, body_of
from tests.support.widget.visitor_client import Visiting

#: Chat IDs as the SDK and browsers create them.
NAME = "kXw3Rp9ZbTq7Lm2c"
UUID = "3f1c8a52-9d40-4e6b-b7aa-0c5d2e9f8143"
#: Chat IDs that somebody else in the same office could guess.
GUESSABLE = [
    "chat-1", "support", "kXw3Rp9ZbTq7Lm2", "0123456789012345678", "aaaaaaaaaaaaaaaaA1",
    "the-chat-of-our-shop", "kXw3Rp9ZbTq7Lm2ä", "kXw3Rp9ZbTq7Lm 2",
]  # fmt: skip
UI_REQUEST = {"id": NAME, "trigger": "submit-message", "messageId": None, **HELLO}


async def begin(page: FrontEnd, chat_id: str, **headers: str) -> None:
    """Send a message with this chat ID, and disconnect after the first bytes."""
    body = aiter(await page.post("chat/ui", {**UI_REQUEST, "id": chat_id}, **headers))
    await anext(body)
    await body.aclose()


@pytest.mark.parametrize("endpoint", ["chat/ui", "chat/text"])
async def test_a_running_answer_is_sent_from_its_beginning(endpoint: str, shop: WidgetSite) -> None:
    page = FrontEnd(shop)
    many = [chunk(b'data: {"response":"word "}\n\n')] * 400
    async with site_with(writes(EVENT_STREAM, *many, every=0.005)):
        response = await page.post(endpoint, UI_REQUEST)
        body = aiter(response)
        await anext(body)
        await body.aclose()
        again = await page.fetch(f"{endpoint}/{NAME}/stream")
        assert again.status_code == 200
        (live,) = registry.running()
        reading = asyncio.create_task(body_of(again))
        await until(lambda: len(live.log) > 10)
        live.stop()
        text = (await reading).decode()
    assert text.count("word ") == live.text.count("word ")


async def test_an_answer_that_was_read_completely_is_not_sent_again(shop: WidgetSite) -> None:
    page = FrontEnd(shop)
    await body_of(await page.post("chat/ui", UI_REQUEST))
    assert (await page.fetch(f"chat/ui/{NAME}/stream")).status_code == 204


async def test_an_answer_that_ended_unread_is_sent(shop: WidgetSite) -> None:
    page = FrontEnd(shop)
    await begin(page, NAME)
    live = next(iter(registry._entries.values())).generation
    await live.done()
    again = await body_of(await page.fetch(f"chat/ui/{NAME}/stream"))
    assert b'"type":"finish"' in again


async def test_the_same_chat_id_of_another_client_finds_nothing(
    shop: WidgetSite, settings: Any
) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    page, neighbour = FrontEnd(shop, address="10.0.0.1"), FrontEnd(shop, address="10.0.0.2")
    await begin(page, NAME)
    assert (await neighbour.fetch(f"chat/ui/{NAME}/stream")).status_code == 204
    assert (await page.fetch("chat/ui/xXw3Rp9ZbTq7Lm2c/stream")).status_code == 204
    assert (await page.fetch(f"chat/ui/{NAME}/stream")).status_code == 200


async def test_a_chat_id_that_is_too_long_is_refused(shop: WidgetSite) -> None:
    refused = await FrontEnd(shop).post("chat/ui", {**UI_REQUEST, "id": "x" * 201})
    assert refused.status_code == 400


@pytest.mark.parametrize("chat_id", [NAME, UUID])
async def test_an_anonymous_client_resumes_with_a_random_chat_id(
    chat_id: str, shop: WidgetSite
) -> None:
    page = FrontEnd(shop)
    async with site_with(begins_and_waits):
        await begin(page, chat_id)
        again = await page.fetch(f"chat/ui/{chat_id}/stream")
        assert again.status_code == 200
        for live in registry.running():
            live.stop()
        assert b"Well" in await body_of(again)


@pytest.mark.parametrize("chat_id", GUESSABLE)
async def test_a_guessable_chat_id_does_not_resume(chat_id: str, shop: WidgetSite) -> None:
    page = FrontEnd(shop)
    async with site_with(begins_and_waits):
        await begin(page, chat_id)
        for endpoint in ("chat/ui", "chat/text"):
            assert (await page.fetch(f"{endpoint}/{chat_id}/stream")).status_code == 204


async def test_an_answer_that_cannot_be_resumed_stops_soon(
    shop: WidgetSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(abandonment, "GONE_SECONDS", 0.05)
    async with site_with(begins_and_waits):
        await begin(FrontEnd(shop), NAME)
        (kept,) = registry.running()
        await begin(FrontEnd(shop), "chat-1")
        left = next(live for live in registry.running() if live is not kept)
        await left.done()
        assert kept.state == "running"


async def test_a_visitor_with_a_token_may_use_any_chat_id(shop: WidgetSite, vera: Visiting) -> None:
    page, passer_by = FrontEnd(shop), FrontEnd(shop)
    page.headers["Authorization"] = f"Bearer {vera.bearer}"
    async with site_with(begins_and_waits):
        await begin(page, "chat-1")
        assert (await passer_by.fetch("chat/ui/chat-1/stream")).status_code == 204
        again = await page.fetch("chat/ui/chat-1/stream")
        assert again.status_code == 200
        registry.running()[0].stop()
        assert b"Well" in await body_of(again)
